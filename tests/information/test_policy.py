"""Policies: the rows of a move, the choices of games, the fit, and the command."""

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from junqi_engine.information.belief import policy
from junqi_engine.information.belief.policy import (
    AFTER,
    AGAIN,
    BACK,
    BEFORE,
    ENGINE,
    ENTERS,
    LEAVES,
    MEETS,
    MOST_ROWS,
    OTHERS,
    PEOPLE,
    POLICIES,
    ROWS,
    describe,
    load,
)
from junqi_engine.information.public_game import PublicClass, PublicGame
from junqi_engine.information.view import SeatView
from junqi_engine.notation.moves import parse_move
from junqi_engine.players.lineup_population import BY_WORTHS, draw_by_worths
from junqi_engine.rules.board import BOARDS, MAX_POINTS, SIGUO, Board
from junqi_engine.rules.layout import NO_PIECE, enemy_field, from_point_of, piece_in, to_point_of
from junqi_engine.rules.pieces import KINDS
from junqi_training.belief import policy as command
from junqi_training.belief.policy import Choices, choices_of, fit, main, measure, new_table, players_of
from junqi_training.games import RecordedGame, of_games, open_view
from junqi_training.selfplay.run import random_lineup
from tests.helpers.training import play_games, write_record

VARIANTS = pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
UNMOVED, MOVED, WINNER = PublicClass


def games(count: int) -> list[RecordedGame]:
    return list(play_games(count, "1.2", "1.1", 1))


def rows_of(moves: str, move: str, board: Board = SIGUO) -> set[int]:
    """The rows of a move, after some moves from the built-in line-ups; points as South sees them."""
    truth, public = SeatView.start(board, board.all_alive), PublicGame(board)
    for text in (*moves.split(), move):
        seen = parse_move(board, text)
        public.prepare(seen)
        if text != move:
            public.follow(truth.observe(seen))
    rows, seat = np.zeros(MOST_ROWS, np.uint16), np.uint8(public.position["turn"])
    points = np.uint8(seen.from_point), np.uint8(seen.to_point)
    count = describe(board.tables, public.position, public.trace, seat, enemy_field(seat), *points, rows)
    return set(rows[:count].tolist())


def at(name: str, board: Board = SIGUO) -> int:
    return board.point_named[name]


# Rows


def test_a_quiet_move_has_a_row_for_each_of_its_points() -> None:
    """South's first move, far from everybody, from the middle of its front row to the centre."""
    assert rows_of("", "i6i7") == {LEAVES + at("i6"), ENTERS + at("i7")}


def test_a_piece_that_moved_last_is_known() -> None:
    """g7 has moved: its seat moves it again, or takes it back."""
    moves = "g6g7 l7k7 g12g11 f9g9"
    assert rows_of(moves, "g7i7") >= {LEAVES + MAX_POINTS + at("g7"), AGAIN}
    assert BACK not in rows_of(moves, "g7i7")
    assert rows_of(moves, "g7g6") >= {AGAIN, BACK}
    assert not rows_of(moves, "k6k7") & {AGAIN, BACK}


def test_a_battle_and_its_neighbours_have_rows_by_what_they_have_shown() -> None:
    """South's piece has gone up to g9 and is about to attack f9, which has never moved.

       e  f  g  h
    9  .. W? S? ..
    """
    rows = rows_of("g6g9 l9k9 i12i11 f11g11", "g9f9")
    assert rows >= {MEETS + UNMOVED, ENTERS + MAX_POINTS + at("f9"), BEFORE + UNMOVED}
    assert not rows & {MEETS + MOVED, MEETS + WINNER, AFTER + WINNER}


# Choices


@VARIANTS
def test_the_choices_of_a_game_are_its_moves(board: Board) -> None:
    game = games(1)[0] if board.variant == "siguo" else _luzhanqi_game(board)
    choices, truth, number = choices_of([game], every=1), open_view(game), 0
    for seen in game.moves:
        moves = truth.legal_moves()
        if len(moves) > 1:
            of = slice(choices.first[number], choices.first[number + 1])
            assert moves[choices.chosen[number]] == seen.move
            occupied = [truth.position["board"][to_point_of(move)] != NO_PIECE for move in moves]
            assert (choices.rows[of, 1] >= ENTERS + MAX_POINTS).tolist() == occupied
            start = from_point_of(seen.move)
            kind = truth.position["kind"][piece_in(int(truth.position["board"][start]))]
            assert choices.kinds[of][choices.chosen[number]] == kind
            number += 1
        truth.observe(seen)
    assert number == len(choices) > 20


def test_the_policy_of_a_team_is_that_of_its_line_ups() -> None:
    rng = random.Random(1)
    ours, theirs = [draw_by_worths(rng, "siguo") for _ in range(2)], [random_lineup(rng) for _ in range(2)]
    lineups = {"S": ours[0], "N": ours[1], "E": theirs[0], "W": theirs[1]}
    game = RecordedGame(SIGUO, open_view(games(1)[0]).rules, lineups, [])
    assert [POLICIES[number] for number in players_of(game)] == [BY_WORTHS, OTHERS]


def test_whose_choices_they_are_can_be_said_by_the_names_of_engines() -> None:
    """Both teams of one game, once the first team alone, once with a policy for each."""
    first, second = POLICIES.index(PEOPLE), POLICIES.index(ENGINE)
    game = replace(games(1)[0], engines=("A", "B"))
    alone, both = choices_of([game], 1, {"A": first}), choices_of([game], 1, {"": second, "A": first})
    assert set(alone.players) == {first} and set(both.players) == {first, second}
    assert (both.players == first).sum() == len(alone) < len(both) == len(choices_of([game], 1))


def _luzhanqi_game(board: Board) -> RecordedGame:
    """A game of random moves."""
    rng = random.Random(1)
    lineups = {seat: random_lineup(rng) for seat in board.seats}
    game = RecordedGame(board, open_view(games(1)[0]).rules, lineups, [])
    truth = open_view(game)
    for _ in range(60):
        game.moves.append(truth.observe(parse_move(board, _bare(truth, rng))))
    return game


def _bare(truth: SeatView, rng: random.Random) -> str:
    move = rng.choice(truth.legal_moves())
    return truth.board.names[from_point_of(move)] + truth.board.names[to_point_of(move)]


# The fit


def planted(count: int, seed: int) -> Choices:
    """Choices by a policy that likes to meet winners and hates to go back, among random moves."""
    rng, moves = np.random.default_rng(seed), 12
    liked = rng.random((count * moves, 2)) < 0.2
    rows = np.zeros((count * moves, MOST_ROWS), np.uint16)
    rows[:, 0] = LEAVES + rng.integers(0, 30, count * moves)
    rows[:, 1] = np.where(liked[:, 0], MEETS + WINNER, ENTERS)
    rows[:, 2] = np.where(liked[:, 1], BACK, ENTERS)
    worth = 2.0 * liked[:, 0] - 2.0 * liked[:, 1]
    chosen = np.argmax(worth.reshape(count, moves) + rng.gumbel(size=(count, moves)), axis=1)
    kinds = rng.integers(0, 9, count * moves, np.uint8)
    lengths = np.full(count * moves, 3, np.uint8)
    numbers = np.arange(count) % 20
    return Choices(kinds, rows, lengths, moves * np.arange(count + 1), chosen, numbers, np.zeros(count, int))


@pytest.mark.long
def test_the_fit_finds_what_was_planted_and_depends_on_the_seed_alone() -> None:
    choices = planted(6000, 1)
    learned, held_out = (of_games(choices.games, is_held_out) for is_held_out in (False, True))
    first, again, other = new_table(), new_table(), new_table()
    losses = [agreement.loss for agreement in fit(first, choices, learned, 1)]
    assert losses[-1] < losses[0]
    worth = first[:, :9].mean(axis=1)
    assert worth[MEETS + WINNER] - worth[ENTERS] == pytest.approx(2.0, abs=0.4)
    assert worth[BACK] - worth[ENTERS] == pytest.approx(-2.0, abs=0.4)
    found, nothing = measure(first, choices, held_out), measure(new_table(), choices, held_out)
    assert nothing.loss == pytest.approx(np.log(12)) and found.loss < nothing.loss - 0.3
    assert found.top[0] > 2 / 12 and found.top[1] > found.top[0]
    list(fit(again, choices, learned, 1))
    list(fit(other, choices, learned, 2))
    assert first.tobytes() == again.tobytes() != other.tobytes()


# The command


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the command writes policies, instead of into the package."""

    def file_of(variant: str) -> Path:
        return tmp_path / f"policies-{variant}.npz"

    monkeypatch.setattr(policy, "policies_file", file_of)
    monkeypatch.setattr(command, "policies_file", file_of)
    load.cache_clear()
    return file_of("siguo")


@pytest.mark.long
def test_the_command_fits_reports_and_writes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, written: Path
) -> None:
    record = write_record(tmp_path / "games.jsonl", games(10))
    monkeypatch.setattr("junqi_training.belief.policy.SCARCE", 0)
    monkeypatch.setattr("junqi_training.belief.policy.FEWEST", 100)
    assert main([str(record), "--every", "2", "--write"]) == 0
    head, columns, everybody, *policies, last = capsys.readouterr().out.splitlines()
    assert head == "siguo: 10 games"
    assert columns.split()[0] == "policy" and everybody.split()[0] == "all"
    assert [line[:28].rstrip() for line in policies] == list(POLICIES)
    assert last == f"written: {written}"
    found = load("siguo")
    assert found.shape == (len(POLICIES), ROWS, KINDS)
    before, people = found[POLICIES.index("engine 3.2")], found[POLICIES.index(PEOPLE)]
    # The games have the line-ups of that engine. Nobody set up like people, so theirs is the policy of all.
    assert (before != people).any()
    assert main([str(record), "--every", "2", "--write", "--seed", "2"]) == 0
    assert (load("siguo")[POLICIES.index(PEOPLE)] == people).all()
    load.cache_clear()


@VARIANTS
def test_the_policies_of_the_package_tell_pieces_apart(board: Board) -> None:
    """They have numbers for every mobile kind, and none for landmines and flags."""
    found = load(board.variant)
    assert found.shape == (len(POLICIES), ROWS, KINDS)
    mobile = [kind for kind in range(KINDS) if found[:, :, kind].any()]
    assert len(mobile) == KINDS - 2


def test_a_policy_that_does_not_exist_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = write_record(tmp_path / "games.jsonl", games(1))
    assert main([str(record), "--player", "engines=SN"]) == 2
    assert "--player 'engines=SN': expected one of 'engine 3.3', " in capsys.readouterr().err
