"""The pages that show a game. After every input each page gets the whole state, as its seats see it.

All that depends on hidden pieces is made from the `SeatView` of the page's seats, which does not contain what they may
not know.
"""

import time
from dataclasses import asdict
from typing import Any, Protocol

from junqi_board.access import SPECTATOR
from junqi_board.drawing import junqi
from junqi_board.drawing.story import Story, final_pieces
from junqi_board.errors import RequestError
from junqi_board.game.game import BoardGame, Fault, Phase, Player
from junqi_board.saving import SavedGame
from junqi_board.talk import Talk
from junqi_engine.notation.moves import NO_VIEWER, OPEN_VIEWER

FIELD_MARSHAL = "a"


class Page(Protocol):
    """A page in a browser, as a game sees it."""

    def send(self, message: dict[str, Any]) -> None: ...


class GamePages:
    """The pages of each party, by its seats; those of spectators; those of a host without a seat, under `""`."""

    def __init__(self, game: BoardGame, saved: SavedGame) -> None:
        self._game = game
        self._saved = saved
        groups = ("", SPECTATOR, *(party.seats for party in game.seating.parties))
        self._stories: dict[str, Story] = {}
        self._pages: dict[str, list[Page]] = {seats: [] for seats in groups}
        self.talk = Talk()
        self.ladder: dict[str, Any] = {}
        """The host's."""
        self.gain: dict[str, int] | None = None
        """What the game has changed of its rating, once it has counted."""
        self.is_practice = False

    def join(self, page: Page, seats: str) -> None:
        """A page has come for the seats of a party; one with any other seats is a spectator."""
        group = seats if seats in self._pages else SPECTATOR
        self._pages[group].append(page)
        page.send({"type": "board", **junqi.board_data(self._game.board)})
        if group != SPECTATOR:
            page.send(self.talk.as_message())

    def leave(self, page: Page) -> None:
        for pages in self._pages.values():
            if page in pages:
                pages.remove(page)

    def close(self) -> None:
        """Another game is shown: send nothing any more."""
        for pages in self._pages.values():
            pages.clear()

    def has_pages(self, seats: str) -> bool:
        return bool(self._pages[seats])

    def send(self, seats: str, message: dict[str, Any]) -> None:
        for page in self._pages[seats]:
            page.send(message)

    def story(self, seats: str) -> Story:
        """The game as the pages of a party may see it."""
        return self._story(self._viewer(seats))

    def send_state(self) -> None:
        for seats, pages in self._pages.items():
            if pages:
                self.send(seats, self._state(seats))

    def send_talk(self) -> None:
        """Send what was said to every page. What the persons say to each other is not for spectators."""
        for seats in self._pages.keys() - {SPECTATOR}:
            self.send(seats, self.talk.as_message())

    def send_notice(self, code: str, text: str, seats: str | None = None) -> None:
        """Tell the pages of a party something, or all pages."""
        for group in self._pages if seats is None else [seats]:
            self.send(group, {"type": "notice", "code": code, "text": text})

    def _state(self, seats: str) -> dict[str, Any]:
        game = self._game
        player = game.find_player(seats)
        viewer = self._viewer(seats)
        is_host = seats in ("", game.seating.host_seats)
        mine = "" if player is None else seats
        now_ms = 1000 * time.monotonic()
        common = {
            "type": "game",
            "game": game.number,
            "variant": game.board.variant,
            "visibility": game.seating.visibility.value,
            "phase": game.phase.value,
            "mine": mine,
            "eyes": viewer,
            "seats": {seat: self._seat(other, seat, now_ms) for other in game.players for seat in other.party.seats},
            "paused": game.is_paused,
            "limits": asdict(game.seating.rules),
            "fault": None if game.fault is None else self._fault(game.fault, is_host),
            "result": game.result,
            "ending": None if game.result is None else game.ending.value,
            "detail": game.detail,
            "saved": str(self._saved.path) if is_host and self._saved.path else None,
            "unsaved": self._saved.failure if is_host else None,
            "rematch": "".join(sorted(self.talk.wants_rematch)),
            "ladder": self.ladder if is_host else None,
            "gain": self.gain if is_host else None,
            "practice": self.is_practice,
            "offer": game.offer and {"by": game.offer.by, "to_me": seats in game.offer.waiting_for},
            "may": {
                "take_back": player is not None and game.take_back_ply(player) is not None,
                "pause": game.may_pause and seats != SPECTATOR,
                "hurry": player is not None and game.may_hurry and not game.is_hurried,
                "be_helped": game.person_count <= 1,
                "resign": player is not None and game.phase == Phase.PLAYING and game.is_alive(player),
            },
        }
        if game.truth is None:
            places = {seat: junqi.lineup_points(game.board, seat) for seat in mine}
            drafts = {seat: game.drafts[seat] for seat in mine}
            lineups = {"places": places, "drafts": drafts, "allowed": junqi.allowed_places()}
            return common | {"pieces": junqi.hidden_pieces(game.board)} | lineups
        scene = self._story(viewer).scenes[-1]
        view = game.truth.view(viewer)
        state = common | scene | {"moves": list(game.truth.moves), "targets": {}}
        if game.result is not None:
            return state | {"uncovered": self._uncovered()}
        return state | {"targets": junqi.targets(view, mine), "premoves": junqi.premoves(view, mine)}

    def _story(self, viewer: str) -> Story:
        game = self._game
        if game.truth is None:
            raise RequestError("too-early", "the game has not started")
        found = self._stories.setdefault(viewer, Story(viewer))
        found.follow(game.truth, lambda: game.truth_after(()))
        return found

    def _uncovered(self) -> dict[str, Any]:
        """What everybody may know when the game is over: all pieces."""
        scenes = self._story(OPEN_VIEWER).scenes
        return {"pieces": final_pieces(scenes), "removed": scenes[-1]["removed"]}

    def marshals_taken(self) -> int:
        """How many Field Marshals the host's pieces have removed."""
        if self._game.truth is None:
            return 0
        mine, removed = self._game.seating.host_seats, self._story(OPEN_VIEWER).scenes[-1]["removed"]
        return sum(one["may"] == FIELD_MARSHAL and one["seat"] not in mine and one["by"] in [*mine] for one in removed)

    def seen_by(self, seats: str) -> str:
        """The seats whose pieces the pages of a party see."""
        viewer = self._viewer(seats)
        return {OPEN_VIEWER: self._game.board.seats, NO_VIEWER: ""}.get(viewer, viewer)

    def _viewer(self, seats: str) -> str:
        if seats == SPECTATOR:
            return NO_VIEWER
        player = self._game.find_player(seats)
        return self._game.seating.host_viewer if player is None else player.party.viewer

    def _fault(self, fault: Fault, is_host: bool) -> dict[str, str]:
        """A fault. Its text may show commands and folders of the host's machine, which are not for guests."""
        name = self._game.player_of(fault.seats[0]).party.name
        text = fault.text if is_host else f"{name} ({fault.seats}): {fault.code}"
        return {"seats": fault.seats, "code": fault.code, "text": text}

    def _seat(self, player: Player, seat: str, now_ms: float) -> dict[str, Any]:
        game, party = self._game, player.party
        return {
            "who": party.who,
            "name": game.name_of(party),
            "is_named": bool(game.names.get(party.seats)),
            "elo": party.elo,
            "seats": party.seats,
            "ready": seat in game.lineups,
            "is_here": player.has_engine if party.is_engine else self.has_pages(party.seats),
            "is_thinking": game.thinking is player and game.truth is not None and game.truth.turn == seat,
            "remaining_ms": player.clock.remaining_at_ms(now_ms),
            "is_running": player.clock.is_running,
        }
