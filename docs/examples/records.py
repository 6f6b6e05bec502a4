"""Reading and writing records: files with a game in each line, as `junqi-referee match --record` writes them.

    python records.py play games.jsonl --games 20
    python records.py stats games.jsonl
    python records.py show games.jsonl 3 --ply 30 --viewer S
    python records.py select games.jsonl short.jsonl --longest 150
    junqi-referee replay short.jsonl

`play` writes games of random moves, `stats` counts results, endings and plies, `show` draws a position of a game, and
`select` writes the games of a file that are not longer than a number of plies to another file. A line is a JSON object;
docs/referee.md names its keys.
"""

import argparse
import json
import random
import statistics
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import junqi_engine as junqi


def read(file: Path) -> Iterator[tuple[dict[str, Any], junqi.Game]]:
    """Each game as its JSON object, and played again: the library checks every move against the rules."""
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            game = junqi.Game.from_record(line)
            yield json.loads(line), game


def play(file: Path, variant: str, games: int, seed: int) -> None:
    rng = random.Random(seed)
    with file.open("x", encoding="utf-8") as lines:
        for number in range(1, games + 1):
            game = junqi.Game(variant, seed=rng.getrandbits(32))
            while not game.is_game_over():
                game.push(rng.choice(game.legal_moves))
            print(game.record(number=number, names=dict.fromkeys(game.teams, "random")), file=lines)


def stats(file: Path) -> None:
    """A fault of an engine decides a game that the rules do not: the record has the result, the game only the moves."""
    records = list(read(file))
    if not records:
        raise SystemExit(f"{file} has no games")
    plies = [game.ply() for _, game in records]
    print(f"{len(records)} games; plies: {min(plies)} to {max(plies)}, median {statistics.median(plies):g}")
    for key in ("result", "ending", "first"):
        counts = Counter(record[key] for record, _ in records)
        print(f"{key}:", ", ".join(f"{value} {count}" for value, count in counts.most_common()))
    battles = Counter(move.outcome for _, game in records for move in game.move_stack if move.outcome)
    print("battles:", ", ".join(f"{outcome} {count}" for outcome, count in battles.most_common()))


def show(file: Path, number: int, ply: int | None, viewer: str) -> None:
    game = next((game for record, game in read(file) if record["game"] == number), None)
    if game is None:
        raise SystemExit(f"{file} has no game {number}")
    while ply is not None and game.ply() > ply:
        game.pop()
    print(game.view(viewer))
    print(f"after {game.ply()} plies, the last one {game.peek() if game.move_stack else 'none'}")


def select(file: Path, target: Path, longest: int) -> None:
    """The lines are copied with all that they hold, so engines, times and scores are kept."""
    chosen = [record for record, game in read(file) if game.ply() <= longest]
    with target.open("x", encoding="utf-8") as lines:
        for record in chosen:
            print(json.dumps(record, ensure_ascii=False, separators=(",", ":")), file=lines)
    print(f"{len(chosen)} games in {target}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Read and write records of games.")
    commands = parser.add_subparsers(dest="command", required=True)
    asked = {name: commands.add_parser(name) for name in ("play", "stats", "show", "select")}
    for command in asked.values():
        command.add_argument("file", type=Path)
    asked["play"].add_argument("--variant", default="luzhanqi", choices=("luzhanqi", "siguo"))
    asked["play"].add_argument("--games", type=int, default=5)
    asked["play"].add_argument("--seed", type=int, default=1)
    asked["show"].add_argument("number", type=int, metavar="game")
    asked["show"].add_argument("--ply", type=int, help="by default the last one")
    asked["show"].add_argument("--viewer", default="*", help="a seat, a team, or * for all")
    asked["select"].add_argument("target", type=Path, metavar="new_file")
    asked["select"].add_argument("--longest", type=int, default=150, metavar="PLIES")
    arguments = vars(parser.parse_args())
    run: dict[str, Callable[..., None]] = {"play": play, "stats": stats, "show": show, "select": select}
    run[arguments.pop("command")](**arguments)


if __name__ == "__main__":
    try:
        main()
    except (junqi.Refused, OSError) as error:
        raise SystemExit(str(error)) from None
