"""The contract of puzzles/junqi_puzzles/base.py, which every puzzle follows, and what is built on it."""

import time
from collections import Counter, defaultdict
from itertools import islice
from random import Random

import pytest

import junqi_puzzles.difficulty
from junqi_engine.errors import Refused
from junqi_puzzles.base import Limits, Search
from junqi_puzzles.difficulty import BOUNDS, Level, difficulty, generate
from junqi_puzzles.klotski import Klotski, Metric, from_rush_hour, rush_hour_cards
from junqi_puzzles.knights_tour import KnightsTour, Solution
from junqi_puzzles.knights_tour.board import Board
from junqi_puzzles.match3 import Match3, Rules
from junqi_puzzles.submarine import LEAVE, Submarine
from tests.helpers.marking import long_after, seeds
from tests.references.slow_knights import has_tour

CARS = Klotski(Metric.LINE, axis_locked=True)
PUZZLES = {
    "klotski": (Klotski(), ["ABBC/DEE./.FF. goal ..../..../.BB."]),
    "klotski line": (Klotski(Metric.LINE), [Klotski.start]),
    "klotski unit": (Klotski(Metric.UNIT), ["ABBC/DEE./.FF. goal ..../..../.BB.", "A=B/A.B/..C goal .../.../C.."]),
    "cars": (CARS, ["BBoooCDooEoCDAAEoCDooEooFoooGGFoHHHo"]),
    "submarine": (Submarine(), ["s:ne,s:s,s:nw/.,s:nw,s:nesw/m:e,b:nw,T", "s:sw,s:nwse,s:s/m:s,b:nw,s:se/T,.,s:sw"]),
    "match3": (Match3(), ["44252113/22355255/14141135/35414542/25245211/21124544/12115235/45253153"]),
    "match3 empty": (Match3(Rules(allows_empty_swap=True)), ["1.../2121/1212"]),
    "knights-tour": (KnightsTour(), ["5x6 start a1 end b1", "3x10 closed", "5x5 start a1 moves a1b3 b3d2"]),
}
EVERY = [(puzzle, text) for puzzle, texts in PUZZLES.values() for text in [puzzle.start, *texts]]
IDS = [f"{name} {number}" for name, (_, texts) in PUZZLES.items() for number in range(len(texts) + 1)]
CARDS = rush_hour_cards()
GEMS = "12312/23123/31231/12321"


def some_walk(puzzle, board, random, most=12):
    """The moves of a random game."""
    moves = []
    while len(moves) < most and not puzzle.is_solved(board) and (legal := puzzle.legal_moves(board)):
        moves.append(random.choice(legal))
        board = puzzle.play(board, moves[-1])
    return moves


@pytest.mark.parametrize(("puzzle", "text"), EVERY, ids=IDS)
def test_every_puzzle_is_read_and_played_in_the_same_way(puzzle, text):
    board = puzzle.parse(text)
    for seed in range(2):
        moves = some_walk(puzzle, board, Random(seed))
        boards = puzzle.boards(board, moves)
        assert len(boards) == len(moves) + 1
        assert puzzle.format(puzzle.play_all(board, moves)) == puzzle.format(boards[-1])
        for before, move, after in zip(boards, moves, boards[1:], strict=False):
            legal = puzzle.legal_moves(before)
            assert isinstance(move, str) and move in legal and len(set(legal)) == len(legal)
            assert puzzle.format(before) != puzzle.format(after) or move == LEAVE
            assert puzzle.format(puzzle.parse(puzzle.format(before))) == puzzle.format(before)
            assert all(isinstance(row, str) for row in puzzle.rows(after))
        assert puzzle.format(boards[0]) == puzzle.format(board), "a board never changes"
    for move in ("", "?", "a1", "a1a99", "Zuu", "zz1zz2", "é", "A" * 300):
        with pytest.raises(Refused) as error:
            puzzle.play(board, move)
        assert error.value.code in ("bad-move", "illegal-move") and "\n" not in str(error.value)
    assert puzzle.format(board) == puzzle.format(puzzle.parse(text))


@pytest.mark.parametrize(("puzzle", "text"), EVERY, ids=IDS)
def test_solution_is_legal_and_solves(puzzle, text):
    board = puzzle.parse(text)
    outcome = puzzle.solve(board, limits=puzzle.with_defaults(None))
    if text == Klotski.start and puzzle is CARS:
        assert outcome.is_unsolvable, "the block of 横刀立马 is square, so it has no axis"
        return
    (solution,) = outcome.solutions
    boards = puzzle.boards(board, solution.moves)
    for at, move in zip(boards, solution.moves, strict=False):
        assert move in puzzle.legal_moves(at) or text == "3x10 closed", "which may begin with any move"
    assert puzzle.variant == "match3" or [puzzle.is_solved(at) for at in boards].index(True) == len(solution.moves)


@pytest.mark.parametrize("puzzle", [puzzle for puzzle, _ in PUZZLES.values()], ids=PUZZLES)
def test_text_that_is_not_a_board_is_refused(puzzle):
    kinds_in_one_row = ("a", "..", "9x", "9999999x9999999")  # a board of match-3
    wrong = ("", " ", "/", "12/1", "A. goal B.", "?", "\n")
    for text in wrong if puzzle.variant == "match3" else wrong + kinds_in_one_row:
        with pytest.raises(Refused) as error:
            puzzle.parse(text)
        assert error.value.code in ("bad-position", "impossible-position", "too-large")


# Hints


SLIDING = ("klotski", "klotski line", "klotski unit", "cars", "submarine")


def random_positions(name, count):
    """This many positions of a kind that are not solved, each after a random game of its own."""
    puzzle, texts = PUZZLES[name]
    board = puzzle.parse(texts[0])
    for seed in seeds(count):
        random = Random(seed)
        while puzzle.is_solved(at := puzzle.play_all(board, some_walk(puzzle, board, random, random.randrange(200)))):
            pass
        yield puzzle, at


@pytest.mark.parametrize("name", SLIDING)
def test_hints_are_optimal_with_a_table_and_without(name):
    """The solver says of each move after which position the goal is nearer."""
    hints = searched = 0
    texts = set()
    for puzzle, at in random_positions(name, 5):
        hint = puzzle.hint(at, Search())
        assert hint.is_complete and hint.is_proven
        assert hint.left == puzzle.solve(at).steps
        nearer = [move for move in puzzle.legal_moves(at) if puzzle.solve(puzzle.play(at, move)).steps == hint.left - 1]
        assert list(hint.moves) == nearer
        if puzzle.variant == "klotski":
            fresh = Klotski(puzzle.metric, puzzle.axis_locked)
            short = fresh.hint(at, Search(Limits(nodes=20_000)))
            is_found = short.left == hint.left and short.moves[0] in hint.moves
            assert is_found if short.is_proven else short.left is None
            searched += short.is_proven
        hints += 1
        texts.add(puzzle.format(at))
    print(f"{name}: {hints} hints in {len(texts)} positions, {searched} also by a search without the table")


def test_hints_of_tours_agree_with_the_slow_twin():
    """Random paths on boards of which plain search can say whether a tour continues them."""
    puzzle, counts, texts = KnightsTour(), Counter(), set()
    failed = defaultdict(set)
    for seed in seeds(10):
        random = Random(seed)
        rows, columns = random.choice([(5, 5), (3, 7), (4, 5), (3, 8)])
        board = Board(rows, columns, ((random.randrange(rows), random.randrange(columns)),))
        best = puzzle.solve(board).solutions
        moves = best[0].moves[: random.randrange(rows * columns - 3)] if best else ()
        begun = puzzle.play_all(board, moves)
        at = puzzle.play_all(begun, some_walk(puzzle, begun, random, random.randrange(3)))
        if puzzle.is_solved(at):
            continue
        hint = puzzle.hint(at, Search())
        exists = has_tour(rows, columns, list(at.path), failed[rows, columns])
        assert hint.is_proven and bool(hint.moves) == exists
        after = {move: puzzle.play(at, move) for move in puzzle.legal_moves(at)}
        good = [move for move, to in after.items() if has_tour(rows, columns, list(to.path), failed[rows, columns])]
        assert list(hint.moves) == good if hint.is_complete or not good else hint.moves[0] in good
        assert hint.left == (at.squares - len(at.path) if exists else None)
        counts["all"] += hint.is_complete
        counts[exists] += 1
        texts.add((rows, columns, at.path))
    assert counts["all"]
    print(
        f"knights-tour: {counts[True]} hints, {counts[False]} paths that no tour continues, {len(texts)} different; "
        f"every good move known of {counts['all']}"
    )


def test_hint_on_a_large_board_writes_one_move(monkeypatch: pytest.MonkeyPatch) -> None:
    """Regression: `stop` waited for a million moves, although one was used."""
    monkeypatch.setattr(Solution, "moves", property(lambda solution: pytest.fail("all moves are written")))
    puzzle = KnightsTour()
    assert len(puzzle.hint(puzzle.parse("60x60"), Search()).moves) == 1


# Difficulty


@pytest.mark.parametrize("card", CARDS[::4], ids=lambda card: f"card {card.number}")
def test_cards_of_rush_hour_have_their_published_lengths(card):
    assert difficulty(CARS, CARS.parse(card.board)).steps == card.moves


def test_strings_of_rush_hour_with_another_car():
    text = "AA...OP..Q.OPXXQ.OP..Q..B...CCB.RRR."
    board = from_rush_hour(text, car="X")
    assert CARS.solve(board).steps == CARDS[0].moves
    assert CARS.canonical(board) == CARS.canonical(CARS.parse(CARDS[0].board))
    unlocked = Klotski(Metric.LINE)
    assert unlocked.format(unlocked.parse(CARDS[0].board)) == CARDS[0].board
    with pytest.raises(Refused, match="the car X must be in one row, not in 0"):
        from_rush_hour(text.replace("X", "Y"), car="X")
    with pytest.raises(Refused, match="no gates"):
        unlocked.parse(CARDS[0].board.replace("o", "=", 1))


def test_difficulty_counts_the_bits_of_the_choices():
    puzzle = Klotski(Metric.UNIT)
    # One block in a row: forwards or back, but at the left end only forwards.
    found = difficulty(puzzle, puzzle.parse("A... goal ...A"))
    assert (found.steps, found.choice_bits, found.traps) == (3, 2.0, 2 / 5)
    assert (found.states, found.farther, found.dead_ends, found.shortest) == (4, 0, 0, 1)
    assert found.level is Level.EASY
    assert str(found).startswith("easy steps 3 choice_bits 2.00 traps 0.40 shortest 1 states 4")
    assert [level for _, level in BOUNDS] == list(Level)[:-1]


def test_difficulty_refuses_unsolvable_and_undecided_positions():
    for puzzle, text in ((Klotski(), "A#. goal ..A"), (KnightsTour(), "21x21 start a1")):
        with pytest.raises(Refused) as error:
            difficulty(puzzle, puzzle.parse(text))
        assert error.value.code == "not-supported"


# New puzzles

KINDS = {
    "cars": (CARS, CARDS[0].board, {"level": Level.EASY}),
    "submarine": (Submarine(), Submarine.start, {"steps": 9}),
    "match3": (Match3(), GEMS, {"steps": 2}),
    "knights-tour": (KnightsTour(), "6x6", {"level": Level.EASY}),
    "klotski": (Klotski(), Klotski.start, {"level": Level.EASY}),
    "cars of some length": (CARS, CARDS[0].board, {"steps": 5}),
    "knights-tour closed": (KnightsTour(), "8x8 closed", {"steps": 10}),
}


@pytest.mark.parametrize("name", long_after(4, KINDS))
def test_new_puzzles_are_proven_and_differ(name):
    puzzle, text, wanted = KINDS[name]
    like, number = puzzle.parse(text), len(seeds(6))

    def some(seed, count):
        return list(islice(generate(puzzle, like, seed, **wanted), count))

    began_s = time.process_time()
    made = some(1, number)
    an_hour = 3600 * number / (time.process_time() - began_s)
    first, again, others = ([puzzle.format(one.board) for one in each] for each in (made[:2], some(1, 2), some(2, 2)))
    assert first == again != others
    assert len({puzzle.canonical(one.board) for one in made}) == len(made) == number
    for one in made:
        board = puzzle.parse(puzzle.format(one.board))
        limits = Limits(depth=wanted.get("steps"))
        assert puzzle.solve(board, limits=limits).is_optimal
        assert len(one.moves) == one.difficulty.steps == wanted.get("steps", len(one.moves))
        assert wanted.get("level") in (None, one.difficulty.level)
        assert puzzle.variant == "match3" or puzzle.is_solved(puzzle.play_all(board, one.moves))
    print(f"{name}: {number} new; {an_hour:.0f} an hour of processor time")


def test_symmetric_puzzles_count_as_one():
    puzzle = Klotski()
    texts = ["AB./..C goal .../..A", ".xy/z.. goal .../y..", "..C/AB. goal ..A/...", "A./B./.C goal ../../.A",
             "AB./..C goal .../.A."]  # fmt: skip
    names = [puzzle.canonical(puzzle.parse(text)) for text in texts]
    assert names[0] != names[4]
    assert Match3().canonical(Match3().parse("123/312")) == Match3().canonical(Match3().parse("213/132"))
    assert Match3().canonical(Match3().parse("123/312")) == Match3().canonical(Match3().parse("321/213"))


def test_generate_stops_and_refuses_impossible_requests():
    stop = bytearray(1)
    made = generate(CARS, CARS.parse(CARDS[0].board), 1, stop=stop)
    assert next(made)
    stop[0] = 1
    assert list(made) == []
    refused = [
        (KnightsTour(), "12x12", {"level": Level.EXPERT}, "not-supported"),
        (KnightsTour(), "1x1", {}, "bad-argument"),
        (KnightsTour(), "4x4", {}, "bad-position"),
        (KnightsTour(), "10000x10000", {}, "too-large"),
    ]
    for puzzle, text, wanted, code in refused:
        with pytest.raises(Refused) as error:
            next(generate(puzzle, puzzle.parse(text), 1, **wanted))
        assert error.value.code == code


@pytest.mark.parametrize(
    ("puzzle", "text", "wanted"),
    [
        (Klotski(), "A../... goal .../..A", {"level": Level.HARD}),
        (CARS, "AA./.../... goal .AA/.../...", {"level": Level.HARD}),
        (Match3(), "123/312/231", {}),
    ],
)
def test_generate_gives_up_if_new_puzzles_are_too_rare(monkeypatch, puzzle, text, wanted):
    monkeypatch.setattr(junqi_puzzles.difficulty, "MAX_SEARCH_S", 0.05)
    with pytest.raises(Refused, match=r"no new puzzle in 0 s of processor time") as error:
        next(generate(puzzle, puzzle.parse(text), 1, **wanted))
    assert error.value.code == "not-supported"
