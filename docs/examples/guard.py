"""The guard, one of the panel: it keeps its flag's side closed, strikes back when it must win, and attacks late.

    junqi-referee check cmd="python guard.py"
    junqi-referee match --engine name=guard cmd="python guard.py" --engine cmd=junqi-engine option.Player=1.2 \\
        --each st=0.1 --rounds 20 --lineups engine

An attack must win more often than it fails. What comes into its block is attacked first, and what just won a battle. As
soon as an enemy seat has clearly fewer pieces than its own, or when the game would end without battles, all that is not
needed at home marches on that seat.
"""

from __future__ import annotations  # without it, the types below would load the library before `uciok`

from collections import Counter

from battlefield import Sight
from own_engine import main

import junqi_engine as junqi

WORTHS = dict(zip("abcdefghijkl", (110, 85, 62, 46, 33, 23, 15, 10, 20, 28, 34, 800), strict=True))
LEAD, PATIENCE, NEAR = 4, 0.3, 3
"""Pieces more than the weakest enemy seat, and plies without a battle, that begin the march; plies from the flag."""
URGE, HOME, MARCH, INTRUDER, REVENGE, SURE, FEAR = 90.0, 3.0, 2.5, 12.0, 10.0, 0.6, 1.0
LINEUPS = ("fgeghdhdebcfkakijcgijljhi", "gehfdecgidbhckaifkjghijlj", "hfgegdideckbfachjgihjljki")


class Watch:
    """What is to be guarded in one position, and whether to march."""

    def __init__(self, view: junqi.View) -> None:
        self.sight = Sight(view, WORTHS)
        field, ours, counts = self.sight.field, self.sight.ours, Counter(self.sight.seats.values())
        weak = min(counts, key=lambda seat: (counts[seat], view.seats.index(seat)))
        self.marches = len(ours) - counts[weak] >= LEAD or self.sight.haste > PATIENCE
        self.urge = URGE * max(0.0, self.sight.haste - PATIENCE)
        own = [point for point, mine in ours.items() if mine == "l"]
        self.block = set(field.blocks[view.turn])
        self.home = field.plies_to(own, ())
        flags = [flag for flag in self.sight.flags if field.home[flag] == weak]
        self.away = field.plies_to(flags, self.sight.taken)
        self.guards = {guard for flag in flags for guard in field.steps[flag]}
        last = [move for move in view.move_stack[-len(view.alive) + 1 :] if move.outcome in ("x", "o")]
        self.avenged = {move.to_point for move in last} & self.sight.enemies.keys()

    def place(self, mine: str, point: str) -> float:
        """The four highest ranks and bombs stay near the flag, unless the seat marches; then only bombs do."""
        if self.marches and mine != "k":
            return -MARCH * min(self.away.get(point, 12), 12)
        return -HOME * max(0, self.home.get(point, 12) - NEAR) if mine in "abcdk" else 0.0

    def worth(self, move: junqi.Move) -> float:
        start, end = move.from_point, move.to_point
        mine = self.sight.ours[start]
        place = self.place(mine, end) - self.place(mine, start)
        risk = self.sight.danger(mine, end, self.sight.taken - {start})
        place += FEAR * (self.sight.danger(mine, start, self.sight.taken) - risk)
        buried = WORTHS[mine] if end in self.sight.field.traps else 0
        if end not in self.sight.enemies:
            return place - buried
        wins, loses = self.sight.ends(mine, end)
        flag = self.sight.flags.get(end, 0.0)
        won = self.sight.gain(mine, end) + self.urge - (wins - flag) * buried
        won += (INTRUDER * (end in self.block) + REVENGE * (end in self.avenged)) * (wins - loses)
        won += 30 * flag + 15 * (self.marches and end in self.guards) * (1 - loses)
        unsure = 0 if 1 - loses >= SURE or self.marches else WORTHS[mine] / 2
        return won + wins * place - unsure


def choose(view: junqi.View, moves: list[junqi.Move]) -> tuple[junqi.Move, float]:
    """The best move for the watch."""
    watch = Watch(view)
    return max(((move, watch.worth(move)) for move in moves), key=lambda found: found[1])


if __name__ == "__main__":
    main("Guard", choose, LINEUPS)
