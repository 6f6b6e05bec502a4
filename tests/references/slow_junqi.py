"""The rules of both Junqi games as plainly as possible: the slow twin that the fast rules are compared with.

Points are their names ("g6"), pieces are (seat, letter) pairs, and nothing is cached but the board.
"""

import functools
import itertools
import re
from typing import Self

ORDER = {"siguo": "SENW", "luzhanqi": "SN"}
TEAMS = {"siguo": ("SN", "EW"), "luzhanqi": ("S", "N")}
WIDTH = {"siguo": 17, "luzhanqi": 5}
HEIGHT = {"siguo": 17, "luzhanqi": 12}
NO_CONTACT = {"siguo": 71, "luzhanqi": 31}
NO_CONTACT_RESULT = {"siguo": "draw", "luzhanqi": "loss"}

LETTERS = "abcdefghijkl"
RANKED = "abcdefghi"
MARSHAL, ENGINEER, LANDMINE, BOMB, FLAG = "a", "i", "j", "k", "l"
COUNTS = {"a": 1, "b": 1, "c": 2, "d": 2, "e": 2, "f": 2, "g": 3, "h": 3, "i": 3, "j": 3, "k": 2, "l": 1}

CAMPSITE_INDEXES = (6, 8, 12, 16, 18)
HEADQUARTERS_INDEXES = (26, 28)
CENTRE = ("g11", "i11", "k11", "g9", "i9", "k9", "g7", "i7", "k7")
DEFAULT_LINEUP = "cbfahdehgegidcfkjkijgjhli"

Piece = tuple[str, str]
Pieces = dict[str, Piece]


def point_name(x: int, y: int) -> str:
    """The name of the square in file number x (from 0) and rank y (from 1)."""
    return "abcdefghijklmnopq"[x] + str(y)


def block_xy(variant: str, seat: str, row: int, column: int) -> tuple[int, int]:
    """File number and rank of a block's point; row 0 is the front, column 0 the owner's left."""
    if variant == "luzhanqi":
        return {"S": (column, 6 - row), "N": (4 - column, 7 + row)}[seat]
    return {
        "S": (6 + column, 6 - row),
        "E": (11 + row, 7 + column),
        "N": (10 - column, 12 + row),
        "W": (5 - row, 11 - column),
    }[seat]


class SlowBoard:
    """Points, roads and railways of one variant."""

    def __init__(self, variant: str) -> None:
        self.variant = variant
        self.seats = ORDER[variant]
        self.seat_and_index: dict[str, tuple[str, int]] = {}
        for seat in self.seats:
            for index in range(30):
                self.seat_and_index[self.point_of(seat, index)] = (seat, index)
        self.points: list[str] = list(self.seat_and_index)
        if variant == "siguo":
            self.points.extend(CENTRE)
        self.campsites = {self.point_of(seat, i) for seat in self.seats for i in CAMPSITE_INDEXES}
        self.headquarters = {self.point_of(seat, i) for seat in self.seats for i in HEADQUARTERS_INDEXES}

        self.roads: set[frozenset[str]] = set()
        for seat in self.seats:
            self._add_roads_of_block(seat)
            if variant == "siguo":
                self._add_roads_to_centre(seat)

        self.lines = siguo_lines(self) if variant == "siguo" else luzhanqi_lines()
        self.rails = {frozenset(step) for line in self.lines for step in itertools.pairwise(line)}

        self.road_neighbours: dict[str, set[str]] = {point: set() for point in self.points}
        for first, second in self.roads:
            self.road_neighbours[first].add(second)
            self.road_neighbours[second].add(first)
        self.rail_neighbours: dict[str, set[str]] = {point: set() for point in self.points}
        for first, second in self.rails:
            self.rail_neighbours[first].add(second)
            self.rail_neighbours[second].add(first)
        # By point, the points ahead on each line, in both directions.
        self.ahead: dict[str, list[list[str]]] = {point: [] for point in self.points}
        for line in self.lines:
            for place, point in enumerate(line):
                self.ahead[point] += [line[place + 1 :], line[:place][::-1]]

    def point_of(self, seat: str, index: int) -> str:
        """The point that a seat numbers index in its own block."""
        return point_name(*block_xy(self.variant, seat, index // 5, index % 5))

    def _add_roads_of_block(self, seat: str) -> None:
        for first in range(30):
            for second in range(first + 1, 30):
                rows = abs(first // 5 - second // 5)
                columns = abs(first % 5 - second % 5)
                diagonal_of_campsite = rows == columns == 1 and (
                    first in CAMPSITE_INDEXES or second in CAMPSITE_INDEXES
                )
                if rows + columns == 1 or diagonal_of_campsite:
                    self.roads.add(frozenset((self.point_of(seat, first), self.point_of(seat, second))))

    def _add_roads_to_centre(self, seat: str) -> None:
        for column in (0, 2, 4):
            front = point_name(*block_xy("siguo", seat, 0, column))
            # The formula of a block's points goes on past its front row: row -1 is one step ahead of it.
            ahead = point_name(*block_xy("siguo", seat, -1, column))
            self.roads.add(frozenset((front, ahead)))


def siguo_lines(board: SlowBoard) -> list[list[str]]:
    """The 18 railway lines of the four-seat board."""
    lines = []
    for file in "gk":
        lines.append([f"{file}{rank}" for rank in (2, 3, 4, 5, 6, 7, 9, 11, 12, 13, 14, 15, 16)])
    for rank in (7, 11):
        lines.append([f"{file}{rank}" for file in "bcdefgiklmnop"])
    lines.append(["i6", "i7", "i9", "i11", "i12"])
    lines.append(["f9", "g9", "i9", "k9", "l9"])
    for seat in board.seats:
        for row in (0, 4):
            lines.append([board.point_of(seat, 5 * row + column) for column in range(5)])
    for seat, following in ("SE", "EN", "NW", "WS"):
        towards_centre = [board.point_of(seat, 5 * row + 4) for row in (4, 3, 2, 1, 0)]
        away = [board.point_of(following, 5 * row) for row in (0, 1, 2, 3, 4)]
        lines.append(towards_centre + away)
    return lines


def luzhanqi_lines() -> list[list[str]]:
    """The 7 railway lines of the two-seat board."""
    lines = [[f"{file}{rank}" for file in "abcde"] for rank in (2, 6, 7, 11)]
    lines += [[f"{file}{rank}" for rank in range(2, 12)] for file in "ae"]
    lines.append(["c6", "c7"])
    return lines


@functools.cache
def board_of(variant: str) -> SlowBoard:
    """The one board of a variant."""
    return SlowBoard(variant)


def are_friends(variant: str, first: str, second: str) -> bool:
    """True if two seats are the same or partners."""
    return any(first in team and second in team for team in TEAMS[variant])


def straight_runs(board: SlowBoard, pieces: Pieces, start: str) -> set[str]:
    """Where a run along one line from start can end: empty points and the first piece in the way."""
    ends = set()
    for ahead in board.ahead[start]:
        for point in ahead:
            ends.add(point)
            if point in pieces:
                break
    return ends


def engineer_runs(board: SlowBoard, pieces: Pieces, start: str) -> set[str]:
    """Where an engineer's run from start can end: empty points and every piece next to them."""
    ends: set[str] = set()
    waiting = [start]
    while waiting:
        for point in board.rail_neighbours[waiting.pop()]:
            if point != start and point not in ends:
                ends.add(point)
                if point not in pieces:
                    waiting.append(point)
    return ends


def destinations(board: SlowBoard, pieces: Pieces, start: str, piece: Piece) -> set[str]:
    """The points to which a piece on `start` can move, regardless of the turn."""
    seat, letter = piece
    if letter in (LANDMINE, FLAG) or start in board.headquarters:
        return set()
    find_runs = engineer_runs if letter == ENGINEER else straight_runs
    allowed = set()
    for point in find_runs(board, pieces, start) | board.road_neighbours[start]:
        if point in pieces:
            owner = pieces[point][0]
            if point in board.campsites or are_friends(board.variant, seat, owner):
                continue
        allowed.add(point)
    return allowed


def battle(attacker: str, defender: str) -> str:
    """The outcome of a battle: "x" the attacker wins, "o" the defender stays, "=" both leave."""
    if BOMB in (attacker, defender):
        return "="
    if defender == FLAG:
        return "x"
    if defender == LANDMINE:
        return "x" if attacker == ENGINEER else "o"
    if attacker == defender:
        return "="
    return "x" if RANKED.index(attacker) < RANKED.index(defender) else "o"


def is_legal_lineup(lineup: str) -> bool:
    """True if 25 letters are a line-up: the right pieces, and each where it may stand."""
    if sorted(lineup) != sorted("".join(letter * count for letter, count in COUNTS.items())):
        return False
    for index, letter in zip(lineup_indexes(), lineup, strict=True):
        if letter == LANDMINE and index < 20:
            return False
        if letter == BOMB and index < 5:
            return False
        if letter == FLAG and index not in HEADQUARTERS_INDEXES:
            return False
    return True


def lineup_indexes() -> list[int]:
    """The indexes that the letters of a line-up stand on."""
    return [index for index in range(30) if index not in CAMPSITE_INDEXES]


class SlowGame:
    """A game with all pieces known. `result` is None, a team ("SN", "EW"; luzhanqi "S", "N") or "draw"."""

    def __init__(
        self,
        variant: str,
        pieces: Pieces,
        turn: str,
        alive: str,
        quiet: int,
        ply: int,
        no_contact: int | None = None,
        no_contact_result: str | None = None,
        max_plies: int = 0,
    ) -> None:
        self.variant = variant
        self.board = self.find_board(variant)
        self.pieces = dict(pieces)
        self.turn = turn
        self.alive = alive
        self.quiet = quiet
        self.ply = ply
        self.no_contact = NO_CONTACT[variant] if no_contact is None else no_contact
        self.no_contact_result = no_contact_result or NO_CONTACT_RESULT[variant]
        self.max_plies = max_plies
        self.result: str | None = None
        self._retire(self.alive)
        if self.result is None and self.turn not in self.alive and self._winner() is None:
            self.turn = self._next_seat()
        self._settle()

    @classmethod
    def start(
        cls,
        lineups: dict[str, str] | None = None,
        variant: str = "siguo",
        no_contact: int | None = None,
        no_contact_result: str | None = None,
        max_plies: int = 0,
    ) -> "SlowGame":
        """The beginning of a game; a seat without a line-up has the built-in one."""
        board = board_of(variant)
        pieces = {}
        for seat in board.seats:
            lineup = (lineups or {}).get(seat, DEFAULT_LINEUP)
            if not is_legal_lineup(lineup):
                raise ValueError(f"not a line-up: {lineup}")
            for index, letter in zip(lineup_indexes(), lineup, strict=True):
                pieces[board.point_of(seat, index)] = (seat, letter)
        return cls(variant, pieces, "S", board.seats, 0, 0, no_contact, no_contact_result, max_plies)

    @classmethod
    def from_fen(
        cls,
        fen: str,
        variant: str = "siguo",
        no_contact: int | None = None,
        no_contact_result: str | None = None,
        max_plies: int = 0,
    ) -> "SlowGame":
        """The position of a FEN with viewer `*`."""
        fields = fen.split()
        if len(fields) == 7 and fields[6] == "-":
            del fields[6]
        if len(fields) != 6 or fields[3] != "*":
            raise ValueError(f"not a FEN of six fields with viewer *: {fen}")
        placement, turn, alive, _, quiet, ply = fields
        pieces = pieces_of_placement(placement, variant)
        if alive != "".join(seat for seat in ORDER[variant] if seat in alive) or len(turn) != 1:
            raise ValueError(f"bad seats: {turn} {alive}")
        if turn not in alive or any(seat not in alive for seat, _ in pieces.values()):
            raise ValueError(f"a seat that is out has the turn or a piece: {fen}")
        if any(list(pieces.values()).count((seat, FLAG)) != 1 for seat in alive):
            raise ValueError(f"a seat that is in has not one flag: {fen}")
        return cls(variant, pieces, turn, alive, int(quiet), int(ply), no_contact, no_contact_result, max_plies)

    @staticmethod
    def find_board(variant: str) -> SlowBoard:
        """The board that it is played on."""
        return board_of(variant)

    def copy(self) -> Self:
        """The same game, to be played on apart."""
        return type(self)(
            self.variant,
            self.pieces,
            self.turn,
            self.alive,
            self.quiet,
            self.ply,
            self.no_contact,
            self.no_contact_result,
            self.max_plies,
        )

    def fen(self) -> str:
        """The FEN of the position, viewer `*`."""
        ranks = []
        for y in range(HEIGHT[self.variant], 0, -1):
            text = ""
            empty = 0
            for x in range(WIDTH[self.variant]):
                piece = self.pieces.get(point_name(x, y))
                if piece is None:
                    empty += 1
                else:
                    text += (str(empty) if empty else "") + piece[0] + piece[1]
                    empty = 0
            ranks.append(text + (str(empty) if empty else ""))
        return f"{'/'.join(ranks)} {self.turn} {self.alive} * {self.quiet} {self.ply}"

    def legal(self) -> list[str]:
        """The legal moves, sorted as text; none in a finished game."""
        if self.result is not None:
            return []
        return sorted(
            start + target
            for start, piece in self.pieces.items()
            if piece[0] == self.turn
            for target in destinations(self.board, self.pieces, start, piece)
        )

    def play(self, move: str) -> str:
        """Play a move or `resign:SEAT` and return it with all that everyone saw."""
        if self.result is not None:
            raise ValueError(f"the game is over: {move}")
        if move.startswith("resign:"):
            return self._resign(move)
        if move not in self.legal():
            raise ValueError(f"not a legal move: {move}")
        return move + self._move(*split_move(move))

    def after(self, move: str) -> Self:
        """The game after one of its legal moves; it is not checked again."""
        after = self.copy()
        after._move(*split_move(move))
        return after

    def perft(self, depth: int) -> int:
        """The number of sequences of `depth` plies; every last ply is played too."""
        if depth == 0:
            return 1
        return sum(self.after(move).perft(depth - 1) for move in self.legal())

    def _resign(self, move: str) -> str:
        seat = move.removeprefix("resign:")
        if len(seat) != 1 or seat not in self.alive:
            raise ValueError(f"not a seat that is still in: {move}")
        self._remove_seat(seat)
        if seat == self.turn:
            self.turn = self._next_seat()
        return move + "".join("#" + gone for gone in self._settle())

    def _move(self, start: str, target: str) -> str:
        """Play a move that is known to be legal and return its suffix."""
        seat, letter = self.pieces.pop(start)
        met = self.pieces[target][0] if target in self.pieces else ""
        self.ply += 1
        self.quiet += 1
        suffix = ""
        if target not in self.pieces:
            self.pieces[target] = (seat, letter)
        else:
            suffix = self._battle(seat, letter, target)
        if met or target in self.board.headquarters:
            suffix += "".join("#" + gone for gone in self._retire(seat + met))
        self.turn = self._next_seat()
        return suffix + "".join("#" + gone for gone in self._settle())

    def _battle(self, seat: str, letter: str, target: str) -> str:
        owner, defender = self.pieces[target]
        outcome = battle(letter, defender)
        self.quiet = 0
        suffix = outcome
        if outcome in "o=" and letter == MARSHAL:
            suffix += "!" + self._flag_point(seat)
        if outcome in "x=" and defender == MARSHAL:
            suffix += "!" + self._flag_point(owner)
        if outcome == "x":
            self.pieces[target] = (seat, letter)
        elif outcome == "=":
            del self.pieces[target]
        if defender == FLAG:
            self._remove_seat(owner)
            suffix += "#" + owner
        return suffix

    def _flag_point(self, seat: str) -> str:
        return next(point for point, piece in self.pieces.items() if piece == (seat, FLAG))

    def _remove_seat(self, seat: str) -> None:
        self.alive = self.alive.replace(seat, "")
        self.pieces = {point: piece for point, piece in self.pieces.items() if piece[0] != seat}

    def _next_seat(self) -> str:
        """The next seat after the one to move that is still in."""
        order = ORDER[self.variant]
        place = order.index(self.turn)
        following = order[place + 1 :] + order[: place + 1]
        return next(seat for seat in following if seat in self.alive)

    def _retire(self, seats: str) -> list[str]:
        """Take out those of the seats none of whose pieces can ever move again, in the four-seat game; or a draw."""
        if self.variant != "siguo" or self._winner() is not None:
            return []
        stuck = [seat for seat in ORDER[self.variant] if seat in seats and seat in self.alive and self._is_stuck(seat)]
        if stuck and not set(self.alive) - set(stuck):
            self.result = "draw"
            return []
        for seat in stuck:
            self._remove_seat(seat)
        return stuck

    def _is_stuck(self, seat: str) -> bool:
        own = [(point, piece[1]) for point, piece in self.pieces.items() if piece[0] == seat]
        return all(letter in (LANDMINE, FLAG) or point in self.board.headquarters for point, letter in own)

    def _settle(self) -> list[str]:
        """Take out the seats that have the turn and no move, then find the result; the seats taken out."""
        gone: list[str] = []
        if self.result is not None:
            return gone
        while self._winner() is None and not self._can_move():
            gone.append(self.turn)
            self._remove_seat(self.turn)
            self.turn = self._next_seat()
        self.result = self._winner() or self._result_by_count()
        return gone

    def _can_move(self) -> bool:
        return any(
            piece[0] == self.turn and destinations(self.board, self.pieces, start, piece)
            for start, piece in self.pieces.items()
        )

    def _winner(self) -> str | None:
        first, second = TEAMS[self.variant]
        if not any(seat in self.alive for seat in second):
            return first
        if not any(seat in self.alive for seat in first):
            return second
        return None

    def _result_by_count(self) -> str | None:
        """The result when there were too many quiet plies, or too many plies at all."""
        if self.no_contact and self.quiet >= self.no_contact:
            if self.no_contact_result == "draw":
                return "draw"
            return next(team for team in TEAMS[self.variant] if self.turn not in team)
        if self.max_plies and self.ply >= self.max_plies:
            return "draw"
        return None


def split_move(move: str) -> tuple[str, str]:
    """The two points of a move without a suffix."""
    parts = re.fullmatch(r"([a-q]\d+)([a-q]\d+)", move)
    if parts is None:
        raise ValueError(f"not a move: {move}")
    return parts[1], parts[2]


def pieces_of_placement(placement: str, variant: str) -> Pieces:
    """The pieces of a FEN's first field."""
    ranks = placement.split("/")
    if len(ranks) != HEIGHT[variant]:
        raise ValueError(f"not {HEIGHT[variant]} ranks: {placement}")
    pieces: Pieces = {}
    for y, rank in zip(range(HEIGHT[variant], 0, -1), ranks, strict=True):
        x = 0
        tokens = re.findall(r"[0-9]+|[SENW][a-l]", rank)
        if "".join(tokens) != rank:
            raise ValueError(f"cannot read rank {y}: {rank}")
        for token in tokens:
            if token.isdigit():
                x += int(token)
                continue
            point = point_name(x, y) if x < WIDTH[variant] else "none"
            if point not in board_of(variant).points:
                raise ValueError(f"a piece off the board in rank {y}: {rank}")
            pieces[point] = (token[0], token[1])
            x += 1
        if x != WIDTH[variant]:
            raise ValueError(f"rank {y} is not {WIDTH[variant]} wide: {rank}")
    return pieces
