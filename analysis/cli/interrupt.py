"""A second Ctrl-C, which ends the process even where Python cannot hear it."""

import contextlib
import os
import signal
import threading
from collections.abc import Iterator

INTERRUPTED = 130
PATIENCE = 3.0  # seconds after the first one, before a second is asked for


@contextlib.contextmanager
def second_ends_at_once() -> Iterator[None]:
    """Let a second Ctrl-C end the process, whatever it is doing.

    The first one is Python's KeyboardInterrupt, which waits until compiled code returns: for ever, if a policy does
    not. Results are written whole or not at all, so nothing that was stored is lost.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    threading.Thread(target=_listen, args=(reader,), daemon=True).start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.close(writer)


def _listen(reader: int) -> None:
    """Read the numbers of signals, until nobody writes any more."""
    ask = threading.Timer(PATIENCE, os.write, (2, b"meeplecarlo: still busy; press Ctrl-C again to end at once\n"))
    ask.daemon = True
    heard = 0
    while number := os.read(reader, 1):
        heard += number[0] == signal.SIGINT
        if number[0] == signal.SIGINT and heard == 1:
            ask.start()
        if heard == 2:
            os.write(2, b"meeplecarlo: interrupted\n")
            os._exit(INTERRUPTED)
    ask.cancel()
    os.close(reader)
