"""Two kinds of truth: what a referee knows, and what a player may.

A game is played through the referee, with the player under test at one place and a script at the others. Then the
hidden line-ups are shuffled in ways that the public record allows, and the game is played again: what the player is
sent and what it answers, in the transcript, must stay the same to the byte, `time`, `nps` and `hashfull` apart. With
visibility `open` nothing is hidden, and nothing is to be shown. That what is sent cannot be used to compute what is
hidden is the subject of `test_secret_seed`.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from junqi_engine.api.game import Game
from junqi_engine.client.engine_client import Patience, Reply
from junqi_engine.game_review.evaluation import ReviewSettings as ReviewSettings
from junqi_engine.game_review.evaluation import StepEvaluator
from junqi_engine.game_review.reviewed_game import ReviewedGame
from junqi_engine.information.view import SeatView, redact
from junqi_engine.players.versions import NEWEST, VERSIONS
from junqi_engine.rules.board import BOARDS, Board
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.visibility import Visibility
from junqi_referee.playing.arbiter import Arbiter, GameRequest
from junqi_referee.playing.engine_process import EngineProcess
from junqi_referee.settings.schedule import PlannedGame
from junqi_referee.settings.settings import Lineups, MatchSettings
from tests.helpers.leaks import PLIES, SHUFFLES, Script, Seating, allowed, scripted_game
from tests.helpers.marking import long_after, release_after
from tests.helpers.referee import PROTOCOL, ROOT, scripted, settings

SECRET = "0123456789abcdef" * 2
QUICKLY = ("1.2", NEWEST)
"""The players whose leaks are looked for in every run of the tests."""
RARELY = pytest.mark.long, pytest.mark.release
PLAYERS = [
    pytest.param((variant, version), id=f"{variant}-{version}", marks=() if version in QUICKLY else RARELY)
    for variant in BOARDS
    for version in VERSIONS
]
TIMED = re.compile(r" (time|nps|hashfull) \d+")
PLACES = [
    *((board.variant, Visibility.PARTNER, seats) for board in BOARDS.values() for seats in board.teams),
    *(("siguo", Visibility.DARK, seat) for seat in BOARDS["siguo"].seats),
]


def settings_of(board: Board, visibility: Visibility, version: str) -> MatchSettings:
    options = {"Player": version, "Hash": "1"}
    engines = [{"name": name, "cmd": PROTOCOL, "dir": str(ROOT), "option": options} for name in ("one", "other")]
    return settings(*engines, each={"nodes": 120}, variant=board.variant, visibility=str(visibility), max_plies=PLIES)


@pytest.fixture(scope="module", params=PLAYERS)
def player(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[EngineProcess, Path]]:
    """A process that plays all places of a variant, one game after the other, and its transcript."""
    variant, version = request.param
    log = tmp_path_factory.mktemp("leaks") / f"{variant}-{version}.log"
    chosen = settings_of(BOARDS[variant], Visibility.PARTNER, version)

    def transcript() -> int:
        return os.open(log, os.O_CREAT | os.O_WRONLY | os.O_APPEND)

    player = EngineProcess(chosen.engines[0], variant, chosen.rules, None, Patience(), transcript)
    player.prepare()
    yield player, log
    player.close()


def test_positions_and_answers_do_not_depend_on_hidden_pieces(
    player: tuple[EngineProcess, Path],
) -> None:
    process, log = player
    board = BOARDS[process._match_options["UCI_Variant"]]
    version = dict(process.engine.options)["Player"]
    for variant, visibility, seats in PLACES:
        if variant != board.variant:
            continue
        chosen = settings_of(board, visibility, version)
        team = next(number for number, team in enumerate(board.teams) if seats[0] in team)
        number = board.teams[team].index(seats) if visibility == Visibility.DARK else 0
        seating = Seating(process, (chosen.engines[team].name, number))
        game, moves = scripted_game(board, 7)
        viewers = tuple(board.seats.index(seat) for seat in seats)
        # The player is asked for its own moves, but the game goes on by the script: so every world is the record's.
        seating.script = moves
        process.ask = _asked_but_scripted(process, moves)
        transcripts, hidden = set(), set()
        own = {letter: game.lineups[seat] for seat, letter in enumerate(board.seats)}
        for lineups in [own, *list(allowed(game, viewers, 5))[:SHUFFLES]]:
            arbiter = Arbiter(chosen, seating)
            at = log.stat().st_size
            plan = PlannedGame(1, 0, (0, 1), board.seats[0], tuple(lineups.items()), SECRET)
            record = arbiter.play(GameRequest(plan, frozenset()))
            assert record.moves == moves, record.detail
            transcripts.add(TIMED.sub("", re.sub(r"(?m)^\S+ ", "", log.read_text(encoding="utf-8")[at:])))
            hidden.add(tuple(lineups[seat] for seat in board.seats if seat not in seats))
        assert len(hidden) == 1 + SHUFFLES
        (transcript,) = transcripts
        assert transcript.count("> go nodes 120") >= PLIES // len(board.seats) - 1
        assert transcript.count("< bestmove ") == transcript.count("> go nodes 120")
        assert f"> setoption name Seed value {plan.seed_of(team, seating.place[1])}\n" in transcript
        assert SECRET not in transcript
        for letter, secret in own.items():
            assert (secret in transcript) == (letter in seats)


class Listener(EngineProcess):
    """Sent everything, but sets up the line-ups and plays the moves of a record."""

    script: Script

    def ask_lineup(self, viewer: str, seat: str, is_first: bool) -> str:
        super().ask_lineup(viewer, seat, is_first)
        return self.script.ask_lineup(viewer, seat, is_first)

    def ask(self, position: str, go: str, allowed_ms: float | None) -> Reply:
        super().ask(position, go, allowed_ms)
        return self.script.ask(position, go, allowed_ms)


@pytest.mark.parametrize("lineups_by", [Lineups.BOOK, Lineups.ENGINE])
@pytest.mark.parametrize(("variant", "visibility", "seats"), PLACES)
def test_bytes_to_engine_do_not_depend_on_hidden_lineups(
    variant: str, visibility: Visibility, seats: str, lineups_by: Lineups, tmp_path: Path
) -> None:
    """From the start of the process to its end: options, `Seed` and the result too."""
    board = BOARDS[variant]
    game, moves = scripted_game(board, 7)
    own = {letter: game.lineups[seat] for seat, letter in enumerate(board.seats)}
    team = next(number for number, team in enumerate(board.teams) if seats[0] in team)
    is_dark = visibility == Visibility.DARK
    place = board.teams[team].index(seats) if is_dark else 0
    told = tmp_path / "told"
    engines = [{"name": name, "cmd": scripted("writes_down", str(told))} for name in ("one", "other")]
    match = {"variant": variant, "visibility": str(visibility), "lineups": str(lineups_by), "max_plies": PLIES}
    chosen = settings(*engines, each={"st": 10}, **match)
    transcripts, hidden = set(), set()
    for lineups in [own, *list(allowed(game, tuple(map(board.seats.index, seats)), 5))[:SHUFFLES]]:
        told.unlink(missing_ok=True)
        listener = Listener(chosen.engines[team], variant, chosen.rules, None, Patience())
        listener.script = Script(moves, lineups)
        seating = Seating(listener, (chosen.engines[team].name, place))
        seating.script, seating.lineups = moves, lineups
        drawn = tuple(lineups.items()) if lineups_by == Lineups.BOOK else None
        plan = PlannedGame(1, (0, 1), (0, 1), board.seats[0], drawn, SECRET)
        record = Arbiter(chosen, seating).play(GameRequest(plan, frozenset()))
        listener.close()
        assert (record.moves, record.lineups) == (moves, lineups), record.detail
        transcripts.add(told.read_text())
        hidden.add(tuple(lineups[seat] for seat in board.seats if seat not in seats))
    assert len(hidden) == 1 + SHUFFLES
    (transcript,) = transcripts
    assert transcript.startswith("uci\n") and transcript.endswith("quit\n")
    assert transcript.count("setoption name Seed value ") == 1
    enemies = {other.seed for other in seating.others if other.engine.name != chosen.engines[team].name}
    assert enemies == {plan.seed_of(1 - team, other) for other in range(len(board.teams[1 - team]) if is_dark else 1)}
    for secret in (SECRET, *map(str, enemies), *(lineups[seat] for seat in board.seats if seat not in seats)):
        assert secret not in transcript


def _asked_but_scripted(process: EngineProcess, moves: list[str]) -> object:
    def ask(position: str, go: str, allowed_ms: float | None) -> Reply:
        EngineProcess.ask(process, position, go, allowed_ms)
        return Script(moves).ask(position, go, allowed_ms)

    return ask


@pytest.mark.parametrize("variant", BOARDS)
def test_view_has_no_hidden_data(variant: str) -> None:
    """All that players, belief and search are handed, field by field, for every set of seats that may be a viewer."""
    board = BOARDS[variant]
    game, _ = scripted_game(board, 8)
    viewers = {(seat,) for seat in range(len(board.seats))} | {
        tuple(map(board.seats.index, team)) for team in board.teams
    }
    for seats in sorted(viewers):
        view = _all_of(redact(game, seats))
        compared = 0
        for lineups in allowed(game, seats, 9):
            other = GameState.start(board, lineups)
            for seen in game.record:
                other.play(seen.from_point << 8 | seen.to_point)
            assert _all_of(redact(other, seats)) == view
            compared += 1
        assert compared > 5


@pytest.mark.parametrize(
    ("variant", "visibility", "seats"), [PLACES[0], *long_after(0, PLACES[-1:]), *release_after(0, PLACES[1:-1])]
)
def test_review_does_not_depend_on_hidden_pieces(variant: str, visibility: Visibility, seats: str) -> None:
    """Neither its fair values nor its better moves change if the line-ups that it cannot see are shuffled."""
    game, moves = scripted_game(BOARDS[variant], 7)
    values, hidden = set(), set()
    own = {letter: game.lineups[seat] for seat, letter in enumerate(game.board.seats)}
    viewers = tuple(game.board.seats.index(seat) for seat in seats)
    for lineups in [own, *list(allowed(game, viewers, 5))[:SHUFFLES]]:
        played = Game(variant, lineups, rules=game.rules)
        for move in moves:
            played.push(move)
        reviewed = ReviewedGame(played, visibility.value)
        evaluator = StepEvaluator(reviewed, ReviewSettings(1000))
        found = [evaluator.values_before(step) for step in range(len(moves) + 1)]
        own_choices = [one.choice for one in found if reviewed.player_of(one.turn) == seats]
        assert len(own_choices) >= PLIES // len(game.board.seats)
        values.add(repr(([one.fair.get(seats) for one in found], own_choices)))
        hidden.add(tuple(lineups[seat] for seat in game.board.seats if seat not in seats))
    assert len(hidden) == 1 + SHUFFLES
    assert len(values) == 1


def _all_of(view: SeatView) -> list[object]:
    fields = [view.position[name].tolist() for name in view.position.dtype.names]
    masks, relations = view.masks.tolist(), view.relations.tolist()
    return [*fields, masks, relations, view.revealed_flags, view.record, view.is_followed]
