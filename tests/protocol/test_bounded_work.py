"""Records that nobody played: deduction and drawing end in time, obey `stop`, and never rule out the truth.

Times of calculations are processor times of the thread, so that a busy machine does not change them.
"""

import time
from collections.abc import Callable

import numpy as np
import pytest

from junqi_engine.information.belief import worlds
from junqi_engine.information.deduction import relation_code
from junqi_engine.information.view import SeatView
from junqi_engine.rules.board import SIGUO
from junqi_engine.rules.pieces import COUNTS, KINDS, LETTERS, Outcome
from junqi_protocol.catalogue import OPTIONS
from junqi_protocol.games.junqi import JunqiVariant
from junqi_protocol.options import Options
from junqi_protocol.variant_game import Control, GoRequest
from tests.helpers.engine import SLACK, Engine
from tests.helpers.marking import long_after

STEPS = {"S": ("g6g7", "g7g6"), "E": ("l7k7", "k7l7"), "N": ("k12k11", "k11k12"), "W": ("f11g11", "g11f11")}
HARD = 30464, 41759
"""Numbers of `battles_of_nobody` whose consistency takes more than 20 s to decide."""


def battles_of_nobody(number: int) -> tuple[np.ndarray, np.ndarray]:
    """Masks of three hidden seats, and battles with outcomes drawn at random."""
    rng = np.random.default_rng(number)
    kinds = [kind for kind, count in enumerate(COUNTS) for _ in range(count)]
    uncertain_pieces, share, battles = int(rng.integers(6, 16)), rng.uniform(0.2, 0.9), 0
    battles = int(rng.integers(uncertain_pieces // 2, 3 * uncertain_pieces))
    ties = rng.uniform(0.3, 1)
    masks, uncertain = np.zeros(128, np.uint16), {}
    for seat in (1, 2, 3):
        own = rng.permutation(kinds)
        mobile = [slot for slot in range(25) if LETTERS[own[slot]] in "abcdefghi"]
        chosen = rng.choice(mobile, min(uncertain_pieces, len(mobile)), replace=False)
        masks[32 * seat : 32 * seat + 25] = 1 << own
        among = [int(own[slot]) for slot in chosen]
        for slot in chosen:
            masks[32 * seat + slot] |= sum({1 << kind for kind in among if rng.random() < share})
        uncertain[seat] = [32 * seat + int(slot) for slot in chosen]
    relations = []
    for _ in range(battles):
        one, other = rng.choice([1, 2, 3], 2, replace=False)
        outcome = Outcome.BOTH_REMOVED if rng.random() < ties else Outcome(int(rng.integers(1, 3)))
        attacker, defender = int(rng.choice(uncertain[int(one)])), int(rng.choice(uncertain[int(other)]))
        relations.append((attacker, defender, relation_code(outcome, False, False, False)))
    return masks, np.array(relations, np.uint8).reshape(-1, 3)


def hard_view(number: int) -> SeatView:
    """A view at the start of a game with a record that nobody played, before anything follows from it."""
    masks, relations = battles_of_nobody(number)
    view = SeatView.start(SIGUO, 1)
    view.masks[32:] = masks[32:]
    record = view.known
    record["relations"][: len(relations)], record["relation_count"] = relations, len(relations)
    return view


@pytest.mark.parametrize("is_stopped", [False, True])
@pytest.mark.parametrize("number", long_after(1, HARD))
def test_worlds_of_hard_record_are_drawn_in_time(number: int, is_stopped: bool) -> None:
    view = hard_view(number)
    view.deduce()
    view.refresh()
    started = time.thread_time()
    drawn = worlds.sample_worlds(view, 16, 1, stop=np.full(1, is_stopped, np.uint8)).astype(int)
    assert time.thread_time() - started < (0.05 if is_stopped else 1.0) * SLACK
    assert len(drawn) == 1 if is_stopped else len(drawn) >= 1
    for seat in (1, 2, 3):
        own = drawn[:, 32 * seat : 32 * seat + 25]
        assert (view.masks[32 * seat : 32 * seat + 25].astype(int) >> own & 1).all()
        assert all((np.bincount(world, minlength=KINDS) == COUNTS).all() for world in own)


def long_game(plies: int) -> str:
    """A position after many plies: each seat moves a piece to and fro."""
    moves = (STEPS["SENW"[ply % 4]][ply // 4 % 2] for ply in range(plies))
    return f"position startpos viewer SN moves {' '.join(moves)}"


def test_first_go_after_a_long_list_answers_in_time(engine: Engine) -> None:
    """Readyok covers all that the list makes necessary."""
    engine.ask("setoption name NoContactLimit value 0", long_game(4000))
    asked = time.monotonic()
    engine.ask("go movetime 10", until="bestmove")
    assert engine.times[-1] - asked < 0.01 + 0.05 * SLACK


def test_stop_ends_the_reading_of_a_long_list(engine: Engine) -> None:
    """During `position` and during `go`; the next search makes up for it."""
    engine.ask("setoption name NoContactLimit value 0", "setoption name Seed value 1")
    engine.ask(long_game(8000), "stop")
    asked = time.monotonic()
    engine.ask("go infinite", "stop", until="bestmove")
    assert engine.times[-1] - asked < 0.1 * SLACK
    found = [engine.ask("ucinewgame", "go nodes 500", until="bestmove")[-2:] for _ in range(2)]
    assert found[0][0].split(" nps ")[0] == found[1][0].split(" nps ")[0] and found[0][1] == found[1][1]


def test_stop_while_worlds_are_drawn_is_answered_immediately(monkeypatch: pytest.MonkeyPatch) -> None:
    game = JunqiVariant("siguo", Options(OPTIONS))
    game.go(GoRequest(nodes=100), Control(lambda line: None))
    view = hard_view(HARD[0])
    view.deduce()
    view.refresh()
    game._view = view
    control = Control(lambda line: None, is_open_ended=True)
    stopped_at = []

    def stopping(drawn: Callable[..., np.ndarray]) -> Callable[..., np.ndarray]:
        def draw_when_stopped(*arguments: object) -> np.ndarray:
            stopped_at.append(time.monotonic())
            control.stop()
            return drawn(*arguments)

        return draw_when_stopped

    for name in ("sample_worlds", "sample_distinct_worlds"):
        monkeypatch.setattr(worlds, name, stopping(getattr(worlds, name)))
    assert game.go(GoRequest(infinite=True), control) in game.legal()
    assert time.monotonic() - stopped_at[0] < 0.1 * SLACK
