"""An engine of one's own over the library: it speaks the text protocol and looks one ply ahead.

    junqi-referee check --variant luzhanqi cmd="python own_engine.py"
    junqi-referee match --variant luzhanqi --engine name=mine cmd="python own_engine.py" \
        --engine name=random cmd=junqi-engine option.Player=1.0 --each st=0.1 --rounds 10

The library knows the rules and follows the game; this program reads commands, chooses, and answers. For another engine,
change `worth`, or import `main` and give it a `choose` and line-ups. It chooses in
milliseconds and needs no thread: after `go infinite` or `go ponder`, the answer waits. It has the levels *plays* and
*analyses* of docs/protocol.md.
"""

from __future__ import annotations  # without it, the types below would load the library before `uciok`

import random
import sys
from collections.abc import Callable, Sequence
from functools import cached_property

import junqi_engine as junqi

VARIANTS = ("siguo", "luzhanqi")
FLAG, LANDMINE, BOMB, ENGINEER = "l", "j", "k", "i"
WORTHS = dict(zip("abcdefghijkl", (90, 70, 50, 35, 25, 18, 12, 8, 25, 15, 30, 1000), strict=True))
Choose = Callable[["junqi.View", list["junqi.Move"]], tuple["junqi.Move", float]]
GO_WORDS = "depth nodes movetime time inc wtime btime winc binc movestogo infinite ponder searchmoves".split()


def gain(mine: str, theirs: str, worths: dict[str, int] = WORTHS) -> int:
    """What an attack gains: the worth of the piece that it removes, less that of the attacker if it is removed."""
    if theirs == FLAG:
        return worths[FLAG]
    if mine == theirs or BOMB in (mine, theirs):
        return worths[theirs] - worths[mine]
    wins = mine == ENGINEER if theirs == LANDMINE else mine < theirs  # `a` is the highest rank
    return worths[theirs] if wins else -worths[mine]


def distance(point: str, other: str) -> int:
    return abs(ord(point[0]) - ord(other[0])) + abs(int(point[1:]) - int(other[1:]))


def worth(view: junqi.View, move: junqi.Move, flags: list[str]) -> float:
    """What a move is worth: an attack by what the enemy's piece may be, another move by its way to a flag."""
    mine = view.possible(move.from_point)
    if view.piece_at(move.to_point) is None:
        nearer = [distance(move.from_point, flag) - distance(move.to_point, flag) for flag in flags]
        return max(nearer, default=0) - WORTHS[mine] / 100
    possible = view.possible(move.to_point)
    return sum(gain(mine, theirs) for theirs in possible) / len(possible) + view.quiet / 4


def choose(view: junqi.View, moves: list[junqi.Move]) -> tuple[junqi.Move, float]:
    """The best of some moves, and what it is worth."""
    [ours] = [team for team in view.teams if view.turn in team]
    enemies = [point for point, piece in view.piece_map().items() if piece.seat not in ours]
    flags = [point for point in enemies if FLAG in view.possible(point)]
    return max(((move, worth(view, move, flags)) for move in moves), key=lambda found: found[1])


class Session:
    """What lasts between commands: the game, and an answer that waits. `lineups` are those of `go setup`, if any."""

    def __init__(self, name: str, choose: Choose, lineups: Sequence[str]) -> None:
        self.name, self.choose, self.lineups = name, choose, lineups
        self.answer = ""
        self.awaited: tuple[str, ...] = ("stop",)
        self.reset("siguo")

    def reset(self, variant: str) -> None:
        self.variant, self.lineup = variant, ""
        self.head, self.moves = ["startpos"], list[str]()
        self.__dict__.pop("view", None)

    @cached_property
    def view(self) -> junqi.View:
        """The position. The first one is made when it is needed, because the library then loads its kernels.

        Those that generate and follow moves are loaded too, so that nothing waits for them after `isready`.
        """
        view = junqi.View(self.variant)
        view.copy().push(view.legal_moves[0])
        return view

    def obey(self, command: str, words: list[str]) -> None:
        """Carry out a command. `Refused` if it is rejected; it has then changed nothing."""
        if command in (*self.awaited, "setoption", "ucinewgame", "position", "go", "quit"):
            self.finish()
        match command, words:
            case "uci", _:
                print(f"id name {self.name}\nid author you\ninfo string protocol-version 2")
                print("option name UCI_Variant type combo default siguo var", " var ".join(VARIANTS), end="\nuciok\n")
            case "isready", _:
                print("readyok" if self.view else "")
            case "setoption", ["name", name, "value", value] if name.lower() == "uci_variant":
                if value not in VARIANTS:
                    raise junqi.Refused("bad-value", f"UCI_Variant: {value!r} is not one of {', '.join(VARIANTS)}")
                self.reset(value)
            case "ucinewgame", _:
                self.reset(self.variant)
            case "position", _:
                self.follow(words)
            case "go", _:
                self.go(words)
            case "d", _:
                print(f"info string fen {self.view.fen()}\ninfo string {self.view.turn} to move")
            case "setoption" | "gameover" | "stop" | "ponderhit" | "quit", _:
                pass  # options that it does not declare are ignored
            case _:
                raise junqi.Refused("unknown-command", repr(command))

    def finish(self) -> None:
        """Give the answer that waits, if there is one."""
        if self.answer:
            print(f"bestmove {self.answer}")
        self.answer = ""

    def follow(self, words: list[str]) -> None:
        """Set up a position. If its moves continue those of the last one, only the new ones are played."""
        end = words.index("moves") if "moves" in words else len(words)
        head, moves, known = words[:end], words[end + 1 :], len(self.moves)
        goes_on = head == self.head and moves[:known] == self.moves
        view = self.view.copy() if goes_on else self.start(head)
        for move in moves[known:] if goes_on else moves:
            view.push(move)
        self.head, self.moves, self.view = head, moves, view

    def start(self, words: list[str]) -> junqi.View:
        if words[:1] == ["fen"]:
            return junqi.View.from_fen(" ".join(words[1:]))
        if words[:1] != ["startpos"]:
            raise junqi.Refused("bad-position", "expected startpos or fen")
        lineups = {word[0]: word[2:] for word in words if word[1:2] == ":"}
        viewer = words[-1] if words[-2:-1] == ["viewer"] else "".join(lineups) or None
        return junqi.View(self.variant, viewer, lineups)

    def go(self, words: list[str]) -> None:
        """Every `go` gets one answer; after an error it is `bestmove (none)`."""
        try:
            self.answer = self.set_up(words[1:]) if words[:1] == ["setup"] else self.search(words)
        except junqi.Refused as error:
            self.answer = "(none)"
            report(error)
        self.awaited = ("stop", "ponderhit") if "ponder" in words else ("stop",)
        if not {"infinite", "ponder"} & set(words):
            self.finish()

    def set_up(self, words: list[str]) -> str:
        """A line-up from those of the program, else one that the library draws; the same for all seats of a game."""
        if words and words[0] not in self.view.seats:
            raise junqi.Refused("bad-argument", f"go setup: {words[0]!r} is not one of {', '.join(self.view.seats)}")
        if not self.lineup:
            self.lineup = random.choice(self.lineups) if self.lineups else junqi.Game(self.variant).lineups["S"]
        return "@" + self.lineup

    def search(self, words: list[str]) -> str:
        for word, number in zip(words, [*words[1:], ""], strict=False):
            if word in ("depth", "nodes", "movetime") and not number.isdecimal():
                raise junqi.Refused("bad-number", f"go {word}: {number!r} is not a whole number")
        if words and words[0] not in GO_WORDS:
            raise junqi.Refused("bad-argument", f"go: {words[0]!r} is not one of {', '.join(GO_WORDS)}")
        moves = [move for move in self.view.legal_moves if "searchmoves" not in words or move in words]
        if not moves:
            code = "illegal-move" if "searchmoves" in words else "game-over"
            raise junqi.Refused(code, "go: there is no legal move to choose")
        best, points = self.choose(self.view, moves)
        print(f"info depth 1 nodes {len(moves)} score cp {points:.0f} pv {best}")
        return best


def report(error: junqi.Refused) -> None:
    print(f"info string error {error.code} {error}")


def main(name: str = "One Ply", choose: Choose = choose, lineups: Sequence[str] = ()) -> None:
    """Obey the lines of stdin up to `quit`. `choose` gives the best of some moves, and what it is worth."""
    session = Session(name, choose, lineups)
    with open(0, errors="replace") as lines:
        for line in lines:
            command, *words = line.split() or ["#"]
            try:
                if not command.startswith("#"):
                    session.obey(command, words)
            except junqi.Refused as error:
                report(error)
            sys.stdout.flush()
            if command == "quit":
                break
    session.finish()


if __name__ == "__main__":
    main()
