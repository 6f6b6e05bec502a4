"""What the page of the web board costs: the answer to a click, the frames of an animation, and doing nothing."""

import os
import statistics
import time
from typing import Any

import psutil

from tools.bench.report import Report

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


def measure(report: Report) -> None:
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
