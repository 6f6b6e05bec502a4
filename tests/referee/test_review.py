"""`junqi-referee review`: what it writes, what it refuses; its page without a network."""

import base64
import gzip
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

import junqi_engine as junqi
from junqi_engine.rules.lineup import DEFAULT
from junqi_referee.cli import run
from junqi_referee.exits import ExitCode
from junqi_referee.jobs import workers
from tests.helpers.jgs import DRAW, SLOTS, event, game_file, move
from tests.helpers.marking import long_after
from tests.helpers.review import NODES, record_of, short_game

PASS_OF_EAST = (0xF5, 2, SLOTS["E"])


GAMES = [("luzhanqi", 1), ("siguo", 2)]
PLIES = 4


def review(*words: object, in_processes: bool = False) -> int:
    """Run it, by default in this process alone: others would load the kernels first."""
    with pytest.MonkeyPatch.context() as patch:
        if not in_processes:
            patch.setattr("junqi_referee.review._workers", lambda *_: workers(1))
        return run(["review", "--nodes", str(NODES), *map(str, words)])


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a review of two short games."""
    folder = tmp_path_factory.mktemp("review")
    record, out = folder / "games.jsonl", folder / "review.html"
    record.write_text(record_of(*(short_game(variant, seed, PLIES) for variant, seed in GAMES)))
    assert review(record, "--out", out) == ExitCode.DONE
    return out


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A record of two short games."""
    path = tmp_path / "games.jsonl"
    path.write_text(record_of(*(short_game(variant, seed, PLIES) for variant, seed in GAMES)))
    return path


def games_in(path: Path) -> list[dict[str, Any]]:
    return json.loads(path.read_text(encoding="utf-8"))["games"]


def data_in(page: Path) -> dict[str, Any]:
    """What the script of a file reads, with its games unpacked."""
    text = page.read_text(encoding="utf-8")
    data = json.loads(text.partition('type="application/json">')[2].partition("</script>")[0])
    return data | {"games": [json.loads(gzip.decompress(base64.b64decode(game))) for game in data["games"]]}


# What it writes


def test_the_json_report_is_what_the_library_says(record: Path, tmp_path: Path) -> None:
    out = tmp_path / "review.json"
    assert review(record, "--out", out, in_processes=True) == ExitCode.DONE
    expected = [junqi.review(short_game(variant, seed, PLIES), nodes=NODES) for variant, seed in GAMES]
    for found, one in zip(games_in(out), expected, strict=True):
        table = json.loads(json.dumps(asdict(one)))
        for player, named in zip(table["players"], found["players"], strict=True):
            assert player | {"name": named["name"]} == named
        assert {key: value for key, value in found.items() if key in table and key != "players"} == {
            key: value for key, value in table.items() if key != "players"
        }


def test_the_file_needs_nothing_else_and_has_the_scenes_and_the_review(report: Path) -> None:
    page = report.read_text(encoding="utf-8")
    assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org/", "").replace("`http://$", "")
    for (variant, seed), found in zip(GAMES, data_in(report)["games"], strict=True):
        game = short_game(variant, seed, PLIES)
        assert len(found["record"]["review"]["steps"]) == len(found["scenes"]) - 1
        replayed = junqi.Game(variant, game.lineups)
        for scene, text in zip(found["scenes"], [*game.move_stack, None], strict=True):
            pieces = {replayed.points[point]: seat + letter for point, _, seat, letter in scene["pieces"]}
            assert pieces == {point: str(piece) for point, piece in replayed.piece_map().items()}
            if text is not None:
                replayed.push(text)


@pytest.mark.long
def test_a_name_is_shown_as_it_is(record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one that looks like a field of the template, ends a script, or is not Unicode text, on any terminal."""
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    table = json.loads(record.read_text().splitlines()[0])
    names = {"S": "{style} </script>", "N": "\ud800\u53f8"}
    table["engines"] = {seat: {"name": name} for seat, name in names.items()}
    record.write_text(json.dumps(table))
    plain = tmp_path / "plain.html"
    assert review(record, "--out", plain) == ExitCode.DONE
    assert data_in(plain)["games"][0]["record"]["names"] == names
    page = plain.read_text()
    assert (page.count("</script>"), page.count("<script")) == (2, 2)


def test_a_game_between_people_with_passes(tmp_path: Path) -> None:
    """A `.jgs` file: South moves, East's clock runs out, North moves; then the players agree on a draw."""
    game = junqi.Game("siguo", dict.fromkeys("SENW", DEFAULT))
    moves = [game.push(text or _quiet_move(game)) for text in ("", "pass:E", "")]
    south, _, north = moves
    path, out = tmp_path / "people.jgs", tmp_path / "review.json"
    path.write_bytes(
        game_file(
            move(south.from_point, south.to_point),
            event(*PASS_OF_EAST),
            move(north.from_point, north.to_point, seat="N"),
            event(*DRAW),
        )
    )
    assert review(path, "--out", out) == ExitCode.DONE
    [found] = games_in(out)
    assert [step["text"] for step in found["steps"]] == [*moves, "end"]
    passed = found["steps"][1]
    assert (passed["seat"], passed["best"], found["result"]) == ("E", "", "draw")
    for player in found["players"]:
        total = player["start"] + player["luck"] + player["enemy_loss"] - player["loss"]
        assert total == pytest.approx(0.5, abs=1e-9)


def _quiet_move(game: junqi.Game) -> junqi.Move:
    return next(move for move in game.legal_moves if game.piece_at(move.to_point) is None)


# What it refuses


REFUSED = [
    ("{games} --out {folder}/x.pdf", ExitCode.USAGE, "the name must end in .html or .json"),
    ("{games}", ExitCode.USAGE, "the following arguments are required: --out"),
    ("{games} --out {folder}/x.html --nodes 5", ExitCode.USAGE, "--nodes: 5 is less than 1000"),
    ("{games} 9 --out {folder}/x.html", ExitCode.FAILED, "there is no game 9"),
    ("{folder}/none.jsonl --out {folder}/x.html", ExitCode.USAGE, "No such file or directory"),
    ("{folder}/damaged.jsonl --out {folder}/x.html", ExitCode.USAGE, "damaged.jsonl, line 1: "),
    ("{folder}/fen.jsonl --out {folder}/x.html", ExitCode.FAILED, "game 1: it has no line-ups; a game from a FEN"),
    (
        "{folder}/unfinished.jsonl --out {folder}/x.html",
        ExitCode.FAILED,
        "game 1: it is unfinished, interrupted after 3",
    ),
    ("{folder}/illegal.jsonl --out {folder}/x.html", ExitCode.FAILED, "game 1: it breaks the rules: move 2"),
    ("{folder}/empty.jsonl --out {folder}/x.html", ExitCode.FAILED, "there are no games"),
    ("{games} --out {folder}/is.html", ExitCode.USAGE, "is.html exists; --overwrite replaces it"),
    ("{games} --out {folder}/no/x.html", ExitCode.USAGE, "there is no folder {folder}/no"),
]


@pytest.mark.parametrize(("words", "code", "message"), REFUSED)
def test_what_is_refused(
    words: str, code: ExitCode, message: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    games, whole = tmp_path / "games.jsonl", record_of(short_game("luzhanqi", 1, 4))
    games.write_text(whole)
    (tmp_path / "is.html").write_text("mine")
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "damaged.jsonl").write_text(whole[:-9] + "\n" + whole)
    table = json.loads(whole)
    (tmp_path / "fen.jsonl").write_text(json.dumps(table | {"lineups": {}, "fen": "5/5"}) + "\n")
    unfinished = table | {name: table[name][:3] for name in ("moves", "times_ms", "scores")} | {"ending": "interrupted"}
    (tmp_path / "unfinished.jsonl").write_text(json.dumps(unfinished) + "\n")
    illegal = table | {"moves": [table["moves"][0], "a1a2", *table["moves"][2:]]}
    (tmp_path / "illegal.jsonl").write_text(json.dumps(illegal) + "\n")
    before = sorted(tmp_path.iterdir())
    assert run(["review", *(word.format(games=games, folder=tmp_path) for word in words.split())]) == code
    errors = capfd.readouterr().err.strip().splitlines()
    assert len(errors) == 1 and message.format(folder=tmp_path) in errors[0]
    assert sorted(tmp_path.iterdir()) == before
    assert (tmp_path / "is.html").read_text() == "mine"


# Its page: sizes, languages, keys

PLACES = {"desktop": (1280, 900), "tablet": (800, 1100), "phone": (360, 780)}
OVERFLOW = """() => [...document.querySelectorAll("body *")].filter((one) => {
  const box = one.getBoundingClientRect();
  return box.width && box.right > innerWidth + 1 && !one.closest(".scroll, svg");
}).map((one) => one.outerHTML.slice(0, 80))"""


@pytest.fixture
def opened(browser: Any, report: Path) -> Iterator[Callable[[str], Any]]:
    """Opens the report in a language without a network; fails on an error of the page and on any request."""
    contexts, troubles = [], []

    def open_one(locale: str) -> Any:
        contexts.append(browser.new_context(offline=True, locale=locale))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: troubles.append(f"an error of the page: {error}"))
        page.on("console", lambda line: troubles.append(line.text) if line.type in ("error", "warning") else None)
        page.on("request", lambda request: requests.append(request.url))
        page.goto(report.as_uri())
        page.wait_for_selector("#review-found:visible")
        return page

    requests: list[str] = []
    yield open_one
    for context in contexts:
        context.close()
    assert troubles == [] and [url for url in requests if not url.startswith(("data:", report.as_uri()))] == []


def goes_to(page: Any, step: int) -> None:
    expect(page.locator("#replay-at")).to_have_value(str(step))


def choose(page: Any, number: int) -> None:
    page.select_option("#replay-game", index=number)
    goes_to(page, 0)


@pytest.mark.parametrize("locale", long_after(1, ["en-GB", "zh-CN"]))
def test_it_fits(opened: Callable[[str], Any], locale: str) -> None:
    page = opened(locale)
    assert page.evaluate("document.documentElement.lang")[:2] == locale[:2]
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    for width, height in PLACES.values():
        page.set_viewport_size({"width": width, "height": height})
        for number in range(len(GAMES)):
            choose(page, number)
            assert page.evaluate(OVERFLOW) == []
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_keys_the_buttons_and_the_graph_choose_a_step(opened: Callable[[str], Any]) -> None:
    page = opened("en-GB")
    goes_to(page, 0)
    page.keyboard.press("ArrowRight")
    goes_to(page, 1)
    page.keyboard.press("End")
    goes_to(page, PLIES)
    page.click("#replay-back")
    goes_to(page, PLIES - 1)
    page.keyboard.press("Home")
    goes_to(page, 0)
    width = page.locator("#review-graph").bounding_box()["width"]
    page.locator("#review-graph").click(position={"x": width / 2, "y": 40})
    goes_to(page, PLIES // 2)
