"""What determines the games of a run. Games with the same settings, seed included, and the same number are the same."""

from dataclasses import asdict, dataclass, replace
from typing import Any

from junqi_engine.rules.board import BOARDS, Board
from junqi_engine.rules.options import Rules
from tools.training.selfplay.recipe import Mixture

MOST_PLIES = 65_535
"""The largest limit of plies; the format counts plies with two bytes."""
MOST_SEED = (1 << 63) - 1
MOST_SHARD = 10_000


@dataclass(frozen=True)
class Settings:
    """ValueError if a value is out of range.

    The first `random_plies` plies are random. After them, a searched move is drawn with probability `near_best` from
    the `near_lines` best moves that are at most `near_margin` (in hundredths of a Lieutenant) behind the best. Unless
    `is_adjudicated`, games are played out even if there is no doubt about them. `shard` is the number of games a file.
    """

    variant: str
    mixture: str
    seed: int = 1
    random_plies: int = 8
    near_best: float = 0.1
    near_lines: int = 4
    near_margin: int = 100
    max_plies: int = 1000
    is_adjudicated: bool = True
    shard: int = 50

    def __post_init__(self) -> None:
        if self.variant not in BOARDS:
            raise ValueError(f"variant: {self.variant!r} is not one of {', '.join(BOARDS)}")
        try:
            Mixture.parse(self.mixture)
        except ValueError as error:
            raise ValueError(f"mixture: {error}") from None
        limits = {
            "seed": (0, MOST_SEED),
            "random_plies": (0, MOST_PLIES),
            "near_lines": (1, 100),
            "near_margin": (0, 100_000),
            "max_plies": (1, MOST_PLIES),
            "shard": (1, MOST_SHARD),
        }
        for name, (least, most) in limits.items():
            value = getattr(self, name)
            if type(value) is not int or not least <= value <= most:
                raise ValueError(f"{name}: {value!r} is not a whole number from {least} to {most}")
        if not 0 <= self.near_best <= 1:
            raise ValueError(f"near_best: {self.near_best!r} is not from 0 to 1")

    @property
    def board(self) -> Board:
        return BOARDS[self.variant]

    @property
    def rules(self) -> Rules:
        return replace(Rules.of(self.board), max_plies=self.max_plies)

    def as_table(self) -> dict[str, Any]:
        """The settings by name, for the manifest."""
        return asdict(self)
