"""Take puzzles of the day from games of the engine against itself.

    python -m junqi_training.daily_positions [--count N]

A puzzle is a position as the seat to move sees it. The engine is told nothing more, so its belief and its moves may
explain the answer. Each game gives at most one puzzle of a kind.
"""

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from junqi_board.drawing.junqi import targets
from junqi_board.session.advisers import advice, parse_belief
from junqi_engine.engines.client import EngineClient
from junqi_engine.engines.own_program import own_command
from junqi_engine.information.view import SeatView
from junqi_engine.notation.fen import format_fen
from junqi_engine.notation.moves import format_code
from junqi_engine.players import lineup_choice
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.layout import from_point_of, to_point_of
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import BATTLES, LETTERS, Outcome, letters_of
from junqi_referee.truth import Truth

FILE = Path(__file__).parents[1] / "junqi_board" / "daily.json"
FIRST_PLY, LAST_PLY = 30, 300
MOVE_NODES = 20
JUDGE_NODES = (300, 1_500)
"""Of the first look at a position, and of the second, which must agree."""
LOOK_EVERY = 4
"""Plies between two positions that are looked at, so that one game is not looked at for long."""
SIGUO_SHARE = 0.5
SURE_FLAG, OTHER_FLAG = 0.8, 0.6
"""The belief in the flag that is asked for, and in any other piece."""
SAFE_GAP = 0.12
"""How much more often the only safe move wins than the next best."""
MOST_SURE, LEAST_ATTACKS = 3, 2


def main() -> None:
    """Play games until there are enough puzzles of each kind, and write them."""
    parser = argparse.ArgumentParser("python -m junqi_training.daily_positions", description=main.__doc__)
    parser.add_argument("--count", type=int, default=20, help="puzzles of each kind (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the games (default: %(default)s)")
    options = parser.parse_args()
    found: dict[str, list[dict[str, Any]]] = {kind: [] for kind in KINDS}
    rng = random.Random(options.seed)
    client = EngineClient(own_command(), witness=LINES.append)
    client.start()
    while any(len(one) < options.count for one in found.values()):
        wanted = {kind for kind, one in found.items() if len(one) < options.count}
        variant = "siguo" if wanted == {"flag"} or rng.random() < SIGUO_SHARE else "luzhanqi"
        for puzzle in _of_game(client, variant, wanted, rng):
            found[puzzle["kind"]].append(puzzle)
        print({kind: len(one) for kind, one in found.items()}, flush=True)
    client.close()
    puzzles = [puzzle for day in zip(*found.values(), strict=False) for puzzle in day]
    FILE.write_text("[\n" + ",\n".join(json.dumps(one) for one in puzzles) + "\n]\n", encoding="utf-8")


LINES: list[bytes] = []
"""What the engine has written since the last question."""


def _of_game(client: EngineClient, variant: str, wanted: set[str], rng: random.Random) -> Iterator[dict[str, Any]]:
    """The puzzles of a new game."""
    board = BOARDS[variant]
    truth = Truth(variant, {seat: lineup_choice.sensible(rng) for seat in board.seats}, board.seats[0], Rules.of(board))
    client.send("setoption name UCI_ShowWDL value true", f"setoption name UCI_Variant value {variant}", "ucinewgame")
    client.ready(may_load=True)
    remaining = set(wanted)
    start = FIRST_PLY + rng.randrange(LOOK_EVERY)
    while truth.result is None and truth.ply < LAST_PLY and remaining:
        viewer = next(team for team in board.teams if truth.turn in team)
        if truth.ply >= start and (truth.ply - start) % LOOK_EVERY == 0:
            for kind in sorted(remaining, key=lambda _: rng.random()):
                puzzle = KINDS[kind](client, truth, viewer)
                if puzzle is not None:
                    remaining.discard(kind)
                    yield {"kind": kind, "variant": variant, "fen": format_fen(truth.view(viewer)), **puzzle}
                    break
        client.send("setoption name MultiPV value 1")
        answer = client.ask((truth.position_line(viewer), f"go nodes {MOVE_NODES}"))
        truth.play(answer.move)


def _win(client: EngineClient, truth: Truth, viewer: str) -> dict[str, Any] | None:
    """A battle that is won whatever the enemy's piece is."""
    view = truth.view(viewer)
    attacks = [move for move in view.legal_moves() if view.piece_at(to_point_of(move)) is not None]
    sure = [move for move in attacks if _always_wins(view, move)]
    if not 1 <= len(sure) <= MOST_SURE or len(attacks) < LEAST_ATTACKS:
        return None
    may = letters_of(view.mask_at(to_point_of(sure[0])))
    piece = view.piece_at(from_point_of(sure[0]))
    if len(may) < 2 or piece is None:
        return None
    told = {"may": may, "piece": LETTERS[int(view.position["kind"][piece])]}
    return {"answers": [format_code(view.board, move) for move in sure], "told": told}


def _always_wins(view: SeatView, move: int) -> bool:
    piece = view.piece_at(from_point_of(move))
    kind = int(view.position["kind"][piece])
    may = (LETTERS.index(letter) for letter in letters_of(view.mask_at(to_point_of(move))))
    return all(BATTLES[kind][other].outcome == Outcome.ATTACKER_WON for other in may)


def _flag(client: EngineClient, truth: Truth, viewer: str) -> dict[str, Any] | None:
    """Which enemy piece is a flag: one of those that stand in headquarters."""
    view, board = truth.view(viewer), truth.board
    client.send(truth.position_line(viewer), "belief")
    belief = parse_belief(board, client.ready())
    flags = {point: belief.get(str(point), {}).get("l", 0.0) for point in board.points if _may_be_flag(view, point)}
    ranked = sorted(flags, key=lambda point: -flags[point])
    if len(ranked) < 3 or flags[ranked[0]] < SURE_FLAG or flags[ranked[1]] > OTHER_FLAG:
        return None
    piece = truth.view("*").piece_at(ranked[0])
    if piece is None or LETTERS[int(truth.view("*").position["kind"][piece])] != "l":
        return None
    asked = {board.names[point]: round(flags[point], 2) for point in sorted(ranked)}
    return {"answers": [board.names[ranked[0]]], "told": {"asked": list(asked), "chances": asked}}


def _may_be_flag(view: SeatView, point: int) -> bool:
    """Whether an enemy's piece stands in a headquarters, and is not revealed."""
    piece = view.piece_at(point)
    return view.board.is_headquarters(point) and piece is not None and not view.shows(piece)


def _safe(client: EngineClient, truth: Truth, viewer: str) -> dict[str, Any] | None:
    """The only move after which the chance of winning is not much less."""
    view = truth.view(viewer)
    legal = targets(view, viewer)
    client.send("setoption name MultiPV value 2")
    best: dict[str, Any] | None = None
    for nodes in JUDGE_NODES:
        LINES.clear()
        answer = client.ask((truth.position_line(viewer), f"go nodes {nodes}"))
        lines = [line.decode("utf-8", "replace") for line in LINES if line.startswith(b"info ")]
        found = advice(answer.move, legal, lines)
        if found is None or not found["others"] or (best is not None and best["move"] != found["move"]):
            return None
        best, (other, *_) = found, found["others"]
        if best["win"] is None or other["win"] is None or best["win"] - other["win"] < SAFE_GAP:
            return None
    assert best is not None
    told = {"win": round(best["win"], 2), "next": round(other["win"], 2), "other": other["move"]}
    return {"answers": [best["move"]], "told": told}


KINDS = {"flag": _flag, "win": _win, "safe": _safe}

if __name__ == "__main__":
    main()
