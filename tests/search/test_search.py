"""The search: against plain minimax, what it finds, how it keeps its limits, what it must not see."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

from junqi_engine.evaluation.parameters import packaged_parameters
from junqi_engine.information.belief import worlds
from junqi_engine.information.belief.marginals import uniform_marginals
from junqi_engine.information.view import SeatView, public_info, redact
from junqi_engine.information.world import positions_of_world
from junqi_engine.notation.fen import parse_fen
from junqi_engine.notation.moves import format_code
from junqi_engine.players import lineup_choice
from junqi_engine.players.events import choose_move
from junqi_engine.players.search_player import SearchPlayer
from junqi_engine.rules.board import BOARDS, SIGUO, Board
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import PIECES, contains, seat_of, slot_of
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import LETTERS, UNKNOWN
from junqi_engine.rules.position import Result
from junqi_engine.search.parameters import rank_moves
from junqi_engine.search.root import RootMove, SearchLimits
from tests.helpers.drawing import view_of
from tests.helpers.marking import long_after, times
from tests.helpers.search_pair import HAND_WRITTEN
from tests.helpers.search_positions import random_fen
from tests.references.slow_junqi import SlowGame
from tests.references.slow_search import Worth, minimax, values_of_moves

RUNNING = np.zeros(1, np.uint8)


def new_player(hash_mb: int, threads: int = 1, is_plain: bool = False) -> SearchPlayer:
    """With the hand-written evaluator. The values of a plain one are those of minimax."""
    player = SearchPlayer(hash_mb, threads, HAND_WRITTEN, uniform_marginals)
    for thread in player.search.threads if is_plain else ():
        thread.search["quiescence_plies"] = thread.search["is_selective"] = 0
    return player


@pytest.fixture(scope="module")
def player() -> SearchPlayer:
    return new_player(hash_mb=1)


@pytest.fixture(scope="module")
def plain_player() -> SearchPlayer:
    return new_player(hash_mb=1, is_plain=True)


def plain_values(player: SearchPlayer, view: SeatView, depth: int) -> list[int]:
    """The values at depths 1 to `depth` without quiescence and whatever else is selective."""
    kinds = view.position["kind"].reshape(1, 128)
    reports = player.search.iterate(view, kinds, view.legal_moves(), SearchLimits(depth=depth), RUNNING)
    found = [report.best[0].score for report in reports]
    # A search ends early where the end of the game is in sight or nothing is to choose.
    return found + found[-1:] * (depth - len(found))


def run(
    player: SearchPlayer, view: SeatView, drawn: np.ndarray, limits: SearchLimits, stop: np.ndarray = RUNNING
) -> list[RootMove]:
    """The best moves in some worlds."""
    *_, last = player.search.iterate(view, drawn, view.legal_moves(), limits, stop)
    return last.best


def slow_values(game: SlowGame, worth: Worth, depth: int) -> list[int]:
    return [minimax(game, plies, worth, seat_value(game.variant)) for plies in range(1, depth + 1)]


def seat_value(variant: str) -> int:
    return int(packaged_parameters(variant)["seat_value"])


def worth_at_root(view: SeatView) -> Worth:
    """The worths by seat, kind and point. ValueError where two pieces of a kind differ, as pressing depends on it."""
    position, evaluation = positions_of_world(view, view.position["kind"])[0], HAND_WRITTEN.new(1)[0]
    HAND_WRITTEN.refresh(view.board, position, public_info(view), evaluation)
    board = view.board
    worth: dict[tuple[str, str, str], int] = {}
    for piece in range(128):
        kind = int(position["kind"][piece])
        if kind != UNKNOWN and int(position["present"][piece >> 5]) >> (piece & 31) & 1:
            for point in board.points:
                where = board.seats[piece >> 5], LETTERS[kind], board.names[point]
                value = int(evaluation["piece_square"][piece, point])
                if worth.setdefault(where, value) != value:
                    raise ValueError(f"{where} has two values")
    return worth


@pytest.mark.bounds
@pytest.mark.parametrize("part", long_after(1, range(3)))
@pytest.mark.parametrize("variant", BOARDS)
def test_search_equals_plain_minimax(variant: str, part: int, plain_player: SearchPlayer) -> None:
    """With all pieces known, depths 1 to 3."""
    rng = random.Random(f"{variant} {part}")
    compared = 0
    while compared < times(4):
        fen = random_fen(BOARDS[variant], rng)
        try:
            view = parse_fen(BOARDS[variant], fen)
            game, worth = SlowGame.from_fen(fen, variant), worth_at_root(view)
        except ValueError:
            continue
        if game.result is not None or game.turn != fen.split()[1] or not 1 < len(game.legal()) <= 13:
            continue
        assert plain_values(plain_player, view, 3) == slow_values(game, worth, 3), fen
        compared += 1


def think(view: SeatView, player: SearchPlayer, seed: int = 0, skill: int = 20, **limits: int) -> list[RootMove]:
    return player.best_moves(view, seed, view.legal_moves(), SearchLimits(**limits), RUNNING, skill)


def best(view: SeatView, player: SearchPlayer, **limits: int) -> str:
    return format_code(SIGUO, think(view, player, **limits)[0].move)


def test_reachable_flag_is_captured(player: SearchPlayer) -> None:
    view = view_of("""
            g  h  i  k  q
        17  .. .. .. Eg ..
        10  .. .. .. .. El
         9  .. .. .. .. Ej
         8  .. .. .. .. Eh
         7  Sf .. .. .. ..
         6  Sh .. .. .. ..
         1  .. Sl .. .. ..
    """)  # fmt: skip
    lines = think(view, player, depth=5)
    assert lines[0].score > 29_000
    view = view_of("""
            h  p  q
        11  .. .. Eh
        10  .. Sf El
         1  Sl .. ..
    """)  # fmt: skip
    assert best(view, player, depth=1) == "p10q10"


def test_only_move_is_not_searched_deeper(player: SearchPlayer) -> None:
    """South's Lieutenant has one way; nobody knows East's pieces, so there are several worlds."""
    view = view_of(
        """
            g  h  q
        10  .. .. E?
         9  .. .. E?
         2  .. .. ..
         1  Sh Sl ..
    """,
        viewer="S",
    )
    assert best(view, player, nodes=50_000) == "g1g2"
    assert player.search.nodes < 1_000


@pytest.mark.parametrize("has_network", [False, True])
def test_pv_continues_after_elimination(player: SearchPlayer, has_network: bool) -> None:
    """South takes East's flag, and West plays on: the best reply is known, and what follows it."""
    view = view_of("""
            a  c  g  h  k  p  q
        12  .. .. .. .. Wd .. ..
        11  .. .. .. .. Eb .. ..
        10  Wl .. .. .. .. Sf El
         9  .. Wc Sc .. .. .. ..
         1  .. .. .. Sl .. .. ..
    """)  # fmt: skip
    kinds = view.position["kind"].reshape(1, 128)
    if has_network:
        player = SearchPlayer(1)
    best_move = run(player, view, kinds, SearchLimits(depth=5))[0].move
    seen = player.search.pv_after(best_move)
    assert format_code(SIGUO, best_move) == "p10q10"
    assert len(seen) >= 3
    assert [move.seat for move in seen[:3]] == [3, 0, 3]


def test_hidden_pieces_are_averaged_over_worlds(player: SearchPlayer) -> None:
    """A Lieutenant may be anything's prey, a Field Marshal nobody's but a bomb's: who attacks the unknown?"""
    drawing = """
            g  h  i  k  q
        10  .. .. .. .. E?
         8  .. .. .. .. E?
         7  .. .. E? .. ..
         6  .. .. {} .. ..
         1  .. Sl .. .. ..
    """
    weak = view_of(drawing.format("Sh"), viewer="S", masks="i7:ab")
    assert best(weak, player, depth=3) != "i6i7"
    strong = view_of(drawing.format("Sb"), viewer="S", masks="i7:ghi")
    assert best(strong, player, depth=3) == "i6i7"


def test_limits_are_kept_and_lines_are_ranked(player: SearchPlayer) -> None:
    view = SeatView.start(SIGUO, 0b0101)
    lines = think(view, player, nodes=3_000, lines=500)
    # The quiescence search that is under way ends before the limit is checked.
    assert player.search.nodes < 4_000
    assert [line.score for line in lines] == sorted((line.score for line in lines), reverse=True)
    assert len({line.move for line in lines}) == len(lines) == len(view.legal_moves())


@pytest.mark.parametrize("is_open", [False, True])
def test_reported_depth_is_of_last_completed_iteration(is_open: bool) -> None:
    """To complete it takes no more positions than were allowed, and the next one more."""
    view = SeatView.start(SIGUO, 0b1111 if is_open else 0b0101)
    drawn, moves, limit = worlds.sample_worlds(view, 1 if is_open else 4, 1), view.legal_moves(), 20_000
    player = new_player(hash_mb=4)
    found = player.search.iterate(view, drawn, moves, SearchLimits(nodes=limit), RUNNING)
    reports = [(report.depth, report.nodes) for report in found]
    depths, depth = [depth for depth, _ in reports], reports[-1][0]
    assert depths == [*range(1, depth + 1), depth]
    needed = []
    for each in (depth, depth + 1):
        run(player, view, drawn, SearchLimits(depth=each))
        needed.append(player.search.nodes)
    assert needed[0] == reports[-2][1] < limit < needed[1]


def test_search_ends_at_the_limit_of_plies() -> None:
    view = SeatView.start(SIGUO, 0b0101, rules=Rules(max_plies=2))
    reports = new_player(hash_mb=1).search.iterate(
        view, worlds.sample_worlds(view, 2, 1), view.legal_moves(), SearchLimits(), RUNNING
    )
    assert [report.depth for report in reports] == [1, 2, 3]


@pytest.mark.parametrize(("threads", "depth"), [(3, 3), (8, 3), (3, 0)], ids=["3", "8", "without a limit"])
def test_threads_find_the_result_of_one(threads: int, depth: int) -> None:
    """They share out the worlds, here five of them; eight have too few."""
    view, found = SeatView.start(SIGUO, 0b0101), []
    for count in (1, threads):
        player = new_player(hash_mb=8, threads=count, is_plain=True)
        limits = SearchLimits(depth=depth, lines=10)
        reports = player.search.iterate(view, worlds.sample_worlds(view, 5, 1), view.legal_moves(), limits, RUNNING)
        found.append(next(report.best for report in reports if report.depth == 3))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    "limits", [SearchLimits(depth=4, lines=3), SearchLimits(nodes=60_000, lines=3)], ids=["depth", "nodes"]
)
@pytest.mark.parametrize("threads", long_after(1, [3, 2]))
@pytest.mark.parametrize("variant", BOARDS)
def test_threads_are_reproducible(variant: str, threads: int, limits: SearchLimits) -> None:
    """The player that is played, in a table so small that positions compete for slots: all that it reports is the same
    in every run, also after other searches.
    """
    board = BOARDS[variant]
    view = SeatView.start(board, 0b0101 & board.all_alive)
    drawn = worlds.sample_worlds(view, 8, 1)
    reports: set[str] = set()
    for _ in range(2):
        player = SearchPlayer(1, threads)
        for _ in range(3):
            found = player.search.iterate(view, drawn, view.legal_moves(), limits, RUNNING)
            reports.add(str([(report, player.search.pv_after(report.best[0].move)) for report in found]))
            timed(view, player, 2)
    assert len(reports) == 1


STOPPED = np.ones(1, np.uint8)


@pytest.mark.parametrize(
    ("limits", "stop"), [(SearchLimits(lines=500), STOPPED), (SearchLimits(nodes=1, lines=500), RUNNING)]
)
@pytest.mark.parametrize("variant", BOARDS)
def test_static_values_rank_moves_before_first_iteration(
    variant: str, limits: SearchLimits, stop: np.ndarray, player: SearchPlayer
) -> None:
    rng = random.Random(variant)
    compared = 0
    while compared < 10:
        fen = random_fen(BOARDS[variant], rng)
        try:
            view = parse_fen(BOARDS[variant], fen)
            game, worth = SlowGame.from_fen(fen, variant), worth_at_root(view)
        except ValueError:
            continue
        if game.result is not None or game.turn != fen.split()[1] or len(game.legal()) < 2:
            continue
        values = values_of_moves(game, 1, worth, seat_value(variant))
        lines = player.best_moves(view, 0, view.legal_moves(), limits, stop)
        assert [line.score for line in lines] == sorted(values.values(), reverse=True)
        assert {format_code(BOARDS[variant], line.move): line.score for line in lines} == values, fen
        compared += 1


def test_unsearched_worlds_count_by_mean_static_value() -> None:
    view = SeatView.start(SIGUO, 0b0101)
    drawn = worlds.sample_worlds(view, 5, 1)
    of_each = [run(new_player(1), view, drawn[[number]], SearchLimits(lines=500), STOPPED) for number in range(5)]
    together = run(new_player(1), view, drawn, SearchLimits(lines=500), STOPPED)
    for line in together:
        alone = [other.score for lines in of_each for other in lines if other.move == line.move]
        assert line.score == round(sum(alone) / len(alone))
    assert together[0].score > together[-1].score


@pytest.mark.parametrize("seed", range(20))
def test_moves_rank_by_mean_and_poor_ones_are_pruned(seed: int) -> None:
    rng = random.Random(seed)
    worlds_count, moves_count = rng.randrange(1, 6), rng.randrange(1, 30)
    values = np.array([[rng.randrange(-40, 40) for _ in range(moves_count)] for _ in range(worlds_count)])
    kept = np.array(rng.sample(range(moves_count), rng.randrange(1, moves_count + 1)))
    most, margin, fewest = rng.randrange(3, 12), rng.randrange(40), rng.randrange(1, 4)
    weights = np.array([rng.randrange(1, 4) for _ in range(worlds_count)])
    drawn = np.repeat(values, weights, axis=0)
    means = drawn.mean(axis=0)
    ranked = sorted(kept.tolist(), key=lambda index: -drawn[:, index].sum())
    expected = [
        index
        for place, index in enumerate(ranked[:most])
        if place < fewest or means[index] > means[ranked[0]] - margin - 1e-9
    ]
    sums = np.zeros(moves_count, np.int64)
    remaining = rank_moves(values, weights, kept, sums, most, margin, fewest)
    assert kept[:remaining].tolist() == expected and sorted(kept.tolist()) == sorted(ranked)
    assert (sums[kept] == drawn[:, kept].sum(axis=0)).all()


@pytest.mark.parametrize("variant", BOARDS)
def test_equal_worlds_are_searched_once(variant: str) -> None:
    """Two worlds, the second three times, in two of them with other kinds of removed pieces: the same scores as by
    searches of all four.
    """
    board, rng = BOARDS[variant], random.Random(variant)
    view = next(view for view in views_of_a_player(board, rng) if len(removed_hidden(view)) >= 4)
    drawn = worlds.sample_worlds(view, 2, 1)[[0, 1, 1, 1]]
    removed = removed_hidden(view)
    for number in (2, 3):
        drawn[number, removed] = np.roll(drawn[number, removed], number - 1)
    assert len(np.unique(drawn, axis=0)) > 2
    player = new_player(8, is_plain=True)
    limits = SearchLimits(depth=3, lines=500)
    merged = {one.move: one.score for one in run(player, view, drawn, limits)}
    nodes = player.search.nodes
    alone = [{one.move: one.score for one in run(player, view, drawn[[number]], limits)} for number in range(4)]
    assert merged == {move: round(sum(scores[move] for scores in alone) / 4) for move in merged}
    assert nodes < 3 * player.search.nodes


def views_of_a_player(board: Board, rng: random.Random) -> Iterator[SeatView]:
    """Yield the views of the first team at its turns in endless games of player 1.2."""
    while True:
        game = GameState.start(board, {letter: lineup_choice.sensible(rng) for letter in board.seats})
        view = redact(game, range(0, len(board.seats), 2))
        while game.result == Result.ONGOING and game.ply < 300:
            if game.turn % 2 == 0:
                yield view
            everything = redact(game, range(len(board.seats)))
            view.observe(game.play(choose_move("1.2", everything, rng.getrandbits(32), game.legal_moves()).move))


def removed_hidden(view: SeatView) -> list[int]:
    """The removed pieces of hidden seats whose kind nobody knows."""
    position = view.position
    return [
        piece
        for piece in range(PIECES)
        if position["kind"][piece] == UNKNOWN
        and view.masks[piece]
        and not contains(int(position["present"][seat_of(piece)]), slot_of(piece))
    ]


def timed(view: SeatView, player: SearchPlayer, stop_after: int) -> list[RootMove]:
    """A search without a limit of depth or positions, ended after some iterations."""
    reports = player.think(view, 1, view.legal_moves(), SearchLimits(), RUNNING)
    return next(report.best for report in reports if report.depth >= stop_after)


def test_clock_search_reuses_earlier_results() -> None:
    """The same position again takes fewer nodes, until a new game begins."""
    view = redact(GameState.start(SIGUO), range(4))
    player = new_player(hash_mb=8)
    timed(view, player, 5)
    first = player.search.nodes
    timed(view, player, 5)
    assert player.search.nodes < first
    player.new_game()
    timed(view, player, 5)
    assert player.search.nodes == first
