"""Features that users of python-chess know: files of games, comments, marked pictures, limits, ping, analysis."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import junqi_engine as junqi
from junqi_engine.api.game_record import GameRecord
from junqi_engine.notation.drawing import draw_svg
from junqi_engine.rules.board import BOARDS
from tests.helpers.engine import SLACK
from tests.helpers.jgs import DRAW, event, game_file, move
from tests.helpers.library import random_game

# Files of games


def test_record_is_read_game_by_game(tmp_path: Path) -> None:
    games = [random_game("siguo", 1, 30), random_game("luzhanqi", 2)]
    path = tmp_path / "games.jsonl"
    text = "\n\n".join(game.record() for game in games)
    path.write_text(f"{text}\n{text[:100]}", encoding="utf-8")  # the last line was cut off
    found = list(junqi.read_games(path))
    assert found == games and [game.move_stack for game in found] == [game.move_stack for game in games]


def test_too_long_line_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    game = random_game("luzhanqi", 2)
    long = game.record().replace('"detail":""', f'"detail":"{"x" * (9 << 20)}"')
    path.write_text("\n".join([game.record(), long, game.record()]), encoding="utf-8")
    games = junqi.read_games(path)
    assert next(games) == game
    with pytest.raises(junqi.Refused, match=r"games\.jsonl, line 2: record: not JSON: longer than 8388608 characters"):
        next(games)


def test_game_with_agreed_draw_is_not_over(tmp_path: Path) -> None:
    path = tmp_path / "game.jgs"
    path.write_bytes(game_file(move("g6", "g7"), event(*DRAW)))
    [found] = junqi.read_games(path)
    assert (found.move_stack, found.result) == (["g6g7"], None)


def test_fault_in_a_file_is_named(tmp_path: Path) -> None:
    record, jgs = tmp_path / "games.jsonl", tmp_path / "game.jgs"
    lines = [junqi.Game("luzhanqi", seed=seed).record() for seed in range(3)]
    record.write_text("\n".join([lines[0], lines[1].replace("luzhanqi", "go"), lines[2]]), encoding="utf-8")
    games = junqi.read_games(record)
    assert next(games).variant == "luzhanqi"
    with pytest.raises(junqi.Refused, match=r"games\.jsonl, line 2: record: variant='go' is not one of"):
        next(games)
    for data, text in [(b"", "the file ends within its head"), (game_file(move("g6", "i9")), "event 1: g6i9: ")]:
        jgs.write_bytes(data)
        with pytest.raises(junqi.Refused, match=rf"game\.jgs: .*{text}") as error:
            list(junqi.read_games(jgs))
        assert error.value.code == "bad-file"
    with pytest.raises(FileNotFoundError):
        list(junqi.read_games(tmp_path / "none.jsonl"))


# Comments


def test_comments_stay_with_their_moves() -> None:
    game = random_game("luzhanqi", 3, 6)
    assert "comments" not in json.loads(game.record())
    game.comments = {0: "开局", 4: "A feint.", 6: "The last one."}
    copied = game.copy()
    game.pop()
    assert game.comments == {0: "开局", 4: "A feint."}
    assert junqi.Game.from_record(game.record()).comments == game.comments
    assert GameRecord.from_line(game.record()).moves == game.move_stack
    assert copied.comments[6] == "The last one."


# Pictures


def pieces(picture: str) -> dict[tuple[str, str], tuple[str, str]]:
    """The drawn pieces: colour and rank by place."""
    found = re.findall(r'<rect x="(\d+)" y="(\d+)" width="34" .* fill="(#\w+)".*\n<text .*>(\w+)</text>', picture)
    return {(x, y): (colour, rank) for x, y, colour, rank in found}


def labels(picture: str) -> list[str]:
    return re.findall(r'fill="#777">(\w+)<', picture)


@pytest.mark.parametrize("variant", BOARDS)
def test_orientation_turns_the_board(variant: str) -> None:
    """The pieces of the seat are drawn where South's are drawn; the labels say where the points are now."""
    lineup = "cbfahdehgegidcfkjkijgjhli"
    game = junqi.Game(variant, dict.fromkeys(junqi.Game(variant).seats, lineup))
    usual = game.svg()
    assert usual == game.svg(orientation="S") == draw_svg(game.state)
    foot = max(int(y) for _, y in pieces(usual))
    own = {place[0]: rank for place, (colour, rank) in pieces(usual).items() if int(place[1]) == foot}
    for seat in game.seats:
        turned = pieces(game.svg(orientation=seat))
        assert {place[0]: rank for place, (_, rank) in turned.items() if int(place[1]) == foot} == own
        assert len({colour for place, (colour, _) in turned.items() if int(place[1]) == foot}) == 1
    width = BOARDS[variant].width
    assert labels(game.svg(orientation="N")) == [*labels(usual)[:width][::-1], *labels(usual)[width:][::-1]]


# Engines


@pytest.fixture(scope="module")
def engine() -> Iterator[junqi.Engine]:
    with junqi.Engine(options={"Seed": 1, "UCI_ShowWDL": True}) as engine:
        yield engine


def test_engine_gets_its_own_clock(engine: junqi.Engine) -> None:
    view = junqi.Game("luzhanqi", seed=1).view("S")
    engine.ping()
    result = engine.play(view, junqi.Limit(time_ms=0))
    assert result.move in view.legal_moves and result.time_ms < 500 * SLACK
    assert engine.play(view, junqi.Limit(depth=1)).info.depth == 1
    with pytest.raises(TypeError, match="limit and nodes are both given"):
        engine.play(view, junqi.Limit(depth=1), nodes=3)
    with pytest.raises(TypeError, match="unexpected keyword argument 'seconds'"):
        engine.play(view, seconds=3)  # type: ignore[call-arg]


def test_two_seats_of_luzhanqi_are_enemies(engine: junqi.Engine) -> None:
    view = junqi.Game("luzhanqi", seed=1).view("S")
    best = engine.analyse(view, depth=1)
    played = engine.play(view, depth=1)
    assert best.score is not None and played.info.score is not None
    assert best.score.pov("N").cp == -best.score.cp and best.score.pov("N").pov("S") == best.score
    assert played.info.score.pov("N").cp == -played.info.score.cp
    with pytest.raises(junqi.Refused, match="seat 'E' is not one of S, N"):
        best.score.pov("E")


def test_scores_have_an_order() -> None:
    """As in python-chess: a loss, then `cp`, then a win; the shorter win and the longer loss are better."""
    texts = ["mate -1", "mate -2", "mate -9", "cp -29000", "cp 0", "cp 31", "mate 9", "mate 1"]
    scores = [junqi.Score(**{kind: int(number)}, turn="N") for kind, number in map(str.split, texts)]
    assert [str(score) for score in sorted(scores, reverse=True)] == texts[::-1]
    assert max(scores) == junqi.Score(mate=1) and scores[0] <= scores[0] < scores[1] and not scores[3] > scores[4]
    assert junqi.Score(cp=1, turn="S") < junqi.Score(cp=2, turn="N")
    with pytest.raises(junqi.Refused, match="scores of S and E cannot be compared; use pov"):
        junqi.Score(cp=1, turn="S") < junqi.Score(cp=2, turn="E")  # noqa: B015
    with pytest.raises(TypeError):
        junqi.Score(cp=1) < 2  # noqa: B015


def test_battles_and_teams_follow_the_rules() -> None:
    for attacker in "abcdefghik":
        for defender in "abcdefghijkl":
            top = "1Nl3/1S{}3" if defender == "l" else "N{1}Nl3/S{0}4"
            game = junqi.Game.from_fen(f"{top.format(attacker, defender)}/5/5/5/5/5/5/5/5/5/1Sl3 S SN * 0 0")
            move = "b11b12" if defender == "l" else "a11a12"
            assert game.push(move).outcome == junqi.battle(attacker, defender)
    for wrong in (("j", "a"), ("l", "a"), ("a", "m"), ("ab", "a")):
        with pytest.raises(junqi.Refused, match="is not one of a, b"):
            junqi.battle(*wrong)
