"""What a page is told of a game: the state as its seats see it, whole, at every change.

Everything that depends on hidden pieces is made from the `SeatView` of the page's seats, which does not hold what
they may not know.
"""

from typing import TYPE_CHECKING, Any

from tools.board import scenes

if TYPE_CHECKING:
    from tools.board.chairs import Chair, Fault
    from tools.board.game import Game


def state(game: "Game", chair: "Chair | None") -> dict[str, Any]:
    """The game as a chair sees it, or, without one, as a watcher does."""
    mine = "" if chair is None else chair.party.seats
    eyes = game.seating.eyes_of_host if chair is None else chair.party.viewer
    common = {
        "type": "game",
        "game": game.number,
        "variant": game.board.variant,
        "visibility": game.seating.visibility.value,
        "phase": game.phase,
        "mine": mine,
        "eyes": eyes,
        "seats": {seat: _about(game, other, seat) for other in game.chairs for seat in other.party.seats},
        "paused": game.is_paused,
        "pace_ms": game.pace_ms,
        "limit": game.seating.rules.no_contact,
        "fault": None if game.fault is None else _about_fault(game.fault),
        "result": game.result,
        "ending": None if game.result is None else game.ending.value,
        "detail": game.detail,
        "saved": None if game.path is None else str(game.path),
        "offer": _about_offer(game, chair),
        "may": {
            "take_back": chair is not None and game.last_move_of(chair) is not None,
            "pause": game.persons <= 1,
            "resign": chair is not None and game.phase == "playing" and game.is_alive(chair),
        },
    }
    if game.truth is None:
        own = {seat: scenes.places(game.board, seat) for seat in mine}
        drafts = {seat: game.drafts[seat] for seat in mine}
        return common | {"pieces": scenes.backs(game.board), "places": own, "drafts": drafts}
    view = game.truth.view(eyes)
    targets = scenes.targets(view, mine) if game.result is None else {}
    return common | scenes.scene(view) | {"targets": targets, "moves": list(game.truth.moves)}


def _about(game: "Game", chair: "Chair", seat: str) -> dict[str, Any]:
    is_here = chair.engine is not None if chair.party.is_engine else bool(chair.pages)
    return {
        "who": chair.party.who,
        "name": chair.party.name,
        "seats": chair.party.seats,
        "ready": seat in game.lineups,
        "is_here": is_here,
        "is_thinking": game.thinking is chair and game.truth is not None and game.truth.turn == seat,
        "left_ms": chair.clock.shown_ms,
        "is_running": chair.clock.is_running,
    }


def _about_fault(fault: "Fault") -> dict[str, str]:
    return {"seats": fault.chair.party.seats, "code": fault.code, "text": fault.text}


def _about_offer(game: "Game", chair: "Chair | None") -> dict[str, Any] | None:
    if game.offer is None:
        return None
    offering, waited_for = game.offer
    return {"by": offering.party.seats, "to_me": chair in waited_for}
