"""Surprises: battles with an outcome that the belief found unlikely."""

from collections.abc import Iterator
from dataclasses import dataclass

from junqi_engine.api.game import Game
from junqi_engine.game_review.reviewed_game import ReviewedGame, is_battle
from junqi_engine.information.belief.opponents import belief
from junqi_engine.notation.moves import parse_move
from junqi_engine.rules.game_state import SeenMove
from junqi_engine.rules.layout import piece_in, seat_of, slot_of
from junqi_engine.rules.pieces import BATTLES, LETTERS

SURPRISING = 0.1
"""An outcome with a lower probability is a surprise."""
MAX_SURPRISES = 8


@dataclass(frozen=True)
class Surprise:
    """A battle that a player did not expect: the `step`, the `seat`, `point` and `letter` of the enemy's piece, and the
    probability of the outcome by the player's belief before the battle.
    """

    step: int
    player: str
    seat: str
    point: str
    letter: str
    chance: float


def surprises_of(game: ReviewedGame) -> tuple[Surprise, ...]:
    """The largest surprises of a game, the least likely first."""
    at = game.before(0)
    found: list[Surprise] = []
    for step, text in enumerate(game.steps):
        seen = parse_move(game.board, text)
        if is_battle(seen):
            at = game.before(step, at)
            found += _surprises_in(game, at, step, seen)
    return tuple(sorted(found, key=lambda surprise: surprise.chance)[:MAX_SURPRISES])


def _surprises_in(game: ReviewedGame, at: Game, step: int, seen: SeenMove) -> Iterator[Surprise]:
    """The surprises of the next battle, for each player who sees one of the two pieces."""
    board, position = game.board, at.state.position
    attacker, defender = (piece_in(int(position["board"][point])) for point in (seen.from_point, seen.to_point))
    kinds = {piece: int(position["kind"][piece]) for piece in (attacker, defender)}
    for player, view in game.views(at).items():
        if view.sees(seat_of(attacker)) == view.sees(seat_of(defender)):
            continue
        hidden, point = (defender, seen.to_point) if view.sees(seat_of(attacker)) else (attacker, seen.from_point)
        chance = 0.0
        for kind, share in enumerate(belief(view)[seat_of(hidden)][slot_of(hidden)]):
            assumed = kinds | {hidden: kind}
            chance += float(share) * (BATTLES[assumed[attacker]][assumed[defender]].outcome == seen.outcome)
        if chance < SURPRISING:
            letter = LETTERS[kinds[hidden]]
            yield Surprise(step, player, board.seats[seat_of(hidden)], board.names[point], letter, chance)
