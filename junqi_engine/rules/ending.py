"""How a game ended by the rules: a function of its state and of where the flags stood."""

from collections.abc import Mapping
from enum import StrEnum

from junqi_engine.rules.board import BLOCK_POINTS, LINEUP_INDICES, Board
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import contains, seats_of_team
from junqi_engine.rules.pieces import FLAG, LETTERS
from junqi_engine.rules.position import Result


class GameEnding(StrEnum):
    """The endings by the rules, by their names in records."""

    FLAG = "flag"
    """The last flag of a team was taken or bombed."""
    NO_MOVES = "no-moves"
    """The last seat of a team had no legal move; a draw if none of the remaining seats could ever move again."""
    RESIGNED = "resigned"
    NO_CONTACT = "no-contact"
    """Too many plies without a battle."""
    MAX_PLIES = "max-plies"


def ending_of(state: GameState, flags: Mapping[int, int]) -> GameEnding:
    """How a finished game ended; `flags` are the points of the flags at its start, by seat.

    ValueError if the game has not ended.
    """
    rules = state.rules
    if state.result == Result.ONGOING:
        raise ValueError("the game has not ended")
    if state.result == Result.DRAW:
        if rules.no_contact and state.quiet >= rules.no_contact:
            return GameEnding.NO_CONTACT
        is_at_max = rules.max_plies and state.ply >= rules.max_plies
        return GameEnding.MAX_PLIES if is_at_max else GameEnding.NO_MOVES  # no seat could ever move again
    losers = seats_of_team(1 if state.result == Result.TEAM_0 else 0)
    if state.alive & losers:
        return GameEnding.NO_CONTACT
    if not state.record:
        return GameEnding.NO_MOVES  # a position in which a whole team is eliminated
    last = state.record[-1]
    eliminated = [seat for seat in last.eliminated if contains(losers, seat)]
    if not eliminated:
        return GameEnding.RESIGNED
    # The owner of a captured flag is eliminated first; a seat eliminated after it had no legal move. Flags never move:
    # while the seat was in the game, no other piece can have stood on its flag's point.
    by_flag = last.is_ply and flags.get(eliminated[-1]) == last.to_point
    return GameEnding.FLAG if by_flag else GameEnding.NO_MOVES


def flags_of(board: Board, lineups: Mapping[str, str]) -> dict[int, int]:
    """The points of the flags of line-ups, which are by seat letter, by seat."""
    return {
        board.seats.index(letter): BLOCK_POINTS * board.seats.index(letter)
        + LINEUP_INDICES[lineup.index(LETTERS[FLAG])]
        for letter, lineup in lineups.items()
    }
