"""`import junqi_engine`: games, views, moves, records, rules, and what is refused."""

import doctest
import itertools
import json
import math
import random
import subprocess
import sys
import xml.etree.ElementTree
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import junqi_engine as junqi
from junqi_engine.api.game_record import GameRecord
from junqi_engine.env.observation import frame_of
from junqi_engine.information.view import redact
from junqi_engine.notation.drawing import draw_svg, draw_text
from junqi_engine.notation.fen import format_fen
from junqi_engine.notation.moves import parse_move
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.game_state import GameState
from junqi_puzzles import knights_tour, submarine
from junqi_puzzles.difficulty import generate
from junqi_puzzles.knights_tour.solver import KnightsTour
from junqi_referee.full_game import FullGame
from junqi_referee.records.replay import begin, verify
from tests.helpers.asynchronous import beside_the_loop
from tests.helpers.engine import SLACK
from tests.helpers.library import LINEUP, random_game, state_of
from tests.helpers.marking import long_after

ROOT = Path(__file__).parents[2]


# Importing


def test_importing_the_library_loads_neither_numba_nor_numpy() -> None:
    code = (
        "import sys, time; started = time.process_time(); import junqi_engine; took = time.process_time() - started; "
        "print(took, *sorted(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    took_s, *loaded = done.stdout.split()
    assert not {"numpy", "numba", "asyncio"} & set(loaded)
    assert float(took_s) < 0.030 * SLACK


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Gmae'"):
        junqi.Gmae  # noqa: B018
    assert set(junqi.__all__) <= set(dir(junqi))


ASK_ENGINES = {"Analysis", "CommandRejected", "Info", "Limit", "Patience", "PlayResult"}
"""Names whose examples start an engine each, as those of `Engine` do."""
NAMES = sorted(junqi.__all__, key=lambda name: name in ASK_ENGINES)


@pytest.mark.parametrize("name", long_after(len(NAMES) - len(ASK_ENGINES), NAMES))
def test_doctests_of_public_names_pass(name: str) -> None:
    thing = getattr(junqi, name)
    examples = [test for test in doctest.DocTestFinder(recurse=True).find(thing, name) if test.examples]
    assert any(test.name == name for test in examples), f"{name} has no example"
    for test in examples:
        out: list[str] = []
        found = beside_the_loop(doctest.DocTestRunner().run, test, None, out.append)
        assert found.failed == 0, "".join(out)


# Games


def test_game_prints_as_the_board() -> None:
    game = junqi.Game("luzhanqi", {"S": LINEUP, "N": LINEUP})
    assert str(game).splitlines() == [
        "12 Ni Nl Nh Nj Ng",
        "11 Nj Ni Nk Nj Nk",
        "10 Nf () Nc () Nd",
        " 9 Ni Ng () Ne Ng",
        " 8 Nh () Ne () Nd",
        " 7 Nh Na Nf Nb Nc",
        " 6 Sc Sb Sf Sa Sh",
        " 5 Sd () Se () Sh",
        " 4 Sg Se () Sg Si",
        " 3 Sd () Sc () Sf",
        " 2 Sk Sj Sk Si Sj",
        " 1 Sg Sj Sh Sl Si",
        "   a  b  c  d  e",
        "S to move",
    ]
    assert game.piece_at("a6") == junqi.Piece("S", "c")
    assert game.piece_at("b5") is None
    assert len(game.piece_map()) == 50
    assert (game.seats, game.teams, game.alive) == ("SN", ("S", "N"), "SN")
    assert (game.turn, game.quiet, game.ply()) == ("S", 0, 0)


@pytest.mark.parametrize(("variant", "first"), [("siguo", "S"), ("siguo", "W"), ("luzhanqi", "S"), ("luzhanqi", "N")])
def test_game_follows_the_rules(variant: str, first: str) -> None:
    """Nothing is added: the same moves on a `GameState` give the same position, drawing and views."""
    game = random_game(variant, 5, 120, first)
    board = BOARDS[variant]
    state = GameState.start(board, game.lineups, first=board.seats.index(first))
    for move in game.move_stack:
        state.play(parse_move(board, move).move)
    assert game.fen() == format_fen(state)
    assert game.svg() == draw_svg(state)
    for viewer in (*board.seats, *board.teams, "*"):
        view = redact(state, map(board.seats.index, board.seats if viewer == "*" else viewer))
        assert game.view(viewer).fen() == format_fen(view)
        assert str(game.view(viewer)).splitlines()[:-1] == draw_text(view)
    for picture in (game._repr_svg_(), game.view(game.teams[0])._repr_svg_()):
        assert xml.etree.ElementTree.fromstring(picture).tag.endswith("svg")


@settings(max_examples=8, deadline=None)
@given(st.sampled_from(list(BOARDS)), st.integers(0, 1000), st.integers(1, 200))
def test_pop_undoes_push(variant: str, seed: int, plies: int) -> None:
    game, rng = junqi.Game(variant, seed=seed), random.Random(seed)
    stack = []
    while not game.is_game_over() and game.ply() < plies:
        stack.append(state_of(game))
        move = game.push(
            rng.choice([*game.legal_moves, f"resign:{game.turn}"] if rng.random() < 0.02 else game.legal_moves)
        )
        assert move == game.peek() and move == game.move_stack[-1]
    moves = game.move_stack
    while stack:
        assert game.pop() == moves.pop()
        assert state_of(game) == stack.pop()
    with pytest.raises(IndexError):
        game.pop()


MARSHALS = {"S": "abfchdehgegidcfkjkijgjhli", "N": "cbfhadehgegidcfkjkijgjhli"}
"""On a6 and a7."""


def test_two_revealed_flags_are_read_in_either_order() -> None:
    seen = junqi.Game("luzhanqi", MARSHALS).push("a6a7")
    first, second = seen.flags
    other = f"a6a7=!{second}!{first}"
    assert seen == f"a6a7=!{first}!{second}"
    for play in (junqi.Game("luzhanqi", MARSHALS), junqi.View("luzhanqi", "S", {"S": MARSHALS["S"]})):
        play.push(other)
        assert play.peek() == seen
    game = junqi.Game("luzhanqi", MARSHALS)
    game.push(seen)
    assert junqi.Game.from_record(game.record().replace(seen, other)) == game
    assert verify(GameRecord.from_line(game.record().replace(seen, other))) is None
    with pytest.raises(junqi.IllegalMove, match="the outcome is"):
        junqi.Game("luzhanqi", MARSHALS).push(f"a6a7=!{first}!a12")


def test_move_is_legal_with_or_without_outcome() -> None:
    game = junqi.Game("luzhanqi", MARSHALS)
    for move, is_legal in (("a6a7", True), ("a6a7=!b1!b12", True), ("a6c9", False), ("resign:S", False), ("x", False)):
        assert (game.is_legal(move), move in game.legal_moves) == (is_legal, is_legal)
    assert game.legal_moves == list(game.legal_moves) and 7 not in game.legal_moves


def test_numpy_integers_are_accepted() -> None:
    one, game = np.int64(1), junqi.Game("luzhanqi", seed=np.int64(1))
    game.push(game.legal_moves[0])
    game.comments[one] = "A feint."
    assert junqi.Game.from_record(game.record(number=one)).comments == {1: "A feint."}
    assert json.loads(json.dumps(junqi.review(game, nodes=np.int64(1000), seed=one).as_table()))["seed"] == 1
    assert submarine.generate(np.int64(5), one) == submarine.generate(5, 1)
    [drawn] = itertools.islice(generate(KnightsTour(), KnightsTour().parse("5x5"), one), 1)
    assert drawn.board.rows == 5
    with junqi.Engine(options={"Seed": 1}) as engine:
        assert len(engine.analyse(game.view("N"), depth=one, multipv=one)) == 1


def test_objects_with_arrays_can_be_compared() -> None:
    assert frame_of("luzhanqi", 0) == frame_of("luzhanqi", 0) != frame_of("luzhanqi", 1)
    tours = [knights_tour.solve(knights_tour.parse([size])).solutions for size in ("5x5", "5x5", "6x6")]
    assert tours[0] == tours[1] != tours[2]


def test_missing_lineups_are_drawn_from_the_seed() -> None:
    one, two = junqi.Game("siguo", {"S": LINEUP}, seed=7), junqi.Game("siguo", {"S": LINEUP}, seed=7)
    assert one.lineups == two.lineups
    assert one.lineups["S"] == LINEUP
    assert len(set(one.lineups.values())) == 4
    assert junqi.Game("siguo", seed=8).lineups != one.lineups


def test_resignations_and_passes_are_played() -> None:
    game = junqi.Game("siguo", seed=1)
    assert game.push("pass:S").passed == "S"
    assert game.resign("N").resigned == "N"
    assert (game.turn, game.alive, game.ply()) == ("E", "SEW", 0)
    game.resign()
    assert game.resign("W") == "resign:W"
    assert (game.result, game.ending, game.legal_moves) == ("SN", "resigned", [])


# Views


def test_separate_view_follows_a_game() -> None:
    """A program that gets the moves of others, as on a server, knows what the game's own view knows."""
    game = random_game("siguo", 11, 150)
    for viewer in ("S", "EW", "*"):
        seats = game.seats if viewer == "*" else viewer
        view = junqi.View("siguo", viewer, {seat: game.lineups[seat] for seat in seats})
        for move in game.move_stack:
            assert view.push(move) == move
        assert state_of(view) == state_of(game.view(viewer))
        assert view.position_line() == game.view(viewer).position_line()


def test_piece_has_possible_kinds_and_belief() -> None:
    view = random_game("siguo", 11, 200).view("SN")
    for point, piece in view.piece_map().items():
        chances, possible = view.belief(point), view.possible(point)
        assert set(chances) == set(possible)
        assert sum(chances.values()) == pytest.approx(1.0, abs=1e-6)
        if piece.letter is not None:
            assert chances == {piece.letter: 1.0}


def test_belief_follows_later_moves() -> None:
    game, rng = random_game("luzhanqi", 3, 20), random.Random(3)
    view = game.view("S")
    for _ in range(6):
        afresh = game.view("S")
        assert all(view.belief(point) == afresh.belief(point) for point in view.piece_map())
        view.push(game.push(rng.choice(game.legal_moves)))


def test_view_of_game_from_fen_hides_other_seats() -> None:
    game = junqi.Game.from_fen(random_game("luzhanqi", 2, 6).fen())
    view = game.view("S")
    assert {piece.letter for piece in view.piece_map().values() if piece.seat == "N"} == {None}
    move = game.push(game.legal_moves[0])
    assert game.view("S").peek() == move
    assert view.ply() == 6
    assert junqi.View.from_fen(view.fen()).fen() == view.fen()


# Records


@pytest.mark.parametrize("variant", BOARDS)
@pytest.mark.parametrize(("seed", "plies"), long_after(3, [(6, 0), (6, 30), (6, 10_000), (0, 10_000), (1, 10_000)]))
def test_record_round_trips_through_the_referee(variant: str, seed: int, plies: int) -> None:
    """The referee finds the same result and ending."""
    game = random_game(variant, seed, plies)
    game.comments = {0: "开局", len(game.move_stack): "The last one."}
    names = {game.teams[0]: "小明", game.teams[1]: "x"}
    line = game.record(number=3, names=names)
    record = GameRecord.from_line(line)
    assert (record.game, record.engines) == (3, {seats: {"name": name} for seats, name in names.items()})
    if game.is_game_over():
        full = begin(record, "test")
        for move in record.moves:
            full.play(junqi.Move(move).bare)
        assert (game.result, game.ending) == (full.result, full.ending)
    again = junqi.Game.from_record(record.as_line())
    assert state_of(again) == state_of(game)
    assert (again.lineups, again.comments) == (game.lineups, game.comments)
    assert junqi.Game.from_record(json.loads(line)).record(number=3, names=names) == line


def test_record_keeps_first_seat_rules_and_events() -> None:
    game = junqi.Game("siguo", first="N", rules=junqi.Rules(no_contact=9, max_plies=50), seed=1)
    game.push(game.legal_moves[0])
    game.push("pass:W")
    game.resign("S")
    again = junqi.Game.from_record(game.record())
    assert (again.first, again.rules, again.move_stack) == ("N", game.rules, game.move_stack)


# Rules


@pytest.mark.parametrize(("variant", "limit", "loses"), [("siguo", 71, False), ("luzhanqi", 31, True)])
def test_missing_rules_default_to_the_variant(variant: str, limit: int, loses: bool) -> None:
    """Wherever a game begins: by itself, from a record or a FEN, as a view, or as an environment."""
    wanted, given = junqi.Rules(limit, loses, max_plies=500), junqi.Rules(max_plies=500)
    game = junqi.Game(variant, rules=given, seed=1)
    table = json.loads(game.record()) | {"rules": {"max_plies": 500, "version": 2}}
    env = junqi.env.aec(variant, rules=given)
    env.reset(seed=1)
    found = [
        game.rules,
        game.view("S").rules,
        junqi.Game.from_fen(game.fen(), rules=given).rules,
        junqi.Game.from_fen(game.fen(), rules=given).view("S").rules,
        junqi.View(variant, rules=given).rules,
        junqi.View.from_fen(game.view("S").fen(), rules=given).rules,
        junqi.Game.from_record(table).rules,
        junqi.Rules(**GameRecord.from_line(json.dumps(table)).rules),
        FullGame(variant, game.lineups, "S", given).rules,
        env.unwrapped.rules,
        env.unwrapped.view("S").rules,
        junqi.env.Batch(1, variant, rules=given).rules,
    ]
    assert found == [wanted] * len(found)


# What is refused, in our words, and changes nothing

REFUSED: list[tuple[Callable[[junqi.Game], object], type[junqi.Refused], str, str]] = [
    (lambda game: game.push("banana"), junqi.IllegalMove, "bad-move", "'banana' is not a move"),
    (lambda game: game.push("h1h2"), junqi.IllegalMove, "illegal-move", "h1h2: h1 is a headquarters"),
    (lambda game: game.push("z9z8"), junqi.IllegalMove, "bad-move", "z9 is not a point"),
    (lambda game: game.push(game.legal_moves[0] + "#S"), junqi.IllegalMove, "impossible-outcome", "the outcome is"),
    (lambda game: game.push("pass:E"), junqi.IllegalMove, "illegal-move", "S is to move"),
    (lambda game: game.resign("X"), junqi.IllegalMove, "bad-move", "X is not a seat"),
    (lambda game: game.view("SE"), junqi.BadPosition, "bad-position", "viewer 'SE' is not one seat"),
    (lambda game: game.piece_at("a1"), junqi.Refused, "bad-argument", "'a1' is not a point"),
    (lambda game: game.view("S").belief("h13"), junqi.Refused, "bad-argument", "no piece stands on h13"),
    (lambda game: game.view("S").possible("h13"), junqi.Refused, "bad-argument", "no piece stands on h13"),
    (lambda game: game.view("EW").legal_moves, junqi.IllegalMove, "not-our-seat", "S is to move"),
    (lambda game: game.svg(last_move="g6z9"), junqi.IllegalMove, "bad-move", "z9 is not a point of the board"),
    (lambda game: game.svg(last_move="resign:S"), junqi.IllegalMove, "bad-move", "'resign:S' has no points to draw"),
    (lambda game: game.svg(arrows=["g6"]), junqi.IllegalMove, "bad-move", "'g6' is not a move"),
    (lambda game: game.svg(orientation="X"), junqi.Refused, "bad-argument", "'X' is not one of S, E, N, W"),
    (lambda game: game.view("S").sample(1, by="luck"), junqi.Refused, "bad-argument", "'luck' is not one of belief"),
    (lambda game: junqi.review(junqi.Game.from_fen(game.fen())), junqi.Refused, "not-supported",
     "a game from a FEN cannot be reviewed: what its players have seen"),
    (lambda game: junqi.review(game, visibility="half"), junqi.Refused, "bad-argument",
     "visibility 'half' is not one of partner, dark, open"),
    (lambda game: junqi.review(game, nodes=10), junqi.Refused, "bad-argument", "nodes: 10 is less than 1000"),
    (lambda game: junqi.Move("banana"), junqi.IllegalMove, "bad-move", "^'banana' is not a move$"),
    (lambda game: junqi.Game("siguo", {"S": "x" * 25}), junqi.BadLineup, "bad-lineup", "S's line-up: letter 1 is 'x'"),
    (lambda game: junqi.Game("siguo", {"X": LINEUP}), junqi.Refused, "bad-argument", "'X' is not one of S, E, N, W"),
    (lambda game: junqi.Game("luzhanqi", first="E"), junqi.Refused, "bad-argument", "'E' is not one of S, N"),
    (lambda game: junqi.View("siguo", "SN", {"E": LINEUP}), junqi.BadPosition, "leak", "E is not in the viewer"),
    (lambda game: junqi.Game.from_fen("banana"), junqi.BadPosition, "bad-position",
     r"field board: 1 ranks, expected 17 \(siguo\) or 12 \(luzhanqi\)"),
    (lambda game: junqi.Game.from_fen(game.view("SN").fen()), junqi.BadPosition, "needs-open", "the viewer must be"),
    (lambda game: junqi.Game.from_record(json.loads(game.record()) | {"comments": {"9": "x"}}), junqi.Refused,
     "bad-file", r"comments: '9' is not the number of a move, from 0 to 8"),
    (lambda game: junqi.env.JunqiEnv().action_of("S", "zz"), junqi.IllegalMove, "bad-move", "'zz' is not a move"),
]  # fmt: skip


@pytest.mark.parametrize(("work", "kind", "code", "text"), REFUSED)
def test_refused_call_changes_nothing(work: Callable, kind: type, code: str, text: str) -> None:
    game = random_game("siguo", 2, 8)
    before = state_of(game)
    with pytest.raises(kind, match=text) as error:
        work(game)
    assert (type(error.value), error.value.code) == (kind, code)
    assert state_of(game) == before


@pytest.mark.parametrize(
    ("door", "text"),
    [
        (lambda game: game.svg(size=10**400), "size is larger than 9223372036854775807"),
        (lambda game: game.svg(size=-(10**5000)), "size is not at least 1"),
        (lambda game: game.view("S").sample(10**30), "n is larger than 9223372036854775807"),
        (lambda game: game.view("S").sample(-1), "n -1 is not at least 0"),
        (lambda game: junqi.review(game, nodes=10**30), "nodes is larger than 9223372036854775807"),
        (lambda game: game.record(number=-1), "number -1 is not at least 0"),
        (lambda game: game.record(number=1 << 63), "number is larger than 9223372036854775807"),
        (lambda game: junqi.Patience(float("nan")), "first_ready_s nan is not at least 0"),
        (lambda game: junqi.Patience(ready_s=-1), "ready_s -1 is not at least 0"),
        (lambda game: junqi.Limit(movetime_ms=0.5), "movetime_ms: 0.5 is not a whole number"),
        (lambda game: junqi.Limit(time_ms=math.inf), "time_ms: inf is not a whole number"),
    ],
)
def test_number_out_of_range_is_refused(door: Callable, text: str) -> None:
    with pytest.raises(junqi.Refused, match=f"^{text}$"):
        door(random_game("siguo", 2, 8))
