"""The sessions that a server starts: of a new game, and of a saved one that is resumed."""

import secrets
from pathlib import Path

from junqi_engine.players import lineup_choice
from tools.board.engine_pool import EnginePool
from tools.board.game.record import resumed
from tools.board.game.seating import Seating
from tools.board.game.state import Game
from tools.board.internal_errors import InternalErrors
from tools.board.session.game_session import GameSession
from tools.board.session.saving import hold, remove_remains
from tools.referee.settings.settings import new_secret


def new_session(number: int, seating: Seating, pool: EnginePool, folder: Path, errors: InternalErrors) -> GameSession:
    """A session of a new game, whose pieces are to be set up."""
    drafts = {seat: lineup_choice.sensible(secrets.SystemRandom()) for seat in seating.board.seats}
    return GameSession(Game(number, seating, new_secret(), drafts), pool, folder, errors)


def resumed_session(
    number: int, name: str, variants: tuple[str, ...], pool: EnginePool, folder: Path, errors: InternalErrors
) -> GameSession:
    """A session of the saved game in the file `name`, which goes on in that file; `RequestError` if it cannot."""
    remove_remains(folder)
    held = hold(folder, name)
    try:
        game = resumed(held.record, number, pool.programs, variants)
        return GameSession(game, pool, folder, errors, held)
    except BaseException:
        held.release()
        raise
