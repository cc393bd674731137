"""A headless Chromium driven through its DevTools pipe: no driver, no package, no port.

``--remote-debugging-pipe`` reads JSON messages from file descriptor 3 and answers on 4, each ended by a zero byte
(https://chromedevtools.github.io/devtools-protocol/).
"""

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import sys
import time

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
]
LAUNCH = (
    "import os, sys; a, b = map(int, sys.argv[1:3]); os.dup2(a, 3); os.dup2(b, 4); os.execv(sys.argv[3], sys.argv[3:])"
)
SECONDS = 30  # for one answer


class Browser:
    """One page of a browser with a profile of its own."""

    def __init__(self, profile):
        command, self._to = os.pipe()
        self._from, answer = os.pipe()
        high = [fcntl.fcntl(fd, fcntl.F_DUPFD, 10) for fd in (command, answer)]
        os.close(command)
        os.close(answer)
        arguments = [CHROMIUM, *FLAGS, f"--user-data-dir={profile}", "--remote-debugging-pipe", "about:blank"]
        self._process = subprocess.Popen(
            [sys.executable, "-c", LAUNCH, *map(str, high), *arguments],
            pass_fds=high,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for fd in high:
            os.close(fd)
        self._buffer, self._number, self._session = b"", 0, None
        self.events = []  # (method, parameters)
        target = next(t for t in self._targets() if t["type"] == "page")
        self._session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def _targets(self):
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            found = self.call("Target.getTargets")["targetInfos"]
            if any(t["type"] == "page" for t in found):
                return found
            time.sleep(0.05)
        raise TimeoutError("the browser has no page")

    def call(self, method, **parameters):
        """Send a command; its result."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            found = self._read()
            if found.get("id") == self._number:
                if "error" in found:
                    raise RuntimeError(f"{method}: {found['error']}")
                return found["result"]
            self.events.append((found.get("method"), found.get("params", {})))

    def _read(self):
        while b"\0" not in self._buffer:
            if not select.select([self._from], [], [], SECONDS)[0]:
                raise TimeoutError("the browser does not answer")
            part = os.read(self._from, 1 << 20)
            if not part:
                raise ConnectionError("the browser has ended")
            self._buffer += part
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

    def open(self, path, width=1280, height=900, dark=False, script=True):
        """Open a file in a window of this size, and wait until it has loaded."""
        self.events.clear()
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call("Emulation.setScriptExecutionDisabled", value=not script)
        self.call("Page.navigate", url=path.resolve().as_uri())
        end = time.monotonic() + SECONDS
        while not any(method == "Page.loadEventFired" for method, _ in self.events):
            self.call("Page.getLayoutMetrics")
            if time.monotonic() > end:
                raise TimeoutError("the page does not load")
            time.sleep(0.02)

    def run(self, script):
        """The value of a JavaScript expression."""
        found = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise RuntimeError(found["exceptionDetails"]["exception"].get("description", "JavaScript error"))
        return found["result"].get("value")

    def complaints(self):
        """What the console said since the page was opened: errors, warnings and exceptions."""
        said = []
        for method, about in self.events:
            if method == "Runtime.exceptionThrown":
                said.append(about["exceptionDetails"]["text"])
            elif method == "Runtime.consoleAPICalled" and about["type"] in ("error", "warning", "assert"):
                said.append(str(about["args"]))
            elif method == "Log.entryAdded" and about["entry"]["level"] in ("error", "warning"):
                said.append(about["entry"]["text"])
        return said

    def requests(self):
        """Addresses asked for since the page was opened."""
        return [about["request"]["url"] for method, about in self.events if method == "Network.requestWillBeSent"]

    def screenshot(self, path, whole=False):
        """Save a picture of the window, or of the whole page."""
        found = self.call("Page.captureScreenshot", captureBeyondViewport=whole, **self._clip(whole))
        path.write_bytes(base64.b64decode(found["data"]))

    def _clip(self, whole):
        if not whole:
            return {}
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        return {"clip": {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}}

    def pdf(self, path):
        """Print the page on A4."""
        found = self.call("Page.printToPDF", paperWidth=8.27, paperHeight=11.69, preferCSSPageSize=True)
        path.write_bytes(base64.b64decode(found["data"]))

    def close(self):
        """End the browser."""
        self._session = None
        try:
            self.call("Browser.close")
            self._process.wait(10)
        except (OSError, TimeoutError, subprocess.TimeoutExpired, ConnectionError):
            self._process.kill()
            self._process.wait()
        os.close(self._to)
        os.close(self._from)
