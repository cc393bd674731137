"""Progress of a sweep on stderr: a bar in a terminal, else a line every 30 seconds."""

import sys
import time
import warnings
from typing import Any

EVERY = 30.0
BAR = "{desc} {percentage:3.0f}%|{bar}| {n_fmt} of {total_fmt} games, {rate_fmt}, {remaining} left"


class Progress:
    """Counts games and cells; a context manager."""

    def __init__(self, games: int, cells: int, show: bool, what: str = "cells"):
        self.games, self.cells, self.show, self.what = games, cells, show, what
        self.done = self.cells_done = self.cells_failed = 0
        self.began = self.told = time.monotonic()
        self.news = ""
        self.bar: Any = None

    def __enter__(self) -> "Progress":
        if self.show and sys.stderr.isatty():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # tqdm's advice on notebooks without ipywidgets
                from tqdm.auto import tqdm

                self.bar = tqdm(total=self.games, unit=" games", unit_scale=True, bar_format=BAR, desc=self._cells())
        return self

    def __exit__(self, *problem: Any) -> None:
        if self.bar is not None:
            self.bar.close()

    def add(self, games: int) -> None:
        """Count games that were played."""
        self.done += games
        if self.bar is not None:
            self.bar.update(games)

    def cell_done(self, failed: bool = False) -> None:
        """Count a cell that is finished."""
        self.cells_done += not failed
        self.cells_failed += failed
        if self.bar is not None:
            self.bar.set_description_str(self._cells())

    def tick(self, news: str = "") -> None:
        """Where there is no bar, write a line if the last one is old, with what else there is to say."""
        now = time.monotonic()
        if self.bar is not None and news != self.news:
            self.news = news
            self.bar.set_description_str(self._cells() + (f"; {news}" if news else ""))
        if self.show and self.bar is None and now - self.told >= EVERY:
            self.told = now
            rate = self.done / (now - self.began)
            left = f"{(self.games - self.done) / rate:,.0f} s left" if rate else "time left unknown"
            print(
                f"{self._cells()}, {self.done:,} of {self.games:,} games, {rate:,.0f} a second, {left}"
                + (f"; {news}" if news else ""),
                file=sys.stderr,
                flush=True,
            )

    def _cells(self) -> str:
        failed = f", {self.cells_failed} failed" if self.cells_failed else ""
        return f"{self.cells_done} of {self.cells} {self.what}{failed}"
