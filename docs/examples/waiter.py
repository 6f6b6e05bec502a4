"""The waiter, one of the panel: expectimax over proven ranks, and strong pieces that wait beside the enemy's flag.

    junqi-referee check cmd="python waiter.py"
    junqi-referee match --engine name=waiter cmd="python waiter.py" --engine cmd=junqi-engine option.Player=1.2 \\
        --each st=0.1 --rounds 20 --lineups engine

A move is worth the mean over how its battle can end, less what the enemy's best capture then gains. Without a battle
that pays, the highest ranks go to the campsites at the enemy's headquarters, where nothing can attack them, and stay
until what guards the flag is probably lower than they are.
"""

from __future__ import annotations  # without it, the types below would load the library before `uciok`

from battlefield import Sight
from own_engine import main

import junqi_engine as junqi

WORTHS = dict(zip("abcdefghijkl", (100, 80, 60, 44, 32, 20, 12, 8, 22, 18, 36, 600), strict=True))
NEARER = dict(zip("abcdefghik", (3.0, 4.0, 4.0, 3.5, 2.5, 2.0, 2.0, 1.5, 1.0, 0.5), strict=True))
"""What a ply less to a post beside the enemy's flag is worth to each piece."""
WAITING, GUARD, INTRUDER, CAUTION, IMPATIENCE = 10.0, 40.0, 30.0, 0.4, 120.0
LINEUPS = ("efdgebhcagkdchiijkgfjljih", "fdegdcebkhfagichgkjiihjlj", "gedfekbhcgdaihchijfkjljgi")


class Expectation:
    """What the moves in one position are worth."""

    def __init__(self, view: junqi.View) -> None:
        self.sight = Sight(view, WORTHS)
        field, self.ours = self.sight.field, self.sight.ours
        self.guards = {guard: chance for flag, chance in self.sight.flags.items() for guard in field.steps[flag]}
        self.posts = {point for point in field.campsites if field.steps[point] & self.guards.keys()}
        self.plies = field.plies_to(self.posts - (self.sight.taken - self.ours.keys()), self.sight.taken)
        flag = next((point for point, mine in self.ours.items() if mine == "l"), "")
        self.shield = field.steps.get(flag, set())
        self.yard = set[str]().union(self.shield, *(field.steps[point] for point in self.shield))
        self.dangers = {point: self.danger(mine, point, self.sight.taken) for point, mine in self.ours.items()}

    def of(self, move: junqi.Move) -> float:
        """The mean over the ends of the battle, if there is one, of what is won, the place, and the enemy's reply."""
        start, end = move.from_point, move.to_point
        mine = self.ours[start]
        stays = self.place(mine, end) - self.place(mine, start) - CAUTION * self.reply(start, end, mine)
        if end not in self.sight.enemies:
            return stays - (WORTHS[mine] if end in self.sight.field.traps else 0)
        wins, loses = self.sight.ends(mine, end)
        flag = self.sight.flags.get(end, 0.0)
        buried = (wins - flag) * WORTHS[mine] if end in self.sight.field.traps else 0
        way = (GUARD * self.guards.get(end, 0.0) + INTRUDER * (end in self.yard)) * (1 - loses)
        falls = -self.place(mine, start) - CAUTION * self.reply(start, end, "")
        won = self.sight.gain(mine, end) + way - buried + IMPATIENCE * self.sight.haste**2
        return won + wins * stays + (1 - wins) * falls

    def danger(self, mine: str, point: str, taken: set[str]) -> float:
        """What the enemy gains by an attack; what stands before the flag counts twice."""
        return (2 if point in self.shield else 1) * self.sight.danger(mine, point, taken)

    def place(self, mine: str, point: str) -> float:
        """What it is worth to wait on a post, or to be near one."""
        waits = WAITING if point in self.posts and mine in "abcd" else 0.0
        return waits - NEARER.get(mine, 0.0) * min(self.plies.get(point, 12), 12)

    def reply(self, start: str, end: str, mine: str) -> float:
        """The enemy's best capture after a move; `mine` is what stands on its end, nothing if the piece is removed."""
        taken = self.sight.taken - {start} | {end}
        near = {end} | self.sight.field.reach(start, taken) | self.sight.field.reach(end, taken)
        ours = {**self.ours, end: mine} if mine else self.ours
        return max(
            self.danger(ours[point], point, taken) if point in near else self.dangers[point]
            for point in ours
            if point != start
        )


def choose(view: junqi.View, moves: list[junqi.Move]) -> tuple[junqi.Move, float]:
    """The move with the highest expectation."""
    expectation = Expectation(view)
    return max(((move, expectation.of(move)) for move in moves), key=lambda found: found[1])


if __name__ == "__main__":
    main("Waiter", choose, LINEUPS)
