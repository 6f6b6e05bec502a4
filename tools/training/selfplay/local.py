"""Games on this machine: one process per worker, one game at a time each."""

import multiprocessing
import os
import signal
import time
from collections.abc import Generator as Producer
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait

from tools.training.selfplay.game_file import StoredGame
from tools.training.selfplay.play import Generator
from tools.training.selfplay.settings import Settings


class RunError(ValueError):
    """A run cannot go on; the text says why, in one line."""


@dataclass(frozen=True)
class Played:
    """A game, and the processor time that it took."""

    game: StoredGame
    cpu_s: float


def play_one(generator: Generator, number: int) -> Played:
    before = time.thread_time()
    game = generator.play(number)
    return Played(game, time.thread_time() - before)


def local_games(settings: Settings, numbers: Iterator[int], workers: int) -> Producer[Played, None, None]:
    """Play the games of `numbers`, in any order. `RunError` if a worker ends. All workers end with the iterator."""
    context = multiprocessing.get_context("spawn")
    processes = []
    pipes: list[Connection] = []
    try:
        for _ in range(workers):
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(settings, theirs), daemon=True)
            process.start()
            theirs.close()
            processes.append(process)
            pipes.append(ours)
        busy = [pipe for pipe in pipes if _send_next(pipe, numbers)]
        while busy:
            for pipe in wait(busy):
                assert isinstance(pipe, Connection)
                try:
                    done = pipe.recv()
                except (EOFError, ConnectionResetError):
                    raise RunError("a worker has ended; the games of finished shards are kept") from None
                if isinstance(done, str):
                    raise RunError(done)
                if not _send_next(pipe, numbers):
                    busy.remove(pipe)
                yield done
    finally:
        for process in processes:
            process.kill()
        for process in processes:
            process.join()
        for pipe in pipes:
            pipe.close()


def _send_next(pipe: Connection, numbers: Iterator[int]) -> bool:
    """Give a worker the next game; False if there is none."""
    number = next(numbers, None)
    if number is not None:
        pipe.send(number)
    return number is not None


def _serve(settings: Settings, pipe: Connection) -> None:
    """A worker: plays what it is told to, until its parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes of a terminal; the parent decides
    generator = Generator(settings)
    number = -1
    try:
        while True:
            number = pipe.recv()
            pipe.send(play_one(generator, number))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        os._exit(0)
    except Exception as error:  # noqa: BLE001  it is raised in the parent, which names the game
        pipe.send(f"game {number}: {type(error).__name__}: {error}")
