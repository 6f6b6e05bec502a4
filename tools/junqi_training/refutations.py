"""The answers to the board's problems, and why the other choices are wrong, derived from the rules."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from junqi_board.problems import USUAL, Problem, kind_at
from junqi_engine.information.view import SeatView
from junqi_engine.rules.layout import NO_PIECE, are_enemies, contains, from_point_of, piece_in, seat_of, to_point_of
from junqi_engine.rules.movegen import ANY_CAN, NO_PIECE_CAN, reach
from junqi_engine.rules.pieces import BATTLES, ENGINEER, KINDS, LETTERS, MOVABLE_MASK, Outcome

LEAST_FLAG = 0.9
"""The least chance of the flag that is asked for."""
Refutation = tuple[str, str]


def solved(problem: Problem) -> Problem | None:
    """The problem with its answer and refutations; None without exactly one right choice."""
    found = {choice: refutation_of(problem, choice) for choice in problem.choices}
    right = [choice for choice, refutation in found.items() if refutation is None]
    told = {choice: list(one) for choice, one in found.items() if one and one != (USUAL[problem.theme], "")}
    return replace(problem, answer=right[0], refutations=told) if len(right) == 1 else None


def refutation_of(problem: Problem, choice: str) -> Refutation | None:
    """Why a choice is wrong; None if it is right."""
    if problem.theme == "flag":
        return None if problem.chances[choice] >= LEAST_FLAG else ("flag", "")
    refute = _refutation_of_defence if problem.theme == "save" else _refutation_of_attack
    return refute(problem.view, problem.moves[problem.choices.index(choice)])


def losing_kinds(view: SeatView, move: int) -> list[int]:
    """The possible kinds of the enemy on the target that beat the attacker or fall with it."""
    kind = kind_at(view, from_point_of(move))
    possible = _kinds(view.mask_at(to_point_of(move)))
    return [other for other in possible if BATTLES[kind][other].outcome != Outcome.ATTACKER_WON]


def _refutation_of_attack(view: SeatView, move: int) -> Refutation | None:
    target, kind = to_point_of(move), kind_at(view, from_point_of(move))
    mask = view.mask_at(target)
    if not mask:
        return "quiet", ""
    if lost := losing_kinds(view, move):
        return "loses", _letters(lost)
    takers = {
        other
        for point, mask in _enemies_that_reach(view, _moved(view.position, move), target, view.masks.tolist())
        for other in _kinds(mask)
        if BATTLES[other][kind].outcome != Outcome.DEFENDER_WON
    }
    return ("taken", _letters(takers)) if takers else None


def _refutation_of_defence(view: SeatView, move: int) -> Refutation | None:
    kind, mask = kind_at(view, from_point_of(move)), view.mask_at(to_point_of(move))
    if mask:
        stays = [other for other in _kinds(mask) if any(attackers_of_flag(view, *_after(view, move, kind, other)))]
        is_lost = len(stays) == mask.bit_count()
    else:
        stays = []
        is_lost = any(attackers_of_flag(view, _moved(view.position, move), view.masks.tolist()))
    if is_lost:
        return "ignored", ""
    return ("stays", _letters(stays)) if stays else None


def _after(view: SeatView, move: int, kind: int, other: int) -> tuple[Any, list[int]]:
    """The position and the masks after an attack on a piece of kind `other`."""
    target = to_point_of(move)
    position, masks = _moved(view.position, move), view.masks.tolist()
    piece = view.piece_at(target)
    assert piece is not None
    battle = BATTLES[kind][other]
    if battle.takes_flag:
        for point in view.points_of(seat_of(piece)):
            position["board"][point] = NO_PIECE
    elif battle.outcome == Outcome.BOTH_REMOVED:
        position["board"][target] = NO_PIECE
    elif battle.outcome == Outcome.DEFENDER_WON:
        position["board"][target] = view.position["board"][target]
        masks[piece] = 1 << other
    return position, masks


def _moved(position: Any, move: int) -> Any:
    found = position.copy()
    found["board"][to_point_of(move)] = position["board"][from_point_of(move)]
    found["board"][from_point_of(move)] = NO_PIECE
    return found


def attackers_of_flag(view: SeatView, position: Any, masks: list[int]) -> Iterator[int]:
    """The points of the enemies that can take the mover's flag at once."""
    flag = view.flag_point(view.turn)
    if flag is not None:
        yield from (point for point, _ in _enemies_that_reach(view, position, flag, masks))


def _enemies_that_reach(view: SeatView, position: Any, target: int, masks: list[int]) -> Iterator[tuple[int, int]]:
    """The points of the mover's enemies that may be able to move to a point, with what they may then be."""
    turn = view.turn
    for point, occupant in enumerate(position["board"].tolist()):
        piece = piece_in(occupant)
        if occupant == NO_PIECE or not are_enemies(seat_of(piece), turn):
            continue
        way = reach(view.board.tables, position, point, target)
        able = NO_PIECE_CAN if way == NO_PIECE_CAN else MOVABLE_MASK if way == ANY_CAN else 1 << ENGINEER
        if masks[piece] & able:
            yield point, masks[piece] & able


def _kinds(mask: int) -> list[int]:
    return [kind for kind in range(KINDS) if contains(mask, kind)]


def _letters(kinds: Iterable[int]) -> str:
    return "".join(LETTERS[kind] for kind in sorted(kinds))
