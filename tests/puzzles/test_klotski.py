"""Sliding-block puzzles as text and behind the protocol: reading, writing, moves, errors."""

import threading
import time
from itertools import permutations
from random import Random

import pytest

from junqi_protocol.catalogue import declared_options
from junqi_protocol.games.klotski import KlotskiGame
from junqi_protocol.options import Options
from junqi_protocol.variant_game import Control, GoRequest, Rejection
from junqi_puzzles import klotski
from junqi_puzzles.base import Ending, PuzzleError, Search
from junqi_puzzles.klotski.breadth_first import FIRST_GOAL
from junqi_puzzles.klotski.search import States, Stepper
from junqi_puzzles.klotski.solver import is_excluded
from junqi_puzzles.klotski.tables import tables_of
from tests.helpers.engine import DEADLINE_S, SLACK
from tests.helpers.sliding_boards import random_puzzle
from tests.references.slow_sliding import SlowSliding

GOAL = "..../..../..../.BB./.BB."
START = "ABBC/ABBC/DEEF/DGHF/I..J"
JAM = "####A#/BE.FF#/#EGG.#/#.GGI#/#HH.ID/#C#### goal ####C#/D....#/#....#/#....#/#....B/#A####"


def game(**options):
    values = Options(declared_options())
    for name, value in options.items():
        values.set(values.find(name.replace("_", " ")), value)
    return KlotskiGame("klotski", values)


def go(game, **request):
    lines = []
    move = game.go(GoRequest(**request), Control(lines.append))
    return move, lines


def rejection(game, words):
    before = game.describe()
    with pytest.raises(Rejection) as caught:
        game.set_position(words.split())
    assert game.describe() == before
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        (f"fen ABBC/ABB/DEEF/DGHF/I..J goal {GOAL}", "bad-position", "row 2 of the board has 3 cells, row 1 has 4"),
        (f"fen {START} goal ..../..../.BB./.BB.", "bad-position", "the goal is 4 x 4, the board 4 x 5"),
        (f"fen {START} goal ..../..../..../.ZZ./....", "bad-position", "the goal's piece Z is not on the board"),
        (f"fen {START} goal ..../..../..../.B../.BB.", "bad-position", "the piece B has another shape"),
        (f"fen {START} goal ..../..../..../..../....", "bad-position", "names no piece"),
        (f"fen A?BC/ABBC/DEEF/DGHF/I..J goal {GOAL}", "bad-position", "'?' in row 1, column 2 of the board"),
        (f"fen {START} goal {GOAL} gates z9", "bad-position", "z9 is not on the board"),
        (f"fen {START} goal {GOAL} gates b1", "bad-position", "there is no piece on b1"),
        (f"fen {START} goal {GOAL} gates 7", "bad-position", "'7' is not a square"),
        (f"fen {START} goal #.../..../..../.BB./.BB.", "bad-position", "the goal has a wall on a5"),
        ("fen A#/.. goal .A/..", "impossible-position", "stands in the wall on b2"),
        (f"fen {START} {GOAL}", "bad-position", "a position is"),
        ("fen", "bad-position", "a position is"),
        ("", "bad-argument", "startpos or fen"),
        ("fen " + "/".join(["A" + "." * 16]) + " goal " + "." * 16 + "A", "too-large", "17 x 1"),
        ("fen 1A9BF0C0", "bad-position", "a code has 9 hexadecimal digits, not 8: '1A9BF0C0'"),
        ("fen 1A9BF0C0G", "bad-position", "a code has 9 hexadecimal digits: '1A9BF0C0G'"),
        ("fen " + "o" * 35, "bad-position", "a Rush Hour string has 36 cells, not 35"),
        ("fen AA" + "o" * 35, "bad-position", "a Rush Hour string has 36 cells, not 37"),
        ("fen " + "B.B" + "." * 9 + "AA" + "." * 22, "impossible-position", "B on a6, c6 is no car: a car is straight"),
        ("fen " + "BB...." * 2 + "AA" + "." * 22, "impossible-position", "B on a6, b6, a5, b5 is no car"),
        ("fen " + "BB....B.....AA" + "." * 22, "impossible-position", "B on a6, b6, a5 is no car"),
        ("fen " + "B" + "." * 11 + "AA" + "." * 22, "impossible-position", "B on a6 is no car"),
        ("fen " + "A.A" + "." * 33, "impossible-position", "A on a6, c6 is no car"),
        ("fen " + "A" + "." * 35, "impossible-position", "A on a6 is no car"),
        ("fen FA9BF0C00", "impossible-position", "does not fit"),
        ("fen 155555555", "impossible-position", "does not fit"),
        ("startpos moves Z", "bad-move", "not a piece and its path"),
        ("startpos moves Zd", "illegal-move", "there is no piece Z"),
        ("startpos moves Gdx", "bad-move", "not a piece and its path"),
        ("startpos moves Bd", "illegal-move", "is taken"),
        ("startpos moves Gd Gdd", "illegal-move", "G may not go d"),
        ("startpos moves Gdu", "illegal-move", "ends where it began"),
    ],
)
def test_bad_input(words, code, text):
    error = rejection(game(), words)
    assert error.code == code
    assert text in str(error)


def test_moves_follow_the_metric():
    for metric, allowed in (("move", ["Gd", "Gdr", "Ir"]), ("line", ["Gd", "Irr"]), ("unit", ["Gd", "Ir"])):
        for move in ("Gd", "Gdr", "Irr", "Ir"):
            puzzle = game(Metric=metric)
            if move in allowed or (move, metric) in (("Irr", "move"), ("Ir", "line")):
                puzzle.set_position(["startpos", "moves", move])
            else:
                assert rejection(puzzle, f"startpos moves {move}").code == "illegal-move"


def test_hint_from_any_position_leads_on():
    puzzle = game()
    moves = []
    for left in range(81, 76, -1):
        puzzle.set_position(["startpos", "moves", *moves])
        move, lines = go(puzzle)
        assert any(f"score mate {left} " in line for line in lines)
        moves.append(move)


def test_solved_position():
    puzzle = game()
    puzzle.set_position(f"fen AEEC/AFGC/DHIF/DBBJ/.BB. goal {GOAL}".replace("DHIF", "DHIK").split())
    move, lines = go(puzzle)
    assert move == "(none)"
    assert any("score mate 0" in line for line in lines)


def test_unsolvable_is_proven():
    puzzle = game()
    puzzle.set_position(["fen", "AB..", "goal", "B..."])
    assert go(puzzle) == ("(none)", ["info string unsolvable proven by 6 states"])
    assert "dead-ends 6 states" in puzzle.evaluate(Control(print))


def test_parity_excludes_a_solution_at_once():
    puzzle = game()
    swapped = "ABCD/EFGH/IJKL/MON. goal ABCD/EFGH/IJKL/MNO."
    puzzle.set_position(f"fen {swapped}".split())
    reason = "proven by parity: an odd number of pieces has been exchanged"
    assert go(puzzle) == ("(none)", [f"info string unsolvable {reason}"])
    assert puzzle.hint(GoRequest(hint=True), Control(print)) == "(none)"


@pytest.mark.parametrize("goal", ["ABC/DE.", ".AB/CDE", "ABC/D..", "A.C/.ED", "AB#/CD.", "A#./BCD", "B#./AC."])
def test_parity_agrees_with_the_search(goal):
    """With walls, and with pieces that the goal does not name."""
    cells = [at for at, symbol in enumerate(goal) if symbol not in "#/"]
    orders = list(permutations("ABCDE"[: len(cells) - 1] + "."))
    for order in Random(1).sample(orders, 40):
        drawing = list(goal)
        for at, symbol in zip(cells, order, strict=True):
            drawing[at] = symbol
        board = klotski.parse(f"{''.join(drawing)} goal {goal}")
        tables = tables_of(board)
        states = States(Stepper(tables, klotski.Metric.MOVE), tables.key(board)[None, :], Search())
        is_unsolvable = states.run(FIRST_GOAL) is Ending.UNSOLVABLE
        assert is_excluded(board) == is_unsolvable if "#" not in goal else is_unsolvable >= is_excluded(board)


def test_multipv_gives_different_solutions_and_counts_all():
    puzzle = game(MultiPV=5)
    move, lines = go(puzzle)
    pvs = [line.partition(" pv ")[2] for line in lines if " pv " in line]
    assert len(set(pvs)) == 5 and pvs[0].split()[0] == move
    assert "info string solutions 256" in lines
    slow = SlowSliding(f"{START} goal {GOAL}")
    ways = set()
    for pv in pvs:
        moves = pv.split()
        ways.add(tuple(slow.canonical(slow.replay(moves[:count], "move")) for count in range(len(moves) + 1)))
        assert slow.is_goal(slow.replay(moves, "move"))
    assert len(ways) == 5


def test_too_large_keeps_what_is_known():
    puzzle = game(Hash=2)
    puzzle.set_position(f"fen {JAM}".split())
    lines = []
    with pytest.raises(Rejection) as caught:
        puzzle.go(GoRequest(), Control(lines.append))
    assert caught.value.code == "too-large"
    assert "states" in str(caught.value)
    assert any("sorted layers" in line for line in lines)


@pytest.mark.parametrize("megabytes", [256, 2])
def test_stop_answers_at_once(megabytes, tmp_path):
    puzzle = game(Hash=megabytes, Disk=str(tmp_path))
    names = klotski.board.NAMES[:12]
    rows = [names[:6], names[6:], *["......"] * 4]
    puzzle.set_position(f"fen {'/'.join(rows)} goal {'/'.join(['.' * 6] * 5)}/.....A".split())
    puzzle.set_position(["fen", "ABCDE/FGHIJ/KLMNO/.....", "goal", "ONMLK/JIHGF/EDCBA/....."])
    control = Control(lambda line: None)
    answers = []
    worker = threading.Thread(target=lambda: answers.append(puzzle.go(GoRequest(), control)))
    worker.start()
    time.sleep(1.0)
    started = time.perf_counter()
    control.stop()
    worker.join(DEADLINE_S)
    assert time.perf_counter() - started < 0.1 * SLACK
    assert answers == ["(none)"]
    assert not list(tmp_path.iterdir())


def test_limits_of_go():
    puzzle = game()
    assert go(puzzle, depth=80)[0] == "(none)"
    assert go(puzzle, depth=81)[0] == "Gd"
    assert go(puzzle, nodes=500)[0] == "(none)"
    with pytest.raises(Rejection):
        go(puzzle, searchmoves=("Gd",))
    with pytest.raises(Rejection):
        go(game(Method="dfs"))


def test_codes():
    board = klotski.from_code("1A9BF0C00")
    assert "/".join(board.rows()) == START
    assert klotski.to_code(board) == "1A9BF0C00"
    random = Random(4)
    for _ in range(50):
        moves = klotski.legal_moves(board)
        board = board.play(random.choice(moves))
        again = klotski.from_code(klotski.to_code(board))
        assert {(board.shape(cells), cells) for cells in again.pieces.values()} == {
            (board.shape(cells), cells) for cells in board.pieces.values()
        }
    with pytest.raises(PuzzleError):
        klotski.to_code(klotski.parse("A. goal .A"))


def test_axis_locked_option():
    text = "fen .B./.B./AA./... goal .../.../.AA/..."
    puzzle = game(Axis_Locked=True)
    puzzle.set_position(text.split())
    assert sorted(puzzle.legal()) == ["Ar"]
    puzzle.options.set(puzzle.options.find("Axis Locked"), False)
    puzzle.option_changed("Axis Locked")
    assert "Ad" in puzzle.legal()


@pytest.mark.parametrize("seed", range(5))
def test_random_play_through_the_game(seed):
    """Replay equals state, what is written is read back, legal moves are the slow twin's."""
    random = Random(seed)
    text, locked = random_puzzle(random)
    puzzle = game(Axis_Locked=locked)
    slow = SlowSliding(text, locked)
    pieces, moves = slow.start, []
    for _ in range(20):
        puzzle.set_position(["fen", *text.split(), *(["moves", *moves] if moves else [])])
        written = next(line for line in puzzle.describe() if line.startswith("fen "))
        assert str(klotski.parse(written[4:], locked)) == written[4:]
        assert SlowSliding(written[4:], locked).start == pieces
        legal = puzzle.legal()
        ends = sorted((move[0], sorted(after[move[0]])) for move, after in slow.successors(pieces, "move"))
        assert sorted((move[0], sorted(_played(slow, pieces, move)[move[0]])) for move in legal) == ends
        if not legal:
            break
        moves.append(random.choice(legal))
        pieces = _played(slow, pieces, moves[-1])


def _played(slow, pieces, move):
    for direction in move[1:]:
        pieces = slow.shifted(pieces, move[0], direction)
    return pieces
