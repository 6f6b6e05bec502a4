"""One game of self-play. Each team chooses its moves by what it sees; the referee alone knows the line-ups.

**Line-ups** are of every quality: each is drawn from the population by worths (`players/lineup_population.py`) or a
flatter one, or is the best of 1, 3, 10 or 60 sensible ones (`players/lineup_choice.py`), or a random legal one.
**Noise** makes openings and positions differ: random plies first, and later now and then one of the moves that are
nearly as good as the best. **Players** are drawn from a mixture for each team.

**A game ends early** where there is no doubt how it ends. In Siguo, a team has lost if it has at most `FEW` pieces that
can move while the other team has at least `MANY`. A seat must move in its turn, so a single piece cannot wait in a
campsite, and a seat without a piece that can move is eliminated. In Luzhanqi there is always some doubt: a team with a
single piece has won. docs/training.md has the numbers of games that were played on.
"""

import random
from typing import TYPE_CHECKING

import numpy as np

from junqi_engine.information.view import SeatView
from junqi_engine.players import lineup_choice, lineup_population
from junqi_engine.players.randomness import random_move
from junqi_engine.players.registry import RECIPES, SearchRecipe, event_recipe
from junqi_engine.players.search_player import FULL_SKILL, think
from junqi_engine.rules import lineup
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import contains, team_of
from junqi_engine.rules.pieces import COUNTS, LETTERS
from junqi_engine.rules.position import Result
from junqi_engine.search.root import Limits, TeamSearch
from tools.referee.endings import Ending
from tools.referee.truth import ending_of
from tools.training.games import team_view
from tools.training.selfplay.game_file import LARGEST_SCORE, NO_SCORE, StoredGame
from tools.training.selfplay.settings import Mixture, Player, Settings

if TYPE_CHECKING:
    from tools.training.selfplay.quick import QuickGame
from junqi_engine.rules.board import SIGUO
from junqi_engine.rules.position import WIN_OF_TEAM

FEW = 1
MANY = 8


def decision(state: GameState) -> Result:
    """The result of an unfinished game if it is beyond doubt, else `ONGOING`."""
    if state.board.variant != SIGUO.variant:
        return Result.ONGOING
    mobile = [0, 0]
    for seat, pieces in enumerate(state.position["movable"].tolist()):
        mobile[team_of(seat)] += pieces.bit_count()
    for team, winner in enumerate(WIN_OF_TEAM):
        if mobile[1 - team] <= FEW and mobile[team] >= MANY:
            return winner
    return Result.ONGOING


CANDIDATES = (0, 1, 3, 10, 60)
"""A line-up is the best of so many sensible ones, drawn from this list; 0 is a random legal one."""
FLATTENED = (1, 1.5, 2.5, 5)
"""Or it is from the population at a temperature so many times higher. Both lists are drawn from equally often."""
EXAMPLES = 400
"""So many line-ups tell the quick players how frequent each kind is on each place."""
HASH_MB = 4
"""Enough for some thousands of nodes; a small table remains in the processor's cache."""


class Generator:
    """Plays the games of a run, one at a time. A game depends on the settings and its number alone."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._mixture = Mixture.parse(settings.mixture)
        self._searches: dict[str, TeamSearch] = {}
        self._running = np.zeros(1, np.uint8)
        self._quick: QuickGame | None = None

    def play(self, number: int) -> StoredGame:
        settings = self.settings
        rng = random.Random(f"{settings.seed} {number}")
        players = self._mixture.draw(rng), self._mixture.draw(rng)
        lineups = {letter: draw_lineup(rng, settings.board.variant) for letter in settings.board.seats}
        if self._mixture.is_quick:
            return self._play_quick(number, players, lineups, rng.getrandbits(63))
        truth = GameState.start(settings.board, lineups, settings.rules)
        views = [team_view(truth, team) for team in range(2)]
        seed = rng.getrandbits(32)
        moves: list[int] = []
        scores: list[int | None] = []
        result, ending = truth.result, Ending.ADJUDICATED
        while result == Result.ONGOING:
            team = team_of(truth.turn)
            move, score = self._choose(players[team], views[team], seed, rng)
            seen = truth.play(move)
            for view in views:
                view.observe(seen)
            moves.append(move)
            scores.append(score)
            result = truth.result
            if result == Result.ONGOING and settings.is_adjudicated:
                result = decision(truth)
        if truth.result != Result.ONGOING:
            ending = ending_of(truth, lineups)
        return StoredGame(number, players, tuple(lineups.values()), result, ending, tuple(moves), tuple(scores))

    def _play_quick(
        self, number: int, players: tuple[Player, Player], lineups: dict[str, str], seed: int
    ) -> StoredGame:
        """A game of quick players, which have the same limit of nodes."""
        if self._quick is None:
            from tools.training.selfplay.quick import QuickGame

            rng = random.Random(EXAMPLES)
            examples = [draw_lineup(rng, self.settings.variant) for _ in range(EXAMPLES)]
            self._quick = QuickGame(self.settings, examples, players[0].nodes)
        state, moves, scores = self._quick.play(list(lineups.values()), seed)
        found = tuple(None if score == NO_SCORE else score for score in scores)
        ending = ending_of(state, lineups)
        return StoredGame(number, players, tuple(lineups.values()), state.result, ending, tuple(moves), found)

    def _choose(self, player: Player, view: SeatView, seed: int, rng: random.Random) -> tuple[int, int | None]:
        """A move and the score of the position, None without a search."""
        moves = view.legal_moves()
        if view.ply < self.settings.random_plies:
            return random_move(rng, moves), None
        recipe = RECIPES[player.version]
        if not isinstance(recipe, SearchRecipe):
            return event_recipe(player.version).choose(view, seed, moves).move, None
        if player.version not in self._searches:
            self._searches[player.version] = recipe.new_search(HASH_MB)
        is_noisy = rng.random() < self.settings.near_best
        limits = Limits(nodes=player.nodes, lines=self.settings.near_lines if is_noisy else 1)
        found = think(self._searches[player.version], view, seed, FULL_SKILL, moves, limits, self._running)
        best = found[0].score
        near = [line.move for line in found if line.score >= best - self.settings.near_margin]
        return rng.choice(near), max(-LARGEST_SCORE, min(LARGEST_SCORE, best))


def draw_lineup(rng: random.Random, variant: str) -> str:
    """A line-up of any quality."""
    if rng.random() < 0.5:
        return lineup_population.draw(rng, variant, rng.choice(FLATTENED))
    candidates = rng.choice(CANDIDATES)
    return lineup_choice.sensible(rng, candidates) if candidates else random_lineup(rng)


def random_lineup(rng: random.Random) -> str:
    """A random legal line-up: the kinds with the fewest places first, each on random free places."""
    placed: dict[int, str] = {}
    for kind in sorted(range(len(LETTERS)), key=_places):
        free = [place for place, mask in enumerate(lineup.MASK_AT) if contains(mask, kind) and place not in placed]
        placed |= dict.fromkeys(rng.sample(free, COUNTS[kind]), LETTERS[kind])
    return "".join(placed[place] for place in range(len(placed)))


def _places(kind: int) -> int:
    """On how many places the rules allow a kind."""
    return sum(contains(mask, kind) for mask in lineup.MASK_AT)
