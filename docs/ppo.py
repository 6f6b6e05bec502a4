"""Learn luzhanqi from nothing by self-play and PPO (Schulman et al. 2017): `python docs/ppo.py`.

One network plays both seats of many games at once, and learns from the results alone. It sees its own pieces and what
is proven about the others. Each line of the curve is its score in games against random moves.
`policy_gradient.py` beside this file has the optimiser.
"""

import argparse
import time
from collections.abc import Callable

import autograd.numpy as np
from autograd import grad
from policy_gradient import Weights, draw, improve

from junqi_engine.env import Batch

VARIANT, POINTS, CHANNELS, COUNTS, MOST_MOVES = "luzhanqi", 60, 19, 9, 192
GAMES, STEPS, PASSES, MINI_BATCH = 64, 64, 3, 512
HIDDEN, KEYS = 48, 32
STEP, DISCOUNT, LAMBDA, CLIP, VARIETY = 0.003, 0.99, 0.95, 0.2, 0.01


def new_weights(rng: np.random.Generator) -> Weights:
    shapes = {
        "seen": (CHANNELS, HIDDEN), "place": (POINTS, HIDDEN), "own": (HIDDEN, HIDDEN), "others": (HIDDEN, HIDDEN),
        "near": (POINTS, POINTS), "start": (HIDDEN, KEYS), "target": (HIDDEN, KEYS),
        "whole": (HIDDEN, KEYS), "counts": (COUNTS, KEYS), "value": (KEYS,),
    }  # fmt: skip
    return {name: rng.normal(0, 0.15, shape).astype(np.float32) for name, shape in shapes.items()}


def judge(
    weights: Weights, seen: np.ndarray, counts: np.ndarray, legal: np.ndarray, is_legal: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The logarithms of the chances of the legal actions, (n, moves), and what the seat to move may expect, (n,), from
    (n, points, channels), (n, counts) and twice (n, moves).
    """
    # A point becomes a vector of what stands there and where it is, then one of that and of what stands elsewhere. A
    # move is worth the product of two of them.
    hidden = np.tanh(np.matmul(seen, weights["seen"]) + weights["place"])
    around = np.matmul(weights["near"], np.matmul(hidden, weights["others"]))
    hidden = np.tanh(np.matmul(hidden, weights["own"]) + around)
    starts, targets = np.matmul(hidden, weights["start"]), np.matmul(hidden, weights["target"])
    worth = np.reshape(np.matmul(starts, np.swapaxes(targets, 1, 2)), (len(seen), POINTS**2))
    worth = np.where(is_legal, worth[np.arange(len(seen))[:, None], legal], np.float32(-1e9))
    worth = worth - np.max(worth, axis=1, keepdims=True)
    whole = np.tanh(np.dot(np.mean(hidden, axis=1), weights["whole"]) + np.dot(counts, weights["counts"]))
    return worth - np.log(np.sum(np.exp(worth), axis=1, keepdims=True)), np.tanh(np.dot(whole, weights["value"]))


def read(arrays: dict[str, np.ndarray]) -> tuple[np.ndarray, ...]:
    """What `judge` takes. The legal actions come first in a list of `MOST_MOVES`; more are left out."""
    masks = arrays["action_mask"]
    legal = np.argsort(1 - masks, axis=1, kind="stable")[:, :MOST_MOVES]
    is_legal = np.take_along_axis(masks, legal, 1) > 0
    return arrays["observation"].astype(np.float32), arrays["counts"].copy(), legal, is_legal


def loss(
    weights: Weights, seen: np.ndarray, counts: np.ndarray, legal: np.ndarray, is_legal: np.ndarray,
    chosen: np.ndarray, before: np.ndarray, advantages: np.ndarray, returns: np.ndarray,
) -> float:  # fmt: skip
    """Of PPO: the gain of likelier good moves, clipped; the error of the values; a small reward for variety."""
    told, values = judge(weights, seen, counts, legal, is_legal)
    ratio = np.exp(told[np.arange(len(chosen)), chosen] - before)
    gain = np.minimum(ratio * advantages, np.clip(ratio, 1 - CLIP, 1 + CLIP) * advantages)
    variety = -np.sum(np.exp(told) * np.where(is_legal, told, 0), axis=1)
    return np.mean(0.5 * (values - returns) ** 2 - gain - VARIETY * variety)


def play(weights: Weights, batch: Batch, steps: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Some steps of self-play: what was seen, done and gained, each (steps * games, ...)."""
    rows, values, gains, ends = [], [], [], []
    for _ in range(steps):
        seen = read(batch.observe())
        told, value = judge(weights, *seen)
        chosen, turns = draw(np.exp(told), rng), batch.turns
        games = np.arange(len(chosen))
        rows.append((*seen, chosen, told[games, chosen]))
        results = batch.step(seen[2][games, chosen])
        values.append(value)
        gains.append(np.where(results == 3, 0, np.where(results == turns + 1, 1.0, -1.0)) * (results > 0))
        ends.append(results > 0)
    following, advantage = judge(weights, *read(batch.observe()))[1], np.zeros(len(turns))
    advantages = []
    # The next position is the opponent's: what is good there is bad here. So it needs no other seat's moves in between.
    for value, gain, has_ended in zip(values[::-1], gains[::-1], ends[::-1], strict=True):
        advantage = gain - value - DISCOUNT * ~has_ended * (following + LAMBDA * advantage)
        advantages.append(advantage)
        following = value
    columns = [np.concatenate(column) for column in zip(*rows, strict=True)]
    gained = np.concatenate(advantages[::-1]).astype(np.float32)
    return [*columns, gained, gained + np.concatenate(values)]


def learn(minutes: float, report: Callable[[str], None] = print, games: int = GAMES, seed: int = 1) -> Weights:
    """Learn for this many minutes of the processor; each tenth of the time is a line of the curve."""
    rng, batch = np.random.default_rng(seed), Batch(games, VARIANT, "dark", seed=seed)
    weights, moments, number, plies, told, spent = new_weights(rng), {}, 0, 0, 0, 0.0
    report("minutes     plies   score against random moves")
    while True:
        if spent >= told * minutes / 10 or spent >= minutes:
            report(f"{spent:7.1f} {plies:9,}   {against_random(weights, 4 * games, seed):.3f}")
            told += 1
        if spent >= minutes:
            return weights
        started = time.process_time()
        columns = play(weights, batch, STEPS, rng)
        plies += len(columns[0])
        columns[6] = (columns[6] - np.mean(columns[6])) / (np.std(columns[6]) + 1e-6)
        for _ in range(PASSES):
            order = rng.permutation(len(columns[0]))
            for first in range(0, len(order), MINI_BATCH):
                part = [column[order[first : first + MINI_BATCH]] for column in columns]
                improve(weights, moments, grad(loss)(weights, *part), number := number + 1, STEP)
        spent += (time.process_time() - started) / 60


def against_random(weights: Weights, games: int, seed: int = 1) -> float:
    """The score in games against random moves, each legal one equally likely; a draw counts half."""
    rng, batch = np.random.default_rng(seed), Batch(games, VARIANT, "dark", seed=seed + 1, auto_reset=False)
    own = np.arange(games) % 2
    while not batch.results.all():
        arrays, actions = batch.observe(), batch.random_actions()
        is_own = (batch.turns == own) & (batch.results == 0)
        seen = [array[is_own] for array in read(arrays)]
        chosen = draw(np.exp(judge(weights, *seen)[0]), rng)
        actions[is_own] = seen[2][np.arange(len(chosen)), chosen]
        batch.step(actions)
    score = np.where(batch.results == 3, 0.5, batch.results == own + 1)
    return float(np.mean(score))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=7, help="minutes of the processor, default %(default)s")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    learn(asked.minutes, seed=asked.seed)
