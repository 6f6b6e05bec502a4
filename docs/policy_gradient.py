"""Learn luzhanqi by policy gradient (REINFORCE, Williams 1992): `python docs/policy_gradient.py [--minutes 8]`.

The pupil plays both seats against random moves, as player 1.0 plays, in `GAMES` games at once. It sees its own pieces
and what is proven about the others. A step of the gradient makes its moves likelier in the games that it won, and less
likely in those that it lost. The opponent in the last games is player 1.0 itself.
"""

import argparse
import time
from collections.abc import Callable

import autograd.numpy as np
from autograd import grad

import junqi_engine as junqi
from junqi_engine.env import Batch, aec, policy

VARIANT, GAMES, POINTS, CHANNELS = "luzhanqi", 128, 60, 19
HIDDEN, KEYS = 48, 32
SAMPLES, MINI_BATCH, STEP, DISCOUNT = 4096, 512, 0.003, 0.99
WON = {(0, 1): 1.0, (0, 2): -1.0, (1, 2): 1.0, (1, 1): -1.0}
"""The reward by seat and result; a draw is worth 0."""
Weights = dict[str, np.ndarray]


def new_weights(rng: np.random.Generator) -> Weights:
    shapes = {"seen": (CHANNELS, HIDDEN), "place": (POINTS, HIDDEN), "start": (HIDDEN, KEYS), "target": (HIDDEN, KEYS)}
    return {name: rng.normal(0, 0.2, shape).astype(np.float32) for name, shape in shapes.items()}


def scores(weights: Weights, seen: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """(n, actions): the logarithms of the chances of the actions, from (n, points, channels) and (n, actions).

    A point becomes a vector of what stands there and where it is; a move is worth the product of two of them.
    """
    hidden = np.tanh(np.dot(seen, weights["seen"]) + weights["place"])
    starts, targets = np.dot(hidden, weights["start"]), np.dot(hidden, weights["target"])
    worth = np.matmul(starts, np.swapaxes(targets, 1, 2)).reshape(masks.shape)
    worth = np.where(masks, worth, np.float32(-1e9))
    worth = worth - np.max(worth, axis=1, keepdims=True)
    return worth - np.log(np.sum(np.exp(worth), axis=1, keepdims=True))


def choose(weights: Weights, seen: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(n,): an action for each observation, drawn from the chances."""
    chances = scores(weights, seen.astype(np.float32), masks)
    return np.argmax(chances + rng.gumbel(size=chances.shape), axis=1)


def loss(weights: Weights, seen: np.ndarray, masks: np.ndarray, actions: np.ndarray, worth: np.ndarray) -> float:
    chosen = scores(weights, seen, masks)[np.arange(len(actions)), actions]
    return -np.mean(worth * chosen)


class Adam:
    """The optimiser of Kingma and Ba (2015)."""

    def __init__(self) -> None:
        self.mean: Weights = {}
        self.square: Weights = {}
        self.steps = 0

    def step(self, weights: Weights, slope: Weights) -> None:
        self.steps += 1
        for name, one in slope.items():
            self.mean[name] = 0.9 * self.mean.get(name, 0) + 0.1 * one
            self.square[name] = 0.99 * self.square.get(name, 0) + 0.01 * one**2
            scale = (self.mean[name] / (1 - 0.9**self.steps)) / np.sqrt(self.square[name] / (1 - 0.99**self.steps) + 1e-8)
            weights[name] = (weights[name] - STEP * scale).astype(np.float32)


class Lessons:
    """Games against random moves. `play` gives what the pupil saw and did in games that ended, and what it was worth."""

    def __init__(self, games: int, seed: int) -> None:
        self.batch = Batch(games, VARIANT, "dark", seed=seed)
        self.own_seat = np.arange(games) % 2
        self.moves: list[list[tuple]] = [[] for _ in range(games)]
        self.seen = self.batch.observe()

    def play(self, weights: Weights, games: int, rng: np.random.Generator) -> tuple[list[tuple], list[float]]:
        steps, rewards = [], []
        while len(rewards) < games:
            self.batch.observe(out=self.seen)
            actions = self.batch.random_actions()
            own = np.flatnonzero(self.batch.turns == self.own_seat)
            seen, masks = self.seen["observation"][own], self.seen["action_mask"][own].astype(bool)
            actions[own] = choose(weights, seen, masks, rng)
            for row, game in enumerate(own):
                self.moves[game].append((seen[row], masks[row], actions[game]))
            for game in np.flatnonzero(results := self.batch.step(actions)):
                reward = WON.get((game % 2, int(results[game])), 0.0)
                played, self.moves[game] = self.moves[game], []
                steps += [(*step, reward * DISCOUNT ** (len(played) - n)) for n, step in enumerate(played)]
                rewards.append(reward)
        return steps, rewards


def learn(minutes: float, report: Callable[[str], None] = print, games: int = GAMES, seed: int = 1) -> Weights:
    """Learn for so many minutes of the processor; one line is reported for about every tenth of it."""
    rng, adam, lessons = np.random.default_rng(seed), Adam(), Lessons(games, seed)
    weights, slope, started = new_weights(rng), grad(loss), time.process_time()
    played, recent, told = 0, [0.0], 0
    report("minutes   games   score of the last 1,000")
    while (spent := (time.process_time() - started) / 60) < minutes:
        if spent >= told * minutes / 10 and played:
            report(f"{spent:7.1f} {played:7}   {(np.mean(recent) + 1) / 2:.3f}")
            told += 1
        steps, rewards = lessons.play(weights, games, rng)
        played, recent = played + len(rewards), [*recent, *rewards][-1000:]
        steps = [steps[number] for number in rng.permutation(len(steps))[:SAMPLES]]
        seen, masks, actions, worth = (np.array(column) for column in zip(*steps, strict=True))
        worth = ((worth - np.mean(worth)) / (np.std(worth) + 1e-6)).astype(np.float32)
        for first in range(0, len(steps), MINI_BATCH):
            part = slice(first, first + MINI_BATCH)
            adam.step(weights, slope(weights, seen[part].astype(np.float32), masks[part], actions[part], worth[part]))
    report(f"{spent:7.1f} {played:7}   {(np.mean(recent) + 1) / 2:.3f}")
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
            if has_ended:
                action = None
            elif agent == own:
                action = choose(weights, seen["observation"][None], seen["action_mask"][None].astype(bool), rng)[0]
            else:
                action = env.unwrapped.action_of(agent, other.move(env.unwrapped.view(agent)))
            env.step(action)
    return (total / games + 1) / 2


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=8)
    parser.add_argument("--match", type=int, default=200)
    asked = parser.parse_args()
    print(f"against player 1.0 of junqi-engine {junqi.__version__ if hasattr(junqi, '__version__') else ''}")
    print(f"{asked.match} games: {match(learn(asked.minutes), asked.match):.3f}")
