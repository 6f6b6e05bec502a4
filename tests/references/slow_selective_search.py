"""The search that is played, written plainly: a slow twin of `junqi_engine/search`.

It has no limits of nodes and no stop flag. The numbers of a recipe come from a `SEARCH` record.
"""

import numpy as np

from junqi_engine.evaluation.interface import UNKNOWN_VALUE
from tests.references.slow_ordering import INFINITE, NO_MOVE, SlowChoice, SlowMemory, take_best
from tests.references.slow_table import AT_LEAST, AT_MOST, EXACT, WON, SlowTable
from tests.references.slow_world import SlowWorld

WIDENING, WIDEST = 3, 2000


class SlowSearch:
    """A search in one world. Scores are for the team to move, depths in plies.

    `uses_threats` switches the pruning by threats off; the fast search always uses them.
    """

    def __init__(self, world: SlowWorld, table: SlowTable, record: np.void, uses_threats: bool = True) -> None:
        self.world, self.table, self.memory = world, table, SlowMemory()
        self.record = {name: record[name].tolist() for name in record.dtype.names}
        self.uses_threats = uses_threats
        self.nodes = self.deepest = 0
        self.null_cutoffs = self.threat_cuts = 0
        """How often a null move caused a cutoff, and how many moves a threat pruned."""
        self._refutations: dict[int, int] = {}

    def search(self, depth: int, alpha: int, beta: int, ply: int, may_pass: bool = True) -> int:
        """The value, exact between `alpha` and `beta`, and a bound outside."""
        world = self.world
        if world.is_over:
            self._refutations[ply] = NO_MOVE
            return world.final_score(ply)
        if depth <= 0:
            if self.record["quiescence_plies"]:
                return self.quiesce(alpha, beta, ply, self.record["quiescence_plies"])
            return world.value()
        self.deepest = max(self.deepest, ply)
        plies = self.record["quiescence_plies"]
        near_limit = any(world.limits_in_reach(depth, plies))
        key, table_move = world.key_at(depth, plies), NO_MOVE
        known = self.table.find(key)
        if known is None:
            # Near a limit, the move of a search that did not reach it.
            distant = self.table.find(world.key)
            table_move = distant.move if distant is not None else NO_MOVE
        else:
            table_move = known.move
            is_deep = known.depth == depth or (known.depth > depth and self.record["is_selective"])
            if is_deep and known.generation == self.table.generation:
                score = known.score_at(ply)
                if known.bound == EXACT or (score >= beta if known.bound == AT_LEAST else score <= alpha):
                    return score
        static = world.value()
        may_prune = self.record["is_selective"] and not near_limit and abs(beta) < WON
        if may_prune and may_pass and depth >= self.record["null_move_depth"] and static >= beta:
            found = self._after_null_move(depth, beta, ply)
            if found >= beta:
                self.null_cutoffs += 1
                return min(found, WON)
        best, best_move, dropped = self._best_move(depth, alpha, beta, ply, table_move, static, may_prune)
        if best == dropped == -INFINITE:
            return static
        if best <= alpha:
            best = max(best, dropped)
        bound = AT_LEAST if best >= beta else EXACT if best > alpha else AT_MOST
        self.table.store(key, depth, best, bound, ply, best_move)
        return best

    def _after_null_move(self, depth: int, beta: int, ply: int) -> int:
        """The score if we pass, with a null window below `beta`."""
        us, turn = self.world.team, self.world.pass_turn()
        reduction = self.record["null_move_reduction"] + depth // self.record["null_move_divisor"]
        found = self._for_us(us, depth - 1 - reduction, beta - 1, beta, ply + 1, may_pass=False)
        self.world.take_turn_back(turn)
        return found

    def _for_us(self, us: int, depth: int, low: int, high: int, ply: int, may_pass: bool = True) -> int:
        """Search the position that is reached; window and score are for team `us`."""
        if self.world.team == us:
            return self.search(depth, low, high, ply, may_pass)
        return -self.search(depth, -high, -low, ply, may_pass)

    def _best_move(
        self, depth: int, alpha: int, beta: int, ply: int, table_move: int, static: int, may_prune: bool
    ) -> tuple[int, int, int]:
        """The best score and its move, and what the best of the dropped moves may reach."""
        world = self.world
        us = world.team
        prunes_for_us = may_prune and world.enemy_is_next()
        margins = self.record["quiet_margin"]
        drops = prunes_for_us and depth < len(margins) and margins[depth] >= 0 and alpha > -WON
        margin = margins[depth] if drops else 0
        choice = SlowChoice(world, self.memory, ply, table_move, alpha - margin if drops else -INFINITE)
        best, best_move, floor = -INFINITE, NO_MOVE, alpha
        threat, threat_cost = NO_MOVE, 0
        searched = 0
        for move in choice:
            is_quiet = world.is_quiet(move)
            if is_quiet and threat != NO_MOVE and not self._may_parry(move, threat):
                promise = world.value_after(move) - threat_cost
                if promise <= floor:
                    self.threat_cuts += 1
                    best = max(best, promise)
                    continue
            world.make(move)
            self.nodes += 1
            found = self._value_of_child(us, depth, floor, beta, ply, searched, is_quiet)
            world.unmake()
            searched += 1
            if self.uses_threats and prunes_for_us and depth == 1 and is_quiet and found < floor and threat == NO_MOVE:
                refutation = self._refutations.get(ply + 1, NO_MOVE)
                if refutation & 0xFF != move & 0xFF:
                    threat, threat_cost = refutation, world.value_after(move) - found
            if found > best:
                best, best_move = found, move
                floor = max(floor, found)
            if found >= beta:
                if is_quiet:
                    self.memory.reward(world, move, choice.quiets, depth, ply)
                break
        has_dropped = choice.dropped_value > -INFINITE
        return best, best_move, alpha if has_dropped and margin else choice.dropped_value

    def _value_of_child(
        self, us: int, depth: int, floor: int, beta: int, ply: int, searched: int, is_quiet: bool
    ) -> int:
        """The first move has the full window. The others have a null window, late quiet ones at less depth first."""
        if searched:
            reduced = depth - 1
            if self.record["is_selective"] and is_quiet and depth >= 2:
                reductions = self.record["reductions"]
                row = reductions[min(depth, len(reductions) - 1)]
                reduced = max(0, reduced - row[min(searched, len(row) - 1)])
            found = self._for_us(us, reduced, floor, floor + 1, ply + 1)
            if found > floor and reduced < depth - 1:
                found = self._for_us(us, depth - 1, floor, floor + 1, ply + 1)
            if not floor < found < beta:
                return found
        return self._for_us(us, depth - 1, floor, beta, ply + 1)

    def _may_parry(self, move: int, threat: int) -> bool:
        """Whether a quiet move moves the piece under attack, or may stand in the way of a run along a railway."""
        if move >> 8 == threat & 0xFF:
            return True
        tables, start = self.world.tables, threat >> 8
        neighbours = tables["near"][start][: tables["near_count"][start]].tolist()
        return bool(tables["rail"][move & 0xFF]) and threat & 0xFF not in neighbours

    def quiesce(self, alpha: int, beta: int, ply: int, plies_left: int) -> int:
        """The value if both sides stop, or play battles that promise a gain, for at most `plies_left` plies."""
        world = self.world
        if world.is_over:
            return world.final_score(ply)
        best = dropped = world.value()
        self._refutations[ply] = NO_MOVE
        if best >= beta or plies_left == 0:
            return best
        self.deepest = max(self.deepest, ply)
        floor, us = max(alpha, best), world.team
        # Then a battle is worth at most the value after it, except at the limit of plies, where the game ends.
        enemy_can_stop = world.enemy_is_next() and not world.is_last_ply()
        battles = []
        for move in world.battles():
            gain = world.battle_gain(move)
            if gain <= 0:
                continue
            promise = world.value_after(move) if enemy_can_stop else UNKNOWN_VALUE
            if promise <= floor:
                dropped = max(dropped, promise)
            elif plies_left == 1 and promise != UNKNOWN_VALUE:
                # The enemy has no ply left, so this is the value.
                self.nodes += 1
                best = floor = promise
                self._refutations[ply] = move
                if best >= beta:
                    return best
            else:
                battles.append((64 * gain + world.kind(move), move))
        for i in range(len(battles)):
            move = take_best(battles, i)[1]
            world.make(move)
            self.nodes += 1
            if world.team == us:
                found = self.quiesce(floor, beta, ply + 1, plies_left - 1)
            else:
                found = -self.quiesce(-beta, -floor, ply + 1, plies_left - 1)
            world.unmake()
            if found > best:
                best = found
                self._refutations[ply] = move
                floor = max(floor, best)
                if best >= beta:
                    break
        return max(best, dropped)

    def search_moves(self, moves: list[int], values: list[int], depth: int, leaders: int, width: int) -> None:
        """Search root moves in their order; `values` has the expected values first and the found ones at the end."""
        us, drift = self.world.team, 0
        for i, move in enumerate(moves):
            self.world.make(move)
            self.nodes += 1
            if leaders:
                low = sorted(values[:i], reverse=True)[leaders - 1] if i >= leaders else -INFINITE
                found = self._for_us(us, depth - 1, low, INFINITE, 1)
            else:
                found = self._exact_value(us, depth - 1, values[i] + drift, width)
            self.world.unmake()
            if i == 0 and not leaders and abs(values[0]) < WON and abs(found) < WON:
                drift = found - values[0]
            values[i] = found

    def _exact_value(self, us: int, depth: int, expected: int, width: int) -> int:
        """Search a window around the expected value, then beyond the bound where the value lies, ever farther."""
        low, high = (expected - width, expected + width) if abs(expected) < WON else (-INFINITE, INFINITE)
        step = width
        while True:
            found = self._for_us(us, depth, low, high, 1)
            if low < found < high:
                return found
            step *= WIDENING
            low, high = (found - step, low + 1) if found <= low else (high - 1, found + step)
            if step > WIDEST:
                low, high = -INFINITE, INFINITE
