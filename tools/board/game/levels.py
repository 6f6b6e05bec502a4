"""The levels of an engine that can limit its strength (`UCI_Elo`), from the weakest to full strength."""

LEVELS = ("beginner", "novice", "casual", "regular", "strong", "expert")
"""The names of the limited levels: their Elo lies at equal distances from the least to the largest `UCI_Elo`."""
FULL = "master"
"""The name of full strength, which has no Elo."""


def elo_of_levels(least: int, most: int) -> dict[str, int | None]:
    """By the name of a level, its Elo; None for full strength."""
    step = (most - least) / (len(LEVELS) - 1)
    limited: dict[str, int | None] = {name: round(least + number * step) for number, name in enumerate(LEVELS)}
    return limited | {FULL: None}


def options_of(elo: int | None) -> dict[str, str]:
    """The options of the protocol that limit an engine to an Elo; none for full strength."""
    return {} if elo is None else {"UCI_LimitStrength": "true", "UCI_Elo": str(elo)}
