"""A game as one viewer saw it: the position after each entry of the record, and what each entry did, for people.

All of it is made from the `SeatView` of the viewer, so it tells nothing that the viewer's seats may not know.
"""

from collections import deque
from collections.abc import Mapping, Sequence, Set
from typing import Any

from junqi_board.scenes import junqi
from junqi_engine.information.view import SeatView
from junqi_engine.notation.fen import HIDDEN
from junqi_engine.rules.board import Board
from junqi_engine.rules.layout import contains, piece_of, seat_of
from junqi_engine.rules.pieces import PIECES_PER_SEAT, letters_of
from junqi_referee.full_game import FullGame
from junqi_referee.records.replay import bare

POINT, PIECE, SEAT = range(3)
"""The first places of an entry of `junqi.pieces`."""


def last_move_of(view: SeatView, before: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The last entry of the record as `junqi.last_move`, with the way of the move and the pieces of its battle.

    `before` is the scene before it; without one the way is only its two ends. `attacker` and `defender` are as in
    `known`, None without a battle.
    """
    last = junqi.last_move(view)
    if last is None:
        return None
    last |= {"path": [], "attacker": None, "defender": None}
    if last["from"] < 0:
        return last
    pieces = {} if before is None else {entry[POINT]: entry for entry in before["pieces"]}
    last["path"] = (
        path_of(view.board, pieces.keys(), last["from"], last["to"]) if pieces else [last["from"], last["to"]]
    )
    if last["from"] in pieces:
        mover = pieces[last["from"]]
        last["attacker"] = known(view, mover[PIECE])
        if last["outcome"] != "no-battle":
            last["defender"] = known(view, pieces[last["to"]][PIECE])
    return last


def known(view: SeatView, piece: int) -> dict[str, Any]:
    """A piece, on the board or removed: its number, its seat, its letter if that is certain, and what it may be."""
    letters = letters_of(int(view.masks[piece]))
    letter = letters if len(letters) == 1 else HIDDEN
    return {"piece": piece, "seat": view.board.seats[seat_of(piece)], "letter": letter, "may": letters}


def removed(view: SeatView, last: Mapping[str, Any] | None, before: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """The pieces that battles have removed, as in `known`, with `by`: the seat whose piece removed it.

    `last` is what the last entry did, `before` the scene before it. Without one, the pieces that are missing from the
    living seats were removed by nobody known: `by` is empty.
    """
    if before is None:
        by = {
            piece_of(number, slot): ""
            for number in range(len(view.board.seats))
            if view.is_alive(number)
            for slot in range(PIECES_PER_SEAT)
            if not contains(int(view.position["present"][number]), slot)
        }
    else:
        by = {one["piece"]: one["by"] for one in before["removed"]} | _captures(last)
    return [known(view, piece) | {"by": seat} for piece, seat in by.items()]


def _captures(last: Mapping[str, Any] | None) -> dict[int, str]:
    if last is None or last["attacker"] is None or last["defender"] is None:
        return {}
    pieces = {"attacker-won": ["defender"], "defender-won": ["attacker"]}.get(last["outcome"], ["attacker", "defender"])
    other = {"attacker": "defender", "defender": "attacker"}
    return {last[one]["piece"]: last[other[one]]["seat"] for one in pieces}


def scene(view: SeatView, before: Mapping[str, Any] | None) -> dict[str, Any]:
    """The position of a view, with what the last entry did and which pieces are removed."""
    last = last_move_of(view, before)
    return junqi.scene(view) | {"last": last, "removed": removed(view, last, before)}


class Story:
    """The scenes of a game for one viewer: `scenes[n]` is the position after n entries of the record."""

    def __init__(self, viewer: str) -> None:
        self.viewer = viewer
        self.scenes: list[dict[str, Any]] = []
        self._moves: list[str] = []

    def follow(self, now: FullGame) -> dict[str, Any]:
        """Follow a game from line-ups to the position `now`, and return its scene."""
        if self.scenes and now.moves == self._moves[: len(now.moves)]:
            del self.scenes[len(now.moves) + 1 :], self._moves[len(now.moves) :]
        elif self.scenes and now.moves[:-1] == self._moves:
            self._add(now)
        else:
            self.replay(FullGame(now.board.variant, now.lineups, now.first, now.rules), now.moves)
        return self.scenes[-1]

    def replay(self, position: FullGame, moves: Sequence[str]) -> None:
        self.scenes = []
        self._add(position)
        for move in moves:
            position.play(bare(move))
            self._add(position)

    def _add(self, position: FullGame) -> None:
        self.scenes.append(scene(position.view(self.viewer), self.scenes[-1] if self.scenes else None))
        self._moves = list(position.moves)

    @property
    def entries(self) -> list[dict[str, Any]]:
        return [scene["last"] for scene in self.scenes[1:]]


def final_pieces(scenes: Sequence[Mapping[str, Any]]) -> list[list[Any]]:
    """The pieces at the end of a game, as in `junqi.pieces`, with those of the seats whose elimination ended it, where
    they stood.
    """
    after = scenes[-1]
    pieces = list(after["pieces"])
    for number in reversed(range(len(scenes) - 1)):
        before = scenes[number]
        out = set(before["alive"]) - set(after["alive"])
        if not out:
            break
        taken = {piece[POINT] for piece in pieces} | {after["last"]["from"], after["last"]["to"]}
        pieces += [piece for piece in before["pieces"] if piece[SEAT] in out and piece[POINT] not in taken]
        after = before
    return pieces


def path_of(board: Board, occupied: Set[int], start: int, target: int) -> list[int]:
    """The points of a legal move from `start` to `target`, both included.

    `occupied` are the points with a piece before the move. A straight way is preferred to one with turns, so the path
    tells nothing that the public record does not: only an engineer makes a move that has no straight way.
    """
    if frozenset((start, target)) in board.roads | board.rails:
        return [start, target]
    straight = [way for line in board.lines if (way := _along(line, start, target)) and not occupied & {*way[1:-1]}]
    return min(straight, key=len) if straight else _around(board, occupied, start, target)


def _along(line: tuple[int, ...], start: int, target: int) -> list[int]:
    """The part of a line from one point to another; empty unless both are on it."""
    if start not in line or target not in line:
        return []
    one, other = line.index(start), line.index(target)
    return list(line[one : other + 1]) if one < other else list(line[other : one + 1][::-1])


def _around(board: Board, occupied: Set[int], start: int, target: int) -> list[int]:
    """The shortest way over empty points of the railway; only the two ends if there is none."""
    came_from: dict[int, int] = {start: start}
    waiting = deque([start])
    while waiting and target not in came_from:
        point = waiting.popleft()
        for step in sorted(other for edge in board.rails if point in edge for other in edge if other != point):
            if step not in came_from and (step == target or step not in occupied):
                came_from[step] = point
                waiting.append(step)
    if target not in came_from:
        return [start, target]
    way = [target]
    while way[-1] != start:
        way.append(came_from[way[-1]])
    return way[::-1]
