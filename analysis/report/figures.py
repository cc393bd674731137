"""Pictures of a report: each an inline SVG with a text alternative."""

import re
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import pandas as pd

from analysis import plots
from analysis.cells import Cell
from analysis.plots import style
from analysis.report.evidence import Evidence
from analysis.report.numbers import listed


@dataclass(frozen=True)
class Figure:
    """A picture, its text alternative and what is written below it."""

    svg: str
    alt: str
    caption: str
    mark: tuple = ()  # what a fairness card finds it by


class Figures:
    """Draws the figures of one report and keeps the names inside their SVGs apart."""

    def __init__(self, found: Evidence):
        self.found, self.numbers = found, count(1)

    def _figure(self, axes: Any, alt: str, caption: str) -> Figure:
        prefix = f"f{next(self.numbers)}-"
        svg = style.to_svg(axes.figure, alt)
        svg = re.sub(r'\bid="', f'id="{prefix}', svg)
        svg = re.sub(r'(href="|url\()#', rf"\1#{prefix}", svg)
        svg = re.sub(r'(<svg\b[^>]*?) width="[^"]*"', r"\1", svg, count=1)
        svg = re.sub(r'(<svg\b[^>]*?) height="[^"]*"', r"\1", svg, count=1)
        return Figure(svg.replace("<svg", '<svg aria-hidden="true" focusable="false"', 1), alt, caption)

    def seats(self, policy: str, cells: list[Cell]) -> Figure:
        """Advantage of each seat by number of players."""
        parts = [self.found.of("seat_advantage", cell).assign(players=cell.players) for cell in cells]
        axes = plots.seat_advantage(pd.concat(parts, ignore_index=True))
        counts = listed(cell.players for cell in cells)
        alt = f"Win share of each seat less the even share, with 95 % intervals, for {counts} players of {policy}"
        return self._figure(axes, alt, f"{alt}. Diamonds mark the first player; 0 is even.")

    def margin(self, cell: Cell) -> Figure:
        """The share of games within so many points."""
        axes = plots.margin(self.found.of("margin", cell))
        alt = f"Share of games in which the winner leads by so many points at most, {cell.title}"
        return replace(self._figure(axes, alt, f"{alt}, with 95 % intervals."), mark=("closeness", cell.key))

    def strength(self, field: str, players: int, cells: list[Cell]) -> Figure:
        """Win share of each policy in focus against one field."""
        parts = [self.found.of("win_rates", cell).query("policy == @cell.focus") for cell in cells]
        axes = plots.win_rates(pd.concat(parts, ignore_index=True), players=players)
        others = f"{players - 1} {field}" if players > 2 else field
        alt = f"Win share of each policy against {others}, with 95 % intervals"
        return self._figure(axes, alt, f"{alt}.")

    def worth(self, cell: Cell, quantity: str, what: str) -> Figure:
        """One quantity of every source."""
        frame = self.found.of("source_values", cell)
        frame = frame[(frame.policy == cell.focus) & (frame.n > 0)]
        axes = plots.source_values(frame, quantity=quantity)
        alt = f"{what}, {cell.players} players of {cell.focus}, with 95 % intervals"
        return self._figure(axes, alt, f"{alt}.")

    def shapes(self, cell: Cell) -> Figure:
        """The distribution of points of every source."""
        frame = self.found.of("source_points", cell)
        values = self.found.of("source_values", cell)
        axes = plots.source_distribution(frame, policy=cell.focus, values=values)
        alt = f"How often each source gives how many points, {cell.players} players of {cell.focus}"
        return self._figure(axes, alt, f"{alt}. Diamonds mark the means.")

    def numbers_of(self, metric: str) -> list[Figure]:
        """Sobol indices and curves of one metric."""
        tables = (self.found.tables[f"sensitivity_{name}"] for name in ("indices", "curves"))
        indices, curves = (table[table.metric == metric] for table in tables)
        alt = f"Share of the variance of {metric} by rule number, with 95 % intervals"
        figures = (
            [self._figure(plots.sensitivity_indices(indices), alt, f"{alt}.")] if indices.estimate.notna().any() else []
        )
        alt = f"Change of {metric} as one number moves, with 95 % intervals"
        says = f"{alt}, on the same deals; a ring marks the value in the rules."
        return [*figures, self._figure(plots.sensitivity_curves(curves, label=metric), alt, says)]

    def restrictions(self, frame: Any, title: str) -> list[Figure]:
        """What bans cost, and what a share of random play costs."""
        figures = []
        for kind, draw, what in (
            ("ban", plots.restricted_play, "Win share that each ban costs"),
            ("random", plots.random_share, "Win share that playing at random costs"),
        ):
            if (frame.restriction == kind).any():
                alt = f"{what}, {title[0].lower()}{title[1:]}, with 95 % intervals"
                figures.append(self._figure(draw(frame), alt, f"{alt}."))
        return figures

    def winners(self, cell: Cell) -> Figure:
        """Points of winners and of the others by source."""
        axes = plots.winner_points(self.found.of("winner_points", cell))
        alt = f"Mean points of winners and of the others by source, {cell.players} players of {cell.focus}"
        return self._figure(axes, alt, f"{alt}, with 95 % intervals.")

    def winning(self, cell: Cell) -> Figure:
        """Win probability against the points of each source."""
        axes = plots.win_curves(self.found.of("win_model", cell), players=cell.players)
        alt = f"Probability of winning by the points of each source, a small plot for each, {cell.title}"
        return self._figure(axes, alt, f"{alt}, with 95 % intervals. Curves are drawn over the middle 98 % of points.")

    def filling(self, frame: Any, cell: Cell, moment: str) -> Figure:
        """Pieces placed in each source, turn by turn."""
        axes = plots.fill_times(frame, moment=moment)
        alt = f"Pieces that a seat places in each source in each {moment}, {cell.title}"
        return self._figure(axes, alt, f"{alt}. Darker is more.")

    def winning_board(self, told: Any, cell: Cell) -> Figure:
        """The winner's board at the end of a game."""
        share = told.result.share[0]
        seat = int(share.argmax())
        points = int(told.result.score[0, seat])
        alt = f"The board of seat {seat} at the end, {points} points, {cell.title}, seed {cell.seed}, game {told.index}"
        return self._figure(plots.board(told, seat=seat), alt, f"{alt}.")

    def differences(self, frame: Any, title: str) -> list[Figure]:
        """What a change does to the points of every source."""
        alt = f"Difference of points by source, {title}, with 95 % intervals"
        return [self._figure(plots.comparison(frame), alt, f"{alt}.")]
