"""The chapter on how boards fill: pieces by turn or round, and the board that won the study's first game."""

from collections.abc import Sequence
from typing import Any

import engine
from analysis import metrics
from analysis.cells import Cell
from analysis.report.figures import Figures
from analysis.report.numbers import estimate
from analysis.report.parts import Part, Table
from engine.games import load_game

TITLE = "How do boards fill?"
DEALS = 200
INTRO = (
    "How many {piece} a seat has in each source at the end, and the first {moment} after which half of them are there, "
    "in the first {deals} deals at most. The board is that of the winner of the first game."
)


def makers(game: str, piece: str, figures: Figures, cells: Sequence[tuple[str, Cell]]) -> tuple[str, list[Any]]:
    """What the chapter is about, and a part for each of these cells of one policy at every seat."""
    moment = load_game(game).text.MOMENT

    def part(setting: str, cell: Cell) -> Part:
        games = min(DEALS, cell.deals) * cell.per_deal
        told = engine.transcripts(game, cell.wanted, games, cell.seed, rules=cell.rules, seats=cell.seats)
        first = next(told)
        frame = metrics.fill_times([first, *told])
        rows = [
            _row(mine, moment) for _, mine in frame[frame.quantity == "placed_so_far"].groupby("source", sort=False)
        ]
        head = ["source", piece, f"half of them by {moment}", "games times seats"]
        drawn = [figures.filling(frame, cell, moment), figures.winning_board(first, cell)]
        return Part(f"{cell.players} players, all play {cell.focus} ({setting})", Table(head, rows), drawn)

    return INTRO.format(piece=piece, moment=moment, deals=DEALS), [lambda s=s, c=c: part(s, c) for s, c in cells]


def _row(mine: Any, moment: str) -> list[str | tuple[str, str]]:
    """One source, from its pieces after each turn or round."""
    end = list(mine.itertuples())[-1]
    half = next(row.moment for row in mine.itertuples() if row.estimate >= end.estimate / 2)
    return [end.source, estimate(end), f"{moment} {half}" if end.estimate > 0 else "-", f"{end.n:,}"]
