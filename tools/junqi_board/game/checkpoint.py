"""The state of a game before an input, to which it returns if the input fails for an internal error."""

from dataclasses import dataclass
from typing import Any

from junqi_board.game.state import Game


@dataclass(frozen=True)
class Checkpoint:
    """All that an input may change: the fields of a game and of its players, and the moves."""

    fields: dict[str, Any]
    players: tuple[tuple[dict[str, Any], dict[str, Any]], ...]
    moves: tuple[str, ...] | None

    @classmethod
    def of(cls, game: Game) -> "Checkpoint":
        return cls(
            {name: _copy(value) for name, value in vars(game).items() if name not in ("truth", "players")},
            tuple((dict(vars(player)), dict(vars(player.clock))) for player in game.players),
            None if game.truth is None else tuple(game.truth.moves),
        )

    def restore(self, game: Game) -> None:
        """Give a game the state that it had; its position is made anew, because it may be half changed."""
        vars(game).update({name: _copy(value) for name, value in self.fields.items()})
        for player, (fields, clock) in zip(game.players, self.players, strict=True):
            vars(player).update(fields)
            vars(player.clock).update(clock)
        game.truth = None if self.moves is None else game.truth_after(self.moves)


def _copy(value: Any) -> Any:
    return value.copy() if isinstance(value, dict | list) else value
