"""The reference, `analysis/REFERENCE.md`, from the docstrings, the parsers and the game's own tables.

``python -m analysis.reference`` prints it; ``--write`` writes the file, as ``make reference`` does.
"""

import argparse
import inspect
import re
import sys
import typing
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import UnionType
from typing import Any, Literal

from pydantic import BaseModel

FILE = Path(__file__).parent / "REFERENCE.md"
HEAD = """# Reference

Made from the docstrings by `make reference`; edit those, not this file. The README is the place to start.

- [Command line](#command-line)
- [Study files](#study-files)
- [Limits of the fairness card](#limits-of-the-fairness-card)
- [Games](#games)
- [Python: play games](#python-play-games)
- [Python: ask questions](#python-ask-questions)
- [Python: metrics](#python-metrics)
- [Python: pictures](#python-pictures)
"""
SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.MULTILINE)
Lines = Iterator[str]


def document() -> str:
    """The whole reference."""
    parts = [HEAD, *_commands(), *_study_keys(), *_limits(), *_games(), *_python()]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)).rstrip() + "\n"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


# ---------------------------------------------------------------------------------------------------------
# Command line, study files, limits, games
# ---------------------------------------------------------------------------------------------------------
def _commands() -> Lines:
    from analysis.cli import build

    _, commands = build()
    helps = {action.dest: action.help or "" for action in commands._choices_actions}
    yield "## Command line\n\nEach command has `--help`.\n"
    yield table(
        ["command", "does"], [[f"[`{name}`](#meeplecarlo-{name})", helps.get(name, "")] for name in commands.choices]
    )
    for name, parser in commands.choices.items():
        example = (parser.epilog or "").removeprefix("Example: ")
        yield f"### meeplecarlo {name}\n\n{parser.description}\n\n    {example}\n"
        rows = [[f"`{_option(a)}`", _help(a)] for a in parser._actions if not isinstance(a, argparse._HelpAction)]
        if rows:
            yield table(["argument", "meaning"], rows)


def _option(action: argparse.Action) -> str:
    """How an argument is written."""
    metavar = action.metavar or (action.dest.upper() if action.option_strings else action.dest)
    word = metavar if isinstance(metavar, str) else " ".join(metavar)
    if action.nargs == 0:
        word = ""
    elif action.nargs in ("+", "*"):
        word += " ..."
    return " ".join(x for x in (action.option_strings[0] if action.option_strings else "", word) if x)


def _help(action: argparse.Action) -> str:
    return (action.help or "").replace("%%", "%") + (" (needed)" if action.option_strings and action.required else "")


def _study_keys() -> Lines:
    from analysis import studyfile

    yield "## Study files\n\nA study is a TOML file; those in `analysis/studies/` are examples.\n"
    models: dict[str, type[BaseModel]] = {
        "Top level": studyfile.Document,
        "[[grid]]": studyfile.Block,
        "A line-up with a focus": studyfile.Focus,
        "[policies.NAME]": studyfile.Style,
        "[[compare]]": studyfile.Compare,
        "[sensitivity]": studyfile.Sensitivity,
    }
    for title, model in models.items():
        yield f"### {title}\n\n{_first(model)}\n"
        rows = [
            [f"`{name}`", _kind(field.annotation), _default(field), field.description or ""]
            for name, field in model.model_fields.items()
        ]
        yield table(["key", "value", "if left out", "meaning"], rows)


def _kind(annotation: Any) -> str:
    """A type in words."""
    origin, inner = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return _kind(inner[0])
    if origin in (typing.Union, UnionType):
        return " or ".join(_kind(x) for x in inner if x is not type(None))
    if origin is Literal:
        return ", ".join(f'`"{x}"`' for x in inner)
    if origin is list:
        kind = _kind(inner[0])
        return f"list of {kind + 's' if kind in ('table', 'whole number') else kind}"
    words = {str: "text", int: "whole number", float: "number", bool: "true or false", Any: "any", dict: "table"}
    return words.get(origin or annotation, "table")


def _default(field: Any) -> str:
    if field.is_required():
        return "needed"
    return "" if field.default in (None, [], {}, "", [{}]) else f"`{field.default}`"


def _limits() -> Lines:
    from analysis.thresholds import THRESHOLDS

    yield "## Limits of the fairness card\n\nA study's `[thresholds]` changes them by name.\n"
    rows = [[f"`{name}`", f"{x.default:g}", f"{x.low:g} to {x.high:,g}", x.meaning] for name, x in THRESHOLDS.items()]
    yield table(["name", "usually", "range", "meaning"], rows)


def _games() -> Lines:
    import engine

    yield "## Games\n"
    rows = []
    for name in engine.games():
        game = engine.load_game(name)
        page = f"[`{name}`](../engine/games/{name}/README.md)"
        players = "{} to {}".format(*game.seats)
        rows.append([page, game.title, players, ", ".join(engine.variants(game)), ", ".join(game.policies)])
    yield table(["name", "title", "players", "variants", "policies"], rows)


# ---------------------------------------------------------------------------------------------------------
# Python
# ---------------------------------------------------------------------------------------------------------
def _python() -> Lines:
    import analysis
    import engine
    from analysis import metrics, plots

    yield "## Python: play games\n"
    for name in engine.__all__:
        yield from entry(f"engine.{name}", getattr(engine, name))
    yield "## Python: ask questions\n"
    for name in analysis._HOME:
        if name not in metrics.__all__:
            yield from entry(f"analysis.{name}", getattr(analysis, name))
    yield f"## Python: metrics\n\n{markdown(inspect.getdoc(metrics))}\n"
    for name in metrics.__all__:
        yield from entry(f"analysis.{name}", getattr(analysis, name))
    yield f"## Python: pictures\n\n{markdown(inspect.getdoc(plots))}\n"
    for name in plots.__all__:
        yield from entry(f"analysis.plots.{name}", getattr(plots, name))


def entry(name: str, thing: Any) -> Lines:
    """The heading and docstring of a function, class or module."""
    text = markdown(inspect.getdoc(thing))
    if inspect.ismodule(thing):
        yield f"### {name}\n\n{text}\n"
        own = [
            n
            for n, x in vars(thing).items()
            if not n.startswith("_") and getattr(x, "__module__", "") == thing.__name__
        ]
        yield table(["function", "does"], [[f"`{n}`", _first(getattr(thing, n))] for n in own])
    elif inspect.isclass(thing):
        yield f"### {name}\n\n{text}\n"
        rows = [[f"`{n}`", _first(x)] for n, x in vars(thing).items() if not n.startswith("_") and _is_own(x)]
        if rows:
            yield table(["has", "which is"], rows)
    else:
        yield f"### {name}\n\n    {name}({_arguments(thing)})\n\n{text}\n"


def _is_own(thing: Any) -> bool:
    return callable(thing) or isinstance(thing, (property, classmethod, staticmethod))


def _first(thing: Any) -> str:
    """The first line of a docstring."""
    return (inspect.getdoc(thing) or "").split("\n")[0].replace("``", "`")


def _arguments(function: Any) -> str:
    """Names and defaults of the arguments."""
    parts, keyword_only = [], False
    for p in inspect.signature(function).parameters.values():
        if p.kind is p.KEYWORD_ONLY and not keyword_only:
            parts.append("*")
            keyword_only = True
        star = "*" if p.kind is p.VAR_POSITIONAL else "**" if p.kind is p.VAR_KEYWORD else ""
        keyword_only = keyword_only or star == "*"
        parts.append(f"{star}{p.name}" + ("" if p.default is p.empty else f"={p.default!r}"))
    return ", ".join(parts)


def markdown(text: str | None) -> str:
    """A docstring with NumPy's sections as Markdown."""
    found = SECTION.split((text or "").replace("``", "`"))
    parts = [found[0].strip()]
    for title, body in zip(found[1::2], found[2::2], strict=True):
        parts.append(f"**{title}**\n\n{_items(body.strip(chr(10)))}")
    return "\n\n".join(parts)


def _items(body: str) -> str:
    """Entries with indented text as a list; other text as it is."""
    if not re.search(r"^    ", body, re.MULTILINE):
        return "\n".join(f"- {line}" if line and " " not in line else line for line in body.splitlines())
    lines = []
    for line in body.splitlines():
        if line and not line.startswith(" "):
            name, colon, kind = line.partition(" : ")
            lines.append(f"- `{name}`{f', {kind}' if colon else ''}:")
        else:
            lines.append(line[2:] if line.startswith("    ") else line)
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print or write the reference."""
    parser = argparse.ArgumentParser(prog="python -m analysis.reference", description="The reference from docstrings.")
    parser.add_argument("--write", action="store_true", help=f"write {FILE.name}")
    if parser.parse_args(arguments).write:
        FILE.write_text(document(), encoding="utf-8")
    else:
        print(document(), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
