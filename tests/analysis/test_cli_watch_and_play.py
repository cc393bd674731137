import os
import pty
import re
import signal
import subprocess
import sys
import time
import tomllib

import pytest

import engine
from analysis.cli.play import menu

WATCH = ["watch", "draftosaurus", "--policies", "random", "greedy", "--seed", "5", "--index", "3"]


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setattr("analysis.cli.watch.at_terminal", lambda: True)


@pytest.mark.parametrize("command", ["watch", "play", "new-study", "check", "check-policy"])
def test_help__has_an_example(call, command):
    status, out, _ = call(command, "--help")
    assert status == 0
    assert f"Example: meeplecarlo {command}" in " ".join(out.split())


def test_policies__ends_with_a_style_that_a_study_takes(call):
    _, out, _ = call("policies", "draftosaurus")
    style = tomllib.loads(out.split("left out):")[1])
    assert style["policies"]["my_style"]["base"] in engine.policies("draftosaurus")
    assert "inf" not in out.split()


# ---------------------------------------------------------------------------------------------------------
# watch
# ---------------------------------------------------------------------------------------------------------
def test_watch__into_a_pipe_prints_what_replay_prints(call):
    assert call(*WATCH) == call("replay", *WATCH[1:])
    assert call(*WATCH, "--all") == call("replay", *WATCH[1:])


def test_watch__waits_for_enter_and_stops_at_q_or_the_end_of_input(call, answers, terminal):
    whole = engine.replay("draftosaurus", ["random", "greedy"], 5, 3).steps()
    answers("", "", "q")
    status, out, _ = call(*WATCH)
    assert status == 0
    assert all(step in out for step in whole[:3])
    assert whole[3] not in out
    assert "-- 3 of " in out
    answers()
    status, out, _ = call(*WATCH)
    assert status == 0
    assert whole[1] not in out


def test_watch__a_prints_the_rest(call, answers, terminal):
    left = answers("", "a", "unread")
    _, out, _ = call(*WATCH)
    assert "win share" in out
    assert next(left) == "unread"


# ---------------------------------------------------------------------------------------------------------
# play
# ---------------------------------------------------------------------------------------------------------
PLAY = ["play", "draftosaurus", "--policies", "greedy", "random", "--seat", "1", "--seed", "4"]


@pytest.mark.parametrize("game", engine.games())
def test_play__plays_to_the_end_and_tells_the_points(call, answers, game):
    answers(*["1"] * 500)
    status, out, err = call("play", game, "--policies", "random", "--seat", "1")
    assert (status, err) == (0, "")
    assert "2 players; you are seat 1" in out
    assert "win share" in out
    assert re.search(r"You (have won|have lost|share the win) \(seed 1, index 0\)", out)
    assert "legal)" not in out


def test_play__asks_again_until_the_answer_is_a_choice(call, answers):
    answers("", "0", "abc", "99", "1", "q")
    status, out, _ = call(*PLAY)
    assert status == 0
    for wrong in ("", "0", "abc", "99"):
        assert f"{wrong!r} is not a number from 1 to" in out
    assert "seat 1 places" in out
    assert "You have left the game; the same command deals it again." in out


def test_play__tells_what_can_be_typed(call, answers):
    answers("?", "h", "q")
    out = call(*PLAY)[1]
    assert out.count("leave the game; the same command deals it again") == 2
    assert "is not a number" not in out


def test_play__ends_well_with_the_input_and_after_ctrl_c(call, answers):
    answers("1")
    status, out, _ = call(*PLAY)
    assert status == 0
    assert "You have left the game" in out
    answers("1", KeyboardInterrupt)
    status, _, err = call(*PLAY)
    assert (status, err) == (130, "meeplecarlo: interrupted\n")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["draftosaur"], "did you mean 'draftosaurus'"),
        (["draftosaurus", "--seat", "3"], "seat must be from 0 to 2, not 3"),
        (["draftosaurus", "--policies", "gredy"], "did you mean 'greedy'"),
        (["draftosaurus", "--policies", *["random"] * 5], "takes 2 to 5 players, not 6"),
        (["draftosaurus", "--variant", "wintr"], "did you mean 'winter'"),
        (["draftosaurus", "--rules", "trio_point=1"], "did you mean 'trio_points'"),
    ],
)
def test_play__says_in_one_line_what_is_wrong(call, arguments, says):
    status, _, err = call("play", *arguments)
    assert status == 2
    assert says in err
    assert err.count("\n") == 1


def test_menu__numbers_every_choice_once():
    for n in (1, 6, 7, 35, 60):
        words = [f"choice number {i}" for i in range(n)]
        found = re.findall(r"(\d+) (choice number \d+)", menu(words))
        assert sorted((int(i), word) for i, word in found) == list(enumerate(words, 1))


# ---------------------------------------------------------------------------------------------------------
# At a real terminal
# ---------------------------------------------------------------------------------------------------------
class Terminal:
    """The command at a terminal of its own."""

    def __init__(self, *arguments):
        self.ours, theirs = pty.openpty()
        command = [sys.executable, "-m", "analysis", *arguments]
        self.process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True, close_fds=True
        )
        os.close(theirs)
        self.said = ""

    def until(self, words, seconds=60):
        end = time.monotonic() + seconds
        while words not in self.said:
            assert time.monotonic() < end, self.said
            self.said += os.read(self.ours, 65536).decode(errors="replace")

    def type(self, text):
        self.said = ""
        os.write(self.ours, text.encode())

    def status(self):
        try:
            while chunk := os.read(self.ours, 65536):
                self.said += chunk.decode(errors="replace")
        except OSError:  # the other end is closed
            pass
        os.close(self.ours)
        return self.process.wait(60)


def test_terminal__watch_and_play_answer_enter_q_and_ctrl_c():
    watching, playing = Terminal(*WATCH), Terminal(*PLAY)
    watching.until("-- 1 of ")
    watching.type("\n")
    watching.until("-- 2 of ")
    watching.type("q\n")
    assert watching.status() == 0
    playing.until("or q: ")
    playing.type("1\n")
    playing.until("or q: ")
    os.kill(playing.process.pid, signal.SIGINT)
    assert playing.status() == 130
    assert "meeplecarlo: interrupted" in playing.said
    assert "Traceback" not in playing.said
