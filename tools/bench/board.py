"""What the web board and the referee cost.

- `board`: how long `junqi-board` takes from its start to a game that can be played, with cached kernels
- `board_page`: the answer to a click, the frames of an animation, and doing nothing
- `referee`: plies per second with engines that answer at once
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil

from junqi_engine.engines.own_program import own_command
from tools.bench import instant_engine
from tools.bench.report import Report
from tools.referee.playing.tournament import Progress, Tournament
from tools.referee.settings.settings import Settings

STARTS = 5


def measure_board(report: Report) -> None:
    """Medians of several starts. The page is only a WebSocket, so the start of a browser is not included."""
    _start()
    starts = [_start() for _ in range(STARTS)]
    report.note(
        f"median of {STARTS} starts, load {os.getloadavg()[0]:.1f}; on a busy machine compare the processor time"
    )
    for place, (name, target) in enumerate(
        [
            ("address printed, browser started", ""),
            ("page connected: rules and engine loaded", ""),
            ("engine has set up its pieces: Start enabled", ""),
            ("first move possible", "below 3"),
            ("processor time of the board", ""),
            ("processor time of the engine", ""),
        ]
    ):
        report.figure(name, statistics.median(start[place] for start in starts), "s", target)


def _start() -> tuple[float, ...]:
    """The times of four steps, in seconds since the start, and the processor time of board and engines."""
    from websockets.sync.client import connect
    from websockets.typing import Origin

    # Byte code is cached, as it is in an installation.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        command = own_command("tools.board", "--no-browser", "--folder", folder)
        board = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        try:
            assert board.stdout is not None
            base, token = board.stdout.readline().split()[1].split("#")
            steps = [time.perf_counter() - began]
            address = base.replace("http:", "ws:") + "socket"
            with connect(
                address, origin=Origin(base.rstrip("/")), max_size=None, compression=None, ping_interval=None
            ) as page:
                page.send(json.dumps({"type": "hello", "token": token}))
                while len(steps) < 4:
                    message = json.loads(page.recv(timeout=300))
                    is_arranged = message["type"] == "game" and all(
                        about["ready"] for about in message["seats"].values() if about["who"] == "engine"
                    )
                    is_next = (message["type"] == "welcome", is_arranged, bool(message.get("targets")))[len(steps) - 1]
                    if is_next:
                        steps.append(time.perf_counter() - began)
                        if len(steps) == 3:
                            page.send(json.dumps({"type": "ready", "lineups": message["drafts"]}))
                board_times = psutil.Process(board.pid)
                engines = sum(map(_processor_s, board_times.children()))
                return (*steps, _processor_s(board_times), engines)
        finally:
            board.terminate()
            board.communicate()


def _processor_s(process: psutil.Process) -> float:
    """The processor time that a process has used, in seconds."""
    times = process.cpu_times()
    return times.user + times.system


CLICKS = 30
IDLE_S = 20
# The time from a pointer event to the end of the frame that draws its effect, for clicks on pieces that can move.
CLICK_MS = """async (count) => {
  const board = document.getElementById("play-board");
  const found = [];
  for (let number = 0; number < count; number++) {
    const pieces = board.querySelectorAll(".movable");
    const box = pieces[number % pieces.length].getBoundingClientRect();
    const place = {clientX: box.x + box.width / 2, clientY: box.y + box.height / 2};
    const at = {...place, pointerId: 1, button: 0, bubbles: true};
    board.setPointerCapture = () => {};
    const begin = performance.now();
    board.dispatchEvent(new PointerEvent("pointerdown", at));
    board.dispatchEvent(new PointerEvent("pointerup", at));
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
    found.push(performance.now() - begin);
  }
  return found;
}"""
# The times between the frames while the moves of a replay are animated.
FRAMES_MS = """async (steps) => {
  const found = [];
  for (let step = 0; step < steps; step++) {
    document.getElementById("replay-next").click();
    await new Promise((done) => setTimeout(done, 60));
    let last = await new Promise(requestAnimationFrame);
    while (document.getAnimations().some((one) => one.playState === "running")) {
      const now = await new Promise(requestAnimationFrame);
      found.push(now - last);
      last = now;
    }
  }
  return found;
}"""
ANIMATED_MOVES = 25


def measure_board_page(report: Report) -> None:
    """Figures of one page in Chromium without a graphics card; on a busy machine the slowest are not the page's."""
    from tools.board import screenshots

    with screenshots.board_page(reduced_motion="no-preference") as page:
        screenshots.begin_game(page, "siguo")
        report.note(f"{CLICKS} clicks, {ANIMATED_MOVES} moves, {IDLE_S} s idle; load {os.getloadavg()[0]:.1f}")
        clicks = page.evaluate(CLICK_MS, CLICKS)
        report.figure("click on a piece to its targets drawn, median", statistics.median(clicks), "ms", "below 50")
        report.figure("the slowest of them", max(clicks), "ms")
        report.figure("page and board idle", _idle_percent(page), "% of a core", "below 0.5")
        page.click("#resign")
        page.click("#confirm button.main")
        page.set_input_files("#replay-file", _long_game(page))
        page.click("#tab-replay")
        page.wait_for_selector("#replay-moves li")
        frames = page.evaluate(FRAMES_MS, ANIMATED_MOVES)
        report.figure("frames a second in animations, median", 1000 / statistics.median(frames), "Hz", "60")
        report.figure("frames later than 20 ms", 100 * sum(frame > 20 for frame in frames) / len(frames), "%")


def _long_game(page: Any) -> dict[str, Any]:
    """A record of random moves as a file to open."""
    import random

    from junqi_engine.players import lineup_choice
    from junqi_engine.rules.options import Rules
    from tools.referee.records.game_record import GameRecord
    from tools.referee.truth import Truth

    rng = random.Random(1)
    lineups = {seat: lineup_choice.sensible(rng) for seat in "SENW"}
    truth = Truth("siguo", lineups, "S", Rules(max_plies=60))
    while truth.result is None:
        truth.play(rng.choice(truth.legal()))
    count = len(truth.moves)
    record = GameRecord(1, "siguo", "partner", {}, 0, {"max_plies": 60}, lineups, "S", truth.moves, [1] * count,
                        [None] * count, truth.result, truth.ending)  # fmt: skip
    return {"name": "one.jsonl", "mimeType": "text/plain", "buffer": record.as_line().encode()}


def _idle_percent(page: Any) -> float:
    """The processor time of the browser, the board and its engines while nothing happens, in percent of a core."""
    page.wait_for_timeout(2000)
    before_s, began = _descendants_s(), time.perf_counter()
    page.wait_for_timeout(1000 * IDLE_S)
    return 100 * (_descendants_s() - before_s) / (time.perf_counter() - began)


def _descendants_s() -> float:
    """The processor time of all processes that this one has started, directly or not, in seconds."""
    times = [process.cpu_times() for process in psutil.Process().children(recursive=True)]
    return sum(each.user + each.system for each in times)


GAMES_AT_A_TIME = 2
PAIRS = 20
PLIES_A_GAME = 300
MATCHES = 3


def measure_referee(report: Report) -> None:
    """Complete games, from the line-ups to the record on disk; every engine is a process."""
    best = 0.0
    for _ in range(MATCHES):
        with tempfile.TemporaryDirectory() as folder:
            plies, seconds = play_match(Path(folder))
        best = max(best, plies / seconds)
    report.note(f"{PAIRS} pairs, {PLIES_A_GAME} plies a game, {GAMES_AT_A_TIME} games at a time; best of {MATCHES}")
    report.figure("plies a second, engines that answer at once", best, "plies/s", "at least 2,000 on two cores")


def play_match(folder: Path) -> tuple[int, float]:
    """The plies of one match, and its duration in seconds, including the start of the engines."""
    command = [sys.executable, "-S", "-E", instant_engine.__file__]
    tables = {
        "match": {
            "rounds": PAIRS,
            "concurrency": GAMES_AT_A_TIME,
            "no-contact": 0,
            "max-plies": PLIES_A_GAME,
            "record": str(folder / "games.jsonl"),
        },
        "each": {"cmd": command, "st": 1},
        "engine": [{"name": "one"}, {"name": "other"}],
    }
    tournament = Tournament(Settings.read(tables, "bench"))
    began = time.perf_counter()
    with (folder / "progress").open("w") as out:
        tournament.run(Progress(out), resume=False)
    seconds = time.perf_counter() - began
    return sum(len(game.moves) for game in tournament.finished.values()), seconds
