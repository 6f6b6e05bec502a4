"""The raider, one of the panel: it runs along the railways at the enemy's weak side and trades when it is ahead.

    junqi-referee check cmd="python raider.py"
    junqi-referee match --engine name=raider cmd="python raider.py" --engine cmd=junqi-engine option.Player=1.2 \\
        --each st=0.1 --rounds 20 --lineups engine

It looks at one battle only. All its pieces run to the flag of the enemy seat that has the fewest pieces left; Engineers
to where landmines may lie, bombs to what has won battles.
"""

from __future__ import annotations  # without it, the types below would load the library before `uciok`

from collections import Counter

from battlefield import Sight
from own_engine import main

import junqi_engine as junqi

WORTHS = dict(zip("abcdefghijkl", (70, 58, 46, 36, 28, 21, 15, 11, 18, 24, 30, 900), strict=True))
RUNNING = dict(zip("abcdefghi", (1.0, 2.5, 3.0, 3.0, 3.0, 2.5, 2.0, 1.5, 1.0), strict=True))
"""What a ply less to the flag is worth to each piece."""
ENGINEER, BOMB, PLIES, GUARD, FEAR, AHEAD, IMPATIENCE = 3.0, 2.0, 10, 30.0, 0.5, 8.0, 40.0
LINEUPS = ("cgefabkidhedckgihfjgihjlj", "bfdhciekagdeifcgjkhijljgh", "adgecfbikehdickghjfihjglj")


class Raid:
    """The plan in one position: the seat that is raided, and the ways there."""

    def __init__(self, view: junqi.View) -> None:
        self.sight = Sight(view, WORTHS)
        field, enemies = self.sight.field, self.sight.enemies
        counts = Counter(self.sight.seats.values())
        weak = min(counts, key=lambda seat: (counts[seat], view.seats.index(seat)))
        self.flags = {point: chance for point, chance in self.sight.flags.items() if field.home[point] == weak}
        self.guards = {guard: chance for flag, chance in self.flags.items() for guard in field.steps[flag]}
        self.to_flag = field.plies_to(self.flags, self.sight.taken)
        self.to_landmine = field.plies_to((p for p in enemies if "j" in enemies[p]), self.sight.taken)
        winners = [point for point in enemies if self.has_won(point)]
        self.to_winner = field.plies_to(winners, self.sight.taken)
        own = len(self.sight.taken) - len(enemies)
        self.trade = AHEAD * (own - len(enemies)) / len(enemies)

    def has_won(self, point: str) -> bool:
        """Whether a battle proved a high rank."""
        return not set(self.sight.possible[point]) - set("abcde")

    def way(self, mine: str, point: str) -> float:
        """What it is worth to be as near as this to where the piece is needed."""
        need, plies = {"i": (ENGINEER, self.to_landmine), "k": (BOMB, self.to_winner)}.get(
            mine, (RUNNING.get(mine, 0.0), self.to_flag)
        )
        return need * (PLIES - min(plies.get(point, PLIES), PLIES))

    def worth(self, move: junqi.Move) -> float:
        start, end = move.from_point, move.to_point
        mine = self.sight.ours[start]
        way = self.way(mine, end) - self.way(mine, start)
        risk = self.sight.danger(mine, end, self.sight.taken - {start})
        safer = FEAR * (self.sight.danger(mine, start, self.sight.taken) - risk)
        buried = WORTHS[mine] if end in self.sight.field.traps else 0
        if end not in self.sight.enemies:
            return way + safer - buried
        wins, loses = self.sight.ends(mine, end)
        flag = self.sight.flags.get(end, 0.0)
        won = self.sight.gain(mine, end) + self.trade * (1 - wins - loses) + IMPATIENCE * self.sight.haste
        return won + GUARD * (1 - loses) * self.guards.get(end, 0.0) + wins * (way + safer) - (wins - flag) * buried


def choose(view: junqi.View, moves: list[junqi.Move]) -> tuple[junqi.Move, float]:
    """The best move of the raid."""
    raid = Raid(view)
    return max(((move, raid.worth(move)) for move in moves), key=lambda found: found[1])


if __name__ == "__main__":
    main("Raider", choose, LINEUPS)
