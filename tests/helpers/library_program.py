"""A program that uses every public name of the library. `mypy --strict` accepts it, and a test runs it."""

import asyncio
import sys
import tempfile
from pathlib import Path

from junqi_engine import (
    Analysis,
    AsyncEngine,
    BadLineup,
    BadPosition,
    CommandRejected,
    Engine,
    EngineError,
    EngineFault,
    Game,
    IllegalMove,
    Info,
    JunqiError,
    Limit,
    Move,
    Patience,
    Piece,
    PlayResult,
    Point,
    Review,
    Rules,
    Score,
    View,
    Wdl,
    battle,
    board_points,
    partner_of,
    read_games,
    review,
    team_of,
)

LINEUP = "cbfahdehgegidcfkjkijgjhli"
PATIENCE = Patience(ready_s=20.0)


def read(game: Game) -> dict[str, Piece]:
    view: View = game.view("S")
    chances: dict[str, float] = view.belief("a7")
    assert set(chances) == set(view.possible("a7"))
    result: str | None = game.result
    assert result is None and game.ending is None
    points: dict[str, Point] = board_points(game.variant)
    assert tuple(points) == game.points and points["a6"].rails == ("b6", "a5", "a7")
    other: str | None = partner_of("S", game.variant)
    assert other is None and team_of("S", game.variant) == "S"
    outcome: str = battle("a", "b")
    assert outcome == "x"
    piece: Piece | None = view.piece_at("a6")
    assert piece is not None and piece.letter == "c"
    return view.piece_map()


def refuse() -> list[str]:
    codes = []
    for work in (lambda: Game("go"), lambda: Game("siguo", {"S": ""}), lambda: View.from_fen(""), lambda: Move("")):
        try:
            work()
        except (BadLineup, BadPosition, IllegalMove) as error:
            codes.append(error.code)
        except JunqiError as error:
            codes.append(str(error))
    return codes


def play(game: Game, engine: Engine) -> PlayResult:
    result: PlayResult = engine.play(game.view(game.turn), nodes=100)
    assert result.move is not None and result.move.from_point, result.reason
    move: Move = game.push(result.move)
    assert move.bare == result.move
    limit = Limit(depth=1, clocks_ms={"S": 60_000, "N": 60_000})
    analysis: Analysis = engine.analysis(game.view(game.turn), limit, multipv=2)
    infos: list[Info] = list(analysis)
    score: Score | None = infos[-1].score
    assert score is not None and (score.cp is None) != (score.mate is None)
    best: Info = engine.analyse(game.view(game.turn), limit)
    lines: list[Info] = engine.analyse(game.view(game.turn), limit, multipv=2)
    wdl: Wdl | None = best.wdl
    assert wdl is None and len(lines) == 2 and score.pov(game.turn) == score
    return result


def explain(game: Game) -> Review:
    found: Review = review(game, nodes=1000)
    assert [step.text for step in found.steps] == game.move_stack
    return found


def fail() -> EngineFault:
    try:
        Engine([sys.executable, "-c", "print()"], patience=PATIENCE)
    except EngineError as error:
        return error.fault
    raise AssertionError("it started")


async def wait() -> str:
    async with AsyncEngine(options={"Player": "1.2"}, patience=PATIENCE) as engine:
        try:
            await engine.configure({"Colour": "red"})
        except CommandRejected as error:
            return error.code
    raise AssertionError("it was accepted")


def main() -> None:
    game = Game("luzhanqi", {"S": LINEUP, "N": LINEUP}, rules=Rules(max_plies=100))
    print(len(read(game)), refuse())
    with Engine(options={"Player": "2.0", "Seed": 1}, patience=PATIENCE) as engine:
        print(play(game, engine).depth is not None)
    print(len(explain(game).players))
    print(fail().value, asyncio.run(wait()))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "games.jsonl")
        path.write_text(game.record(), encoding="utf-8")
        again: list[Game] = list(read_games(path))
    print(again == [game], again[0].move_stack == game.move_stack)


if __name__ == "__main__":
    main()
