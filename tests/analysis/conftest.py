"""The command line as its tests call it."""

import pytest

from analysis.cli import main


@pytest.fixture
def call(capsys):
    """Run a command: (status, stdout, stderr)."""

    def run(*arguments):
        status = main([str(a) for a in arguments])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


@pytest.fixture
def answers(monkeypatch):
    """Let input() give these lines, then the end of the input."""

    def give(*lines):
        left = iter(lines)

        def answer(prompt=""):
            print(prompt, end="")
            line = next(left, None)
            if line is None:
                raise EOFError
            if line is KeyboardInterrupt:
                raise KeyboardInterrupt
            return line

        monkeypatch.setattr("builtins.input", answer)
        return left

    return give
