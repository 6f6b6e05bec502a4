"""The network beside the terms: followed move by move, and its files."""

import io
import os
import random
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest

from junqi_engine.evaluation import evaluator as kernels
from junqi_engine.evaluation.evaluator import UNKNOWN_VALUE, Evaluator
from junqi_engine.evaluation.network import UNITS, Network, read_network, row_count
from junqi_engine.information.public_state import update_classes
from junqi_engine.information.view import PublicInfo
from junqi_engine.players import lineup_choice
from junqi_engine.rules.board import BOARDS, LUZHANQI, SIGUO, Board
from junqi_engine.rules.effects import UNDO, make, unmake
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import PIECES
from junqi_engine.rules.position import Result
from tests.helpers.engine import Engine, errors
from tests.helpers.marking import times

VARIANTS = pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
Numbers = tuple[np.ndarray, np.ndarray, np.ndarray]


def random_numbers(board: Board, seed: int = 1) -> Numbers:
    """Rows, bias and output with which some units are clipped and some are not."""
    rng = np.random.default_rng(seed)
    found = (
        rng.integers(-40, 41, (row_count(board), UNITS)),
        rng.integers(0, 200, UNITS),
        rng.integers(-200, 201, UNITS),
    )
    return tuple(numbers.astype(np.int16) for numbers in found)


def evaluator_of(board: Board, numbers: Numbers) -> Evaluator:
    network = Network(board, *numbers)
    return Evaluator(network_of=lambda variant: network)


def start(board: Board, rng: random.Random) -> GameState:
    return GameState.start(board, {letter: lineup_choice.sensible(rng) for letter in board.seats})


def fresh(evaluator: Evaluator, board: Board, position: np.void, classes: np.ndarray) -> np.void:
    """The record of a position, computed from scratch."""
    record = evaluator.new(1)[0]
    evaluator.refresh(board, position, PublicInfo(0, classes), record)
    return record


@pytest.mark.bounds
@VARIANTS
def test_incremental_accumulators_equal_refresh(board: Board) -> None:
    """Along whole games: the sum, what it is after a move is taken back, and the value after a move, made or not."""
    rng, evaluator = random.Random(3), evaluator_of(board, random_numbers(board))
    plies = eliminations = promises = 0
    for _ in range(times(3)):
        game, classes = start(board, rng), np.zeros(PIECES, np.uint8)
        position = game.position
        record, undo = evaluator.new(1)[0], np.zeros(1, UNDO)[0]
        while position["result"] == Result.ONGOING and plies < 900 * times(1):
            if record["ply"] % 90 == 0:
                record = fresh(evaluator, board, position, classes)
            legal = game.legal_moves()
            for move in rng.sample(legal, min(3, len(legal))):
                before = int(kernels.evaluate(position, record)), kernels.eval_key(record)
                promise = int(kernels.evaluate_after(board.tables, position, record, np.uint16(move)))
                turn = int(position["turn"])
                make(board.tables, position, np.uint16(move), undo)
                kernels.push_ply(position, undo, record)
                if position["result"] == Result.ONGOING and position["alive"] == undo["alive"]:
                    sign = 1 if (turn ^ int(position["turn"])) & 1 == 0 else -1
                    assert promise in (UNKNOWN_VALUE, sign * int(kernels.evaluate(position, record)))
                    promises += promise != UNKNOWN_VALUE
                unmake(position, undo)
                kernels.pop_ply(record)
                assert (int(kernels.evaluate(position, record)), kernels.eval_key(record)) == before
            make(board.tables, position, np.uint16(rng.choice(legal)), undo)
            kernels.push_ply(position, undo, record)
            update_classes(position, undo, classes)
            eliminations += position["alive"] != undo["alive"]
            plies += 1
            net = record["network"]
            assert (net["classes"] == classes).all()
            anew = fresh(evaluator, board, position, classes)
            assert kernels.eval_key(record) == kernels.eval_key(anew)
            if position["result"] == Result.ONGOING:
                assert net["scores"][record["ply"]] == anew["network"]["scores"][0]
    assert plies > 100
    assert promises > 200
    assert eliminations or board is LUZHANQI


# Files


def write(path: Path, numbers: Numbers) -> Path:
    rows, bias, output = numbers
    np.savez_compressed(path, rows=rows, bias=bias, output=output)
    return path


def cut_off(path: Path) -> None:
    """The bias has a head that promises more numbers than follow."""
    rows, _, output = random_numbers(SIGUO)
    whole, cut = io.BytesIO(), io.BytesIO()
    np.save(whole, np.zeros(UNITS, np.int16))
    np.savez(cut, rows=rows, output=output)
    with ZipFile(cut, "a") as archive:
        archive.writestr("bias.npy", whole.getvalue()[:-2])
    path.write_bytes(cut.getvalue())


BROKEN: dict[str, tuple[Callable[[Path], object], str]] = {
    "text": (lambda path: path.write_text("rows"), "expected an .npz file with the arrays rows, bias, output"),
    "empty": (lambda path: path.write_bytes(b""), "expected an .npz file with the arrays rows, bias, output"),
    "folder": (Path.mkdir, "expected a regular file"),
    "pipe": (os.mkfifo, "expected a regular file"),
    "missing": (lambda path: None, "No such file or directory"),
    "cut off": (cut_off, "expected an .npz file"),
    "array": (
        lambda path: np.savez(path, output=np.zeros(16, np.int16)),
        "expected an .npz file with the arrays rows, bias, output",
    ),
    "objects": (lambda path: np.savez(path, rows=np.array([None])), "expected an .npz file"),
    "luzhanqi": (lambda path: write(path, random_numbers(LUZHANQI)), r"rows: expected int16 of shape \(37152, 16\)"),
    "rows": (
        lambda path: write(path, (random_numbers(SIGUO)[0] * np.int16(10), *random_numbers(SIGUO)[1:])),
        "rows: a number is not between -300 and 300",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_file_of_wrong_shape_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "own.npz"
    make_file, message = BROKEN[name]
    make_file(path)
    with pytest.raises((OSError, ValueError), match=message):
        read_network(SIGUO, path)


def test_eval_file_applies_until_it_is_empty(engine: Engine, tmp_path: Path) -> None:
    path = write(tmp_path / "own.npz", random_numbers(SIGUO))
    evals = [
        engine.ask(line, "position startpos viewer SN", "eval")[-2]
        for line in (
            "setoption name EvalFile value <empty>",
            f"setoption name EvalFile value {path}",
            "setoption name EvalFile value <empty>",
        )
    ]
    assert evals[0] == evals[2] != evals[1]


@pytest.mark.parametrize("first", [[], ["d"], ["setoption name UCI_Variant value klotski", "d"]])
def test_bad_option_value_is_always_rejected(first: list[str], tmp_path: Path) -> None:
    """The game or the file decides; the old values of EvalFile and UCI_Variant stay."""
    with Engine() as engine:
        engine.send(*first)
        missing = f"setoption name EvalFile value {tmp_path / 'none'}"
        rejected = [missing, "setoption name Scoring value abc", "setoption name Scoring value <empty>"]
        assert errors(engine.ask(*rejected)) == ["bad-file", "bad-value", "bad-value"]
        for line in ("setoption name UCI_Variant value match3", "setoption name UCI_Variant value siguo"):
            assert errors(engine.ask(line, "d", "position startpos")) == []


@pytest.mark.parametrize("first", [[], ["d"]])
def test_eval_file_of_another_variant_is_named(first: list[str], tmp_path: Path) -> None:
    path = write(tmp_path / "own.npz", random_numbers(LUZHANQI))
    use, variant = f"setoption name EvalFile value {path}", "setoption name UCI_Variant value"
    with Engine() as engine:
        engine.send(*first, use, f"{variant} luzhanqi", use, f"{variant} siguo", "d", "position startpos")
        engine.send(f"{variant} klotski", use, f"{variant} luzhanqi", f"{variant} klotski", f"{variant} siguo", "d")
        refused = [line for line in engine.ask() if " error " in line]
        assert len(refused) == 3 and all(
            line.startswith("info string error bad-file option EvalFile") and "for luzhanqi, not for siguo" in line
            for line in refused
        )


@pytest.mark.parametrize("name", ["text", "pipe", "luzhanqi", "missing"])
def test_bad_eval_file_keeps_the_network(engine: Engine, tmp_path: Path, name: str) -> None:
    path = tmp_path / "own.npz"
    BROKEN[name][0](path)
    before = engine.ask("position startpos viewer SN", "eval")
    found = engine.ask(f"setoption name EvalFile value {path}", "eval")
    assert errors(found) == ["bad-file"]
    assert found[0].startswith("info string error bad-file option EvalFile: '")
    assert found[1:] == before
