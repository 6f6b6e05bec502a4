"""Learn luzhanqi by policy gradient (REINFORCE, Williams 1992): `python docs/policy_gradient.py`.

The pupil plays both seats against moves drawn as player 1.0 draws them, in many games at once. It sees its own pieces
and what is proven about the others. The gradient makes its moves likelier in the games that it won, and less likely in
those that it lost. In the match at the end, the opponent is player 1.0 itself.
"""

import argparse
import time
from collections.abc import Callable

import autograd.numpy as np
from autograd import grad

from junqi_engine.env import Batch, aec, policy

VARIANT, GAMES, POINTS, CHANNELS = "luzhanqi", 128, 60, 19
HIDDEN, KEYS = 48, 32
SAMPLES, MINI_BATCH, STEP, DISCOUNT, VARIETY = 4096, 512, 0.002, 0.99, 0.01
Weights = dict[str, np.ndarray]


def new_weights(rng: np.random.Generator) -> Weights:
    shapes = {"seen": (CHANNELS, HIDDEN), "place": (POINTS, HIDDEN), "start": (HIDDEN, KEYS), "target": (HIDDEN, KEYS)}
    return {name: rng.normal(0, 0.2, shape).astype(np.float32) for name, shape in shapes.items()}


def scores(weights: Weights, seen: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """(n, actions): the logarithms of the chances of the actions, from (n, points, channels) and (n, actions)."""
    # A point becomes a vector of what stands there and where it is; a move is worth the product of two of them.
    hidden = np.tanh(np.dot(seen, weights["seen"]) + weights["place"])
    starts, targets = np.dot(hidden, weights["start"]), np.dot(hidden, weights["target"])
    worth = np.matmul(starts, np.swapaxes(targets, 1, 2)).reshape(masks.shape)
    worth = np.where(masks, worth, np.float32(-1e9))
    worth = worth - np.max(worth, axis=1, keepdims=True)
    return worth - np.log(np.sum(np.exp(worth), axis=1, keepdims=True))


def choose(weights: Weights, seen: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(n,): an action for each observation, drawn from the chances."""
    return draw(np.exp(scores(weights, seen.astype(np.float32), masks)), rng)


def draw(chances: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(n,): a column for each row of chances, which need not add up to 1; never one of chance 0."""
    sums = np.cumsum(chances, axis=1, dtype=np.float64)
    return np.argmax(sums > rng.random((len(sums), 1)) * sums[:, -1:], axis=1)


def random_piece(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(n,): what player 1.0 plays, a random piece that can move, then a random move of it."""
    moves = masks.reshape(-1, POINTS, POINTS)
    starts = draw(moves.any(axis=2), rng)
    return starts * POINTS + draw(moves[np.arange(len(moves)), starts], rng)


def loss(weights: Weights, seen: np.ndarray, masks: np.ndarray, actions: np.ndarray, worth: np.ndarray) -> float:
    """Lower, the likelier the moves of worth; a small reward for variety keeps the pupil trying others."""
    told = scores(weights, seen, masks)
    variety = -np.sum(np.exp(told) * np.where(masks, told, 0), axis=1)
    return -np.mean(worth * told[np.arange(len(actions)), actions] + VARIETY * variety)


def improve(weights: Weights, moments: dict, slopes: Weights, number: int) -> None:
    """Step `number`, from 1 on, of the optimiser Adam (Kingma and Ba 2015)."""
    for name, slope in slopes.items():
        mean, square = moments.get(name, (0 * slope, 0 * slope))
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        moments[name] = mean, square
        size = STEP / (1 - 0.9**number) / (np.sqrt(square / (1 - 0.99**number)) + 1e-6)
        weights[name] = (weights[name] - size * mean).astype(np.float32)


class Lessons:
    """Games against player 1.0. `play` gives what the pupil saw and did in games that ended, and what it was worth."""

    def __init__(self, games: int, seed: int) -> None:
        self.batch = Batch(games, VARIANT, "dark", seed=seed)
        self.own_seat = np.arange(games) % 2
        self.moves: list[list[tuple]] = [[] for _ in range(games)]
        self.arrays, self.usual = self.batch.observe(), 0.0

    def play(self, weights: Weights, games: int, rng: np.random.Generator) -> tuple[list[tuple], list[float]]:
        steps, rewards = [], []
        while len(rewards) < games:
            self.batch.observe(out=self.arrays)
            is_own = self.batch.turns == self.own_seat
            seen, masks = self.arrays["observation"], self.arrays["action_mask"].astype(bool)
            actions = np.zeros(len(masks), np.intp)
            actions[is_own] = choose(weights, seen[is_own], masks[is_own], rng)
            actions[~is_own] = random_piece(masks[~is_own], rng)
            for game in np.flatnonzero(is_own):
                self.moves[game].append((seen[game].copy(), np.packbits(masks[game]), actions[game]))
            for game in np.flatnonzero(results := self.batch.step(actions)):
                reward = (0.0, 1.0, -1.0, 0.0)[results[game]] * (-1.0 if game % 2 else 1.0)
                played, self.moves[game] = self.moves[game], []
                # What is usual is worth nothing; late moves count more than early ones.
                worth = reward - self.usual
                steps += [(*step, worth * DISCOUNT ** (len(played) - n)) for n, step in enumerate(played)]
                rewards.append(reward)
        self.usual += 0.2 * (float(np.mean(rewards)) - self.usual)
        return steps, rewards


def learn(minutes: float, report: Callable[[str], None] = print, games: int = GAMES, seed: int = 1) -> Weights:
    """Learn for this many minutes of the processor; each tenth of the time is a line of the curve."""
    rng, lessons, started = np.random.default_rng(seed), Lessons(games, seed), time.process_time()
    weights, moments, number, played, recent, told = new_weights(rng), {}, 0, 0, [], 0
    report("minutes   games   score of the last 500 games")
    while (spent := (time.process_time() - started) / 60) < minutes:
        steps, rewards = lessons.play(weights, games, rng)
        played, recent = played + len(rewards), [*recent, *rewards][-500:]
        if spent >= told * minutes / 10:
            report(f"{spent:7.1f} {played:7}   {(np.mean(recent) + 1) / 2:.3f}")
            told += 1
        chosen = [steps[number] for number in rng.permutation(len(steps))[:SAMPLES]]
        seen, packed, actions, worth = (np.array(column) for column in zip(*chosen, strict=True))
        worth = (worth / (np.std(worth) + 1e-6)).astype(np.float32)
        for first in range(0, len(chosen), MINI_BATCH):
            part = slice(first, first + MINI_BATCH)
            masks = np.unpackbits(packed[part], axis=1, count=POINTS**2).astype(bool)
            slopes = grad(loss)(weights, seen[part].astype(np.float32), masks, actions[part], worth[part])
            improve(weights, moments, slopes, number := number + 1)
    return weights


def match(weights: Weights, games: int, seed: int = 1) -> float:
    """The score of the pupil against player 1.0, in games from the same line-ups with the seats exchanged."""
    rng, env, total = np.random.default_rng(seed), aec(VARIANT, "dark"), 0.0
    for number in range(games):
        env.reset(seed=seed + number // 2)
        own, other = "SN"[number % 2], policy("1.0", seed=seed + number)
        for agent in env.agent_iter():
            seen, reward, has_ended, _, _ = env.last()
            total += reward if agent == own else 0
            if agent == own and not has_ended:
                action = choose(weights, seen["observation"][None], seen["action_mask"][None].astype(bool), rng)[0]
            elif not has_ended:
                action = env.unwrapped.action_of(agent, other.move(env.unwrapped.view(agent)))
            env.step(None if has_ended else action)
    return (total / games + 1) / 2


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=6, help="minutes of the processor, default %(default)s")
    parser.add_argument("--match", type=int, default=100, help="games at the end, default %(default)s")
    asked = parser.parse_args()
    print(f"score of {asked.match} games against player 1.0: {match(learn(asked.minutes), asked.match):.3f}")
