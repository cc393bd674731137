"""Runs with a budget: of games, of time, or until enough is known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.cells import MOST_PLAYOUTS
from analysis.sweep.stream import Plan, Stream, default_threads, make_plan, seconds_of
from analysis.tallies import Tallies
from analysis.until import Look, Until, Watch
from engine.errors import MOST_GAMES, whole_number
from engine.playouts import Playouts


class Kept:
    """Playouts in order, or their tallies once there are more than `most`."""

    def __init__(self, most: int = MOST_PLAYOUTS):
        self.most, self.games = most, 0
        self.parts: list[Playouts] = []
        self.tallies: Tallies | None = None

    def add(self, play: Playouts) -> None:
        """Add the next games."""
        self.games += len(play)
        if self.tallies is None and self.games > self.most:
            self.tallies = Tallies.empty(play)
            for part in self.parts:
                self.tallies.add(part)
            self.parts = []
        if self.tallies is None:
            self.parts.append(play)
        else:
            self.tallies.add(play)

    @property
    def result(self) -> Playouts | Tallies:
        """All of them."""
        return Playouts.join(self.parts) if self.tallies is None else self.tallies


@dataclass(frozen=True)
class Reached:
    """How far a run came, and why it ended there."""

    games: int
    deals: int
    seconds: float
    by: str  # "games", "time" or "until": what ended it
    look: Look | None = None  # the stop rule's last look

    def __str__(self) -> str:
        why = {"games": "the budget of games", "time": "the budget of time", "until": "what was asked for is known"}
        lines = [f"{self.games:,} games of {self.deals:,} deals in {self.seconds:.2f} s, ended by {why[self.by]}"]
        if self.look:
            lines.append(f"until {self.look}")
        if self.by == "until":
            lines.append("Where a rule ended the run, only its own interval is as sure as it says; others are a guide.")
        return "\n".join(lines)


@dataclass(frozen=True, eq=False)
class Run:
    """A result and how far it came."""

    result: Playouts | Tallies
    reached: Reached


def run_for(
    game: str,
    policies: Sequence[Any],
    *,
    games: int | None = None,
    time: str | float | None = None,
    until: Any = None,
    seed: int = 1,
    variant: str | Path | None = None,
    rules: Mapping[str, Any] | None = None,
    seats: str = "rotate",
    threads: int | None = None,
) -> Run:
    """Play as many games as a budget allows, or until enough is known.

    Parameters
    ----------
    game, policies, seed, variant, rules, seats, threads
        As in `engine.simulate`.
    games : int, optional
        The most games.
    time : str or float, optional
        The most time: ``"30s"``, ``"2m"``, ``"1.5h"`` or seconds. Compiling is not counted; a step that has begun is
        finished, and one block of 256 deals is always played.
    until : mapping or Until, optional
        A stop rule, see `analysis.until.Until`: ``{"metric": "seat_advantage", "half_width": 0.001}`` or
        ``{"metric": "win_rate", "decided": 0.99}``.

    Returns
    -------
    Run
        The `result` (playouts, or tallies of more than 200,000 games) depends on the seed and the number of games
        reached, and on nothing else; `reached` says how far it came and why.

    Raises
    ------
    ValueError
        If neither `games` nor `time` is given, or for a bad argument.
    """
    plan = make_plan(game, policies, seed, variant=variant, rules=rules, seats=seats)
    stream, watch = open_stream([plan], games, time, until, threads)
    kept, look = Kept(), None
    for (play,), is_look in stream:
        kept.add(play)
        if watch is not None:
            watch.add(play)
            if is_look and (look := watch.look()).met:
                break
    return Run(kept.result, reached(stream, watch, look, kept.games))


def open_stream(
    plans: Sequence[Plan], games: int | None, time: str | float | None, until: Any, threads: int | None
) -> tuple[Stream, Watch | None]:
    """A checked budget's stream and the watch of its stop rule."""
    if games is None and time is None:
        raise ValueError("games or time must be given: a run needs a budget")
    seconds = None if time is None else seconds_of(time)
    threads = default_threads() if threads is None else whole_number("threads", threads, 1)
    least = min(len(plan.seating) for plan in plans)
    deals = None if games is None else -(-whole_number("games", games, 1, MOST_GAMES) // least)
    watch = None if until is None else Watch(Until.of(until), deals)
    return Stream(plans, deals, seconds, threads), watch


def reached(stream: Stream, watch: Watch | None, look: Look | None, games: int) -> Reached:
    """How far a stream came; the last look is taken where it ended."""
    if look is not None and look.met:
        return Reached(games, stream.done, stream.elapsed, "until", look)
    return Reached(games, stream.done, stream.elapsed, stream.ended_by, watch.look() if watch else None)
