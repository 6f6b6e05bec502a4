"""A game from one point of view: the position after each entry of the record, and the effect of each entry.

All of it is made from the `SeatView` of the viewer, so it tells nothing that the viewer's seats may not know.
"""

from collections import deque
from collections.abc import Sequence, Set

from msgspec.structs import asdict, replace

from junqi_board.messages.scenes import KnownPiece, LastMove, Piece, RemovedPiece, Scene
from junqi_board.scenes import junqi
from junqi_engine.information.view import SeatView
from junqi_engine.notation.fen import HIDDEN
from junqi_engine.rules.board import Board
from junqi_engine.rules.layout import contains, piece_of, seat_of
from junqi_engine.rules.pieces import PIECES_PER_SEAT, letters_of
from junqi_referee.full_game import FullGame
from junqi_referee.records.replay import bare


def last_move_of(view: SeatView, before: Scene | None) -> LastMove | None:
    """The last entry of the record, with the path of the move and the pieces of its battle.

    `before` is the scene before it; without one the path is only its two ends.
    """
    last = junqi.last_move(view)
    if last is None or last.start < 0:
        return last
    pieces = {} if before is None else {one.point: one for one in before.pieces}
    if not pieces:
        return replace(last, path=[last.start, last.target])
    last.path = path_of(view.board, pieces.keys(), last.start, last.target)
    if last.start in pieces:
        last.attacker = known(view, pieces[last.start].piece)
        if last.outcome != "no-battle":
            last.defender = known(view, pieces[last.target].piece)
    return last


def known(view: SeatView, piece: int) -> KnownPiece:
    letters = letters_of(int(view.masks[piece]))
    letter = letters if len(letters) == 1 else HIDDEN
    return KnownPiece(piece, view.board.seats[seat_of(piece)], letter, letters)


def removed(view: SeatView, last: LastMove | None, before: Scene | None) -> list[RemovedPiece]:
    """The pieces that battles have removed.

    `last` is the last entry of the record, `before` the scene before it. Without a scene, the pieces that are missing
    from the living seats are returned with an empty `by`.
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
        by = {one.piece: one.by for one in before.removed} | _captures(last)
    return [RemovedPiece(**asdict(known(view, piece)), by=seat) for piece, seat in by.items()]


def _captures(last: LastMove | None) -> dict[int, str]:
    """By piece that the last entry removed, the seat whose piece removed it."""
    if last is None or last.attacker is None or last.defender is None:
        return {}
    attacker, defender = last.attacker, last.defender
    by_defender = {} if last.outcome == "attacker-won" else {attacker.piece: defender.seat}
    by_attacker = {} if last.outcome == "defender-won" else {defender.piece: attacker.seat}
    return by_defender | by_attacker


def scene(view: SeatView, before: Scene | None) -> Scene:
    """The position of a view, with the last entry of the record and the removed pieces."""
    last = last_move_of(view, before)
    return replace(junqi.scene(view), last=last, removed=removed(view, last, before))


class Story:
    """The scenes of a game for one viewer: `scenes[n]` is the position after n entries of the record."""

    def __init__(self, viewer: str) -> None:
        self.viewer = viewer
        self.scenes: list[Scene] = []
        self._moves: list[str] = []

    def follow(self, now: FullGame) -> Scene:
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
    def entries(self) -> list[LastMove]:
        return [scene.last for scene in self.scenes[1:] if scene.last is not None]


def final_pieces(scenes: Sequence[Scene]) -> list[Piece]:
    """The pieces at the end of a game, with those of the seats whose elimination ended it, where they stood."""
    after = scenes[-1]
    pieces = list(after.pieces)
    for before in reversed(scenes[:-1]):
        out, last = set(before.alive) - set(after.alive), after.last
        if not out or last is None:
            break
        taken = {piece.point for piece in pieces} | {last.start, last.target}
        pieces += [piece for piece in before.pieces if piece.seat in out and piece.point not in taken]
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
