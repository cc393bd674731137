"""Two rule sets, variants or line-ups on the same deals: paired differences of everything that is counted.

The streams of chance are keyed by seed and deal, so with one seed both sides have the same deals and dice (common
random numbers), and what they have in common cancels. Differences are taken deal by deal, or by group of deals for
tallies; how many games that saves against two unpaired runs is said with each.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from analysis import families, frames, stats
from analysis.counting import SIXTIETHS
from analysis.sweep.runs import Kept, Reached, open_stream, reached
from analysis.sweep.stream import make_plan
from analysis.tallies import Tallies, tally
from engine.playouts import Playouts

Result = Playouts | Tallies
PROPORTIONS = ("win_share", "first_player_advantage", "ties")  # of games
GAME_RATIOS = {
    "decisions": ("decisions", "playouts"),
    "options": ("options", "decisions"),
    "forced": ("forced", "decisions"),
    "ties": ("ties", "playouts"),
    "margin": ("lead", "playouts"),
}


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two results on the same deals, and the table of their differences (see `compare_results`)."""

    first: Result
    against: Result
    labels: tuple[str, str]
    frame: Any  # DataFrame
    correct: str
    level: float
    reached: Reached | None = None

    @property
    def saved(self) -> float:
        """Factor of games saved against unpaired play, the median over the rows that differ by chance."""
        saved = self.frame.saved[np.isfinite(self.frame.saved)]
        return float(saved.median()) if len(saved) else float("nan")

    @property
    def says(self) -> str:
        """What was done about there being many comparisons; after a stop rule there is only its own claim."""
        if self.reached is not None and self.reached.by == "until":
            return "a rule ended the run: only its own interval is as sure as it says, others are a guide"
        return families.says(self.correct, int((self.frame.p.notna() & (self.frame.se > 0)).sum()), self.level)

    def _repr_html_(self) -> str:
        return self.frame._repr_html_()


class _Rows(NamedTuple):
    """Sums by cluster of some rows, for both sides."""

    labels: list[dict[str, Any]]
    first: tuple[np.ndarray, np.ndarray]  # top and bottom, (clusters, rows)
    against: tuple[np.ndarray, np.ndarray]


def compare(
    game: str,
    policies: Sequence[Any],
    games: int | None = None,
    seed: int = 1,
    *,
    against: Mapping[str, Any] | None = None,
    against_policies: Sequence[Any] | None = None,
    against_variant: str | Path | None = None,
    variant: str | Path | None = None,
    rules: Mapping[str, Any] | None = None,
    seats: str = "rotate",
    time: str | float | None = None,
    until: Any = None,
    correct: str = "holm",
    level: float = 0.95,
    threads: int | None = None,
) -> Comparison:
    """Play two sides on the same deals and compare them.

    Parameters
    ----------
    game, policies, seed, variant, rules, seats, threads
        The first side, as in `engine.simulate`.
    games : int, optional
        The most games of each side; 100,000 if there is neither this nor `time`.
    against : mapping, optional
        All changed rules of the other side; ``{}`` is the game as printed. By default the same as `rules`.
    against_policies, against_variant : optional
        The other side's, by default the same. The line-ups must be of one length.
    time : str or float, optional
        The most time, for both sides together, as in `run_for`.
    until : mapping or Until, optional
        Stop when the difference of a metric is known or decided, valid at every look; see `analysis.until.Until`.
    correct : str
        ``"holm"``, ``"benjamini-hochberg"`` or ``"none"``; see `analysis.families`.
    level : float
        Confidence level of the intervals, each on its own, and of the correction.

    Returns
    -------
    Comparison

    Raises
    ------
    ValueError
        If both sides are the same, the line-ups differ in length, or for a bad argument.

    Examples
    --------
    >>> import analysis
    >>> analysis.compare("draftosaurus", ["greedy"] * 4, rules={"trio_points": 6}, against={}).frame
    """
    plans = [
        make_plan(game, policies, seed, variant=variant, rules=rules, seats=seats),
        make_plan(
            game,
            policies if against_policies is None else against_policies,
            seed,
            variant=variant if against_variant is None else against_variant,
            rules=rules if against is None else against,
            seats=seats,
        ),
    ]
    if len(plans[0].entries) != len(plans[1].entries):
        a, b = (len(plan.entries) for plan in plans)
        raise ValueError(f"against_policies must have as many entries as policies: {a}, not {b}")
    if plans[0].rules.values == plans[1].rules.values and plans[0].entries == plans[1].entries:
        raise ValueError("both sides are the same; give against, against_policies or against_variant")
    families.adjust([], correct)
    if games is None and time is None:
        games = 100_000
    stream, watch = open_stream(plans, games, time, until, threads)
    sides, look = (Kept(), Kept()), None
    for played, is_look in stream:
        for side, play in zip(sides, played, strict=True):
            side.add(play)
        if watch is not None:
            watch.add(*played)
            if is_look and (look := watch.look()).met:
                break
    first, second = _alike(sides[0].result, sides[1].result)
    frame = compare_results(first, second, correct=correct, level=level)
    far = reached(stream, watch, look, sum(side.games for side in sides))
    return Comparison(first, second, labels_of(first, second), frame, correct, level, far)


def labels_of(first: Result, against: Result) -> tuple[str, str]:
    """What tells the two sides apart, in words."""
    sides = (first, against)
    parts: list[list[str]] = [[], []]
    if first.variant != against.variant:
        parts = [[side.variant] for side in sides]
    values = [side.rules.values for side in sides]
    changed = dict.fromkeys(name for side in sides for name, by in side.rules.changed.items() if by == "override")
    names = [name for name in changed if values[0].get(name) != values[1].get(name)]
    for part, side, mine in zip(parts, sides, values, strict=True):
        part += [f"{name}={mine[name]}" for name in names if name in mine]
        if first.policies != against.policies:
            part.append(", ".join(side.policies))
    a, b = ("; ".join(part) for part in parts)
    return a or "first", b or "against"


def compare_results(first: Result, against: Result, *, correct: str = "holm", level: float = 0.95) -> Any:
    """Differences, first less against, of two results on the same deals.

    Parameters
    ----------
    first, against : Playouts or Tallies
        Of one game, seed, number of seats and the same deals. If one is tallies, both are treated as tallies.
    correct, level
        As in `compare`.

    Returns
    -------
    DataFrame
        Columns ``quantity, policy, source, first, against, saved, p, p_family``, then `analysis.stats.COLUMNS` of
        the difference; n counts deals. ``saved`` is the variance of the difference of two unpaired runs over that
        of this one, ``p`` that of no difference (Student's t), ``p_family`` is p adjusted for all rows. NaN in
        ``saved`` and ``p`` where nothing differs between clusters.

        - ``win_share`` (not where one policy sits everywhere), ``score``: of one seat of a policy; the first entries
          are paired with each other even if they are different policies ("planner | greedy"), others by name
        - ``points``, ``pieces``: of each source that both sides have
        - ``first_player_advantage``: win share of seat 0 less 1/seats
        - ``decisions`` a game, legal ``options`` a decision, proportions of ``forced`` decisions and of ``ties``,
          ``margin`` (the winner's lead)

    Raises
    ------
    ValueError
        If the results are not of the same deals.
    """
    first, against = _alike(first, against)
    sides = frames.clusters_of(first), frames.clusters_of(against)
    _check(first, against, *sides)
    parts, labels = [], []
    for rows in _all_rows(first, against, *sides):
        n = np.full(len(rows.labels), min(side.deals for side in sides))
        alone = [stats.ratio(*side, level=level) for side in (rows.first, rows.against)]
        ends = [rows.first, rows.against]
        if rows.labels[0]["quantity"] in PROPORTIONS:
            both = stats.proportion_difference(ends, deals=int(n[0]), n=n, level=level)
        else:
            both = stats.difference(ends, n=n, level=level)
        square = both.se**2
        saved = np.full(len(n), np.nan)
        np.divide(alone[0].se ** 2 + alone[1].se ** 2, square, out=saved, where=square > 1e-24)
        labels += [
            {**label, "first": a, "against": b, "saved": s}
            for label, a, b, s in zip(rows.labels, alone[0].estimate, alone[1].estimate, saved, strict=True)
        ]
        parts.append(both)
    found = stats.stack(parts)
    columns = {name: [label[name] for label in labels] for name in labels[0]}
    p = stats.p_values(found)
    return frames.table({**columns, "p": p, "p_family": families.adjust(p, correct)}, found)


def _alike(first: Result, against: Result) -> tuple[Result, Result]:
    """Both as tallies, if one of them is."""
    if isinstance(first, Tallies) != isinstance(against, Tallies):
        return tuple(r if isinstance(r, Tallies) else tally(r) for r in (first, against))  # type: ignore[return-value]
    return first, against


def _check(first: Result, against: Result, a: frames.Clusters, b: frames.Clusters) -> None:
    for name in ("game", "seed", "n_seats"):
        mine, other = getattr(first, name), getattr(against, name)
        if mine != other:
            raise ValueError(f"only results of one {name} can be paired, not of {mine!r} and {other!r}")
    same = a.deals == b.deals
    if same and isinstance(first, Playouts) and isinstance(against, Playouts):
        same = np.array_equal(np.unique(first.deal), np.unique(against.deal))
    elif same:
        mine, other = a.game_sums("playouts"), b.game_sums("playouts")
        same = len(mine) == len(other) and np.array_equal(mine * other[0], other * mine[0])
    if not same:
        raise ValueError(f"only results of the same deals can be paired, not of {a.deals:,} and {b.deals:,} deals")


def _all_rows(first: Result, against: Result, a: frames.Clusters, b: frames.Clusters) -> Iterator[_Rows]:
    pairs = _policy_pairs(first, against)
    sides = (a, b)
    games = [side.seat_sums("games").sum(2) for side in sides]
    columns = [[side.policies.index(pair[k]) for pair in pairs] for k, side in enumerate(sides)]
    names = [x if x == y else f"{x} | {y}" for x, y in pairs]

    def by_policy(quantity: str, of: str, scale: int) -> _Rows:
        tops = [side.seat_sums(of).sum(2)[:, c] for side, c in zip(sides, columns, strict=True)]
        bottoms = [g[:, c] * scale for g, c in zip(games, columns, strict=True)]
        return _Rows([_label(quantity, name) for name in names], (tops[0], bottoms[0]), (tops[1], bottoms[1]))

    if max(len(side.policies) for side in sides) > 1:
        yield by_policy("win_share", "sixtieths", SIXTIETHS)
    yield by_policy("score", "score", 1)
    yield from _source_rows(sides, games, columns, names)
    yield from _game_rows(sides)


def _source_rows(sides: Any, games: Any, columns: Any, names: list[str]) -> Iterator[_Rows]:
    common = [source for source in sides[0].sources if source in sides[1].sources]
    for of in ("points", "pieces"):
        sums = [side.source_sums(of)[:, :, [side.sources.index(s) for s in common]] for side in sides]
        for i, name in enumerate(names):
            ends = [
                (total[:, c[i]], np.repeat(g[:, c[i], None], len(common), 1))
                for total, g, c in zip(sums, games, columns, strict=True)
            ]
            yield _Rows([_label(of, name, source) for source in common], *ends)


def _game_rows(sides: Any) -> Iterator[_Rows]:
    seats = sides[0].n_seats
    ends = []
    for side in sides:
        games = side.game_sums("playouts")
        lead = side.seat_sums("sixtieths")[:, :, 0].sum(1) * seats - games * SIXTIETHS
        ends.append((lead[:, None], games[:, None] * (SIXTIETHS * seats)))
    yield _Rows([_label("first_player_advantage")], *ends)
    for quantity, (of, per) in GAME_RATIOS.items():
        ends = [(side.game_sums(of)[:, None], side.game_sums(per)[:, None]) for side in sides]
        yield _Rows([_label(quantity)], *ends)


def _label(quantity: str, policy: str | None = None, source: str | None = None) -> dict[str, Any]:
    return {"quantity": quantity, "policy": policy, "source": source}


def _policy_pairs(first: Result, against: Result) -> list[tuple[str, str]]:
    """The first entries, then all others that both line-ups have."""
    mine, other = frames.policies_of(first), frames.policies_of(against)
    if first.policies == against.policies:
        return [(name, name) for name in mine]
    lead = (mine[0], other[0])
    return [lead] + [(name, name) for name in mine if name in other and name not in lead]
