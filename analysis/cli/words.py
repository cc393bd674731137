"""Words that several commands print."""


def many(n: int, noun: str) -> str:
    """So many of a thing: 1 game, 2,000 games."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"
