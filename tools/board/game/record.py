"""A game of the board as a record of the referee."""

from dataclasses import asdict

from tools.board.game.state import Game
from tools.referee.records.game_record import GameRecord


def record_of(game: Game) -> GameRecord:
    """The game so far; the ending of an unfinished game is `interrupted`."""
    engines = {}
    for player in game.players:
        party = player.party
        command = " ".join(party.program.command) if party.program else ""
        options = {"Player": party.player} if party.player else {}
        engines[party.seats] = {"name": party.name, "command": command, "options": options}
    fault = "" if game.fault is None else game.fault.text
    return GameRecord(
        game=game.number,
        variant=game.board.variant,
        visibility=game.seating.visibility.value,
        engines=engines,
        seed=game.seed,
        rules=asdict(game.seating.rules),
        lineups=dict(game.lineups),
        first=game.seating.first,
        moves=list(game.truth.moves) if game.truth else [],
        times_ms=[ply.time_ms for ply in game.history],
        scores=[ply.score for ply in game.history],
        result=game.result or "draw",
        ending=game.ending,
        detail=game.detail or fault,
    )
