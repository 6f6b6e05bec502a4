"""The server is stopped while engines play and search: it ends soon and leaves no engine process behind."""

import json
import signal
import time
from pathlib import Path

import pytest

from junqi_engine.client.own_program import own_command
from junqi_referee.records.game_record import GameRecord
from junqi_referee.records.replay import verify
from tests.helpers.board import DEADLINE_S, OWN_ENGINE, Page, broken, serving
from tests.helpers.marking import long_after
from tests.helpers.referee import ENGINES, processes_with, scripted

SLACK = 10
OWN_COMMAND = " ".join(own_command())
ENDS = {
    signal.SIGTERM: -signal.SIGTERM,
    signal.SIGINT: 130,
    signal.SIGKILL: -signal.SIGKILL,
    signal.SIGHUP: -signal.SIGHUP,
}


@pytest.mark.parametrize("number", long_after(1, [signal.SIGTERM, signal.SIGKILL]), ids=lambda number: number.name)
def test_a_signal_while_engines_play(tmp_path: Path, number: signal.Signals) -> None:
    others = processes_with(OWN_COMMAND, looks=1)  # one may serve other tests
    with serving(tmp_path, OWN_ENGINE) as server, Page(server) as page:
        page.new_game(dict.fromkeys("SN", "junqi-engine"), variant="luzhanqi")
        state = page.state(lambda state: state.get("ply", 0) >= 2 or state.get("fault") is not None)
        assert state["fault"] is None
        asked = time.monotonic()
        server.process.send_signal(number)
        assert server.process.wait(DEADLINE_S) == ENDS[number]
        assert time.monotonic() - asked < 2.0 * SLACK
    assert (tmp_path / "stderr.txt").read_text() == ""
    assert len(processes_with(OWN_COMMAND)) == len(others)
    if number != signal.SIGKILL:
        assert verify(GameRecord.from_line(json.dumps(server.records()[-1]))) is None


@pytest.mark.parametrize(
    "number", long_after(1, [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]), ids=lambda number: number.name
)
def test_a_signal_while_an_engine_hangs(tmp_path: Path, number: signal.Signals) -> None:
    """An engine that does not quit is killed. SIGHUP means that the terminal was closed."""
    hanging = "hangs", scripted("sets_up_then", "hangs")
    with serving(tmp_path, hanging, broken("script")) as server, Page(server) as page:
        page.new_game({"S": "hangs", "N": "script"}, variant="luzhanqi")
        page.state(lambda state: state.get("ply") == 0)
        time.sleep(0.2)
        server.process.send_signal(number)
        assert server.process.wait(DEADLINE_S) == ENDS[number]
    assert processes_with(str(ENGINES)) == []


def test_a_board_under_nohup_ignores_a_closed_terminal(tmp_path: Path) -> None:
    ignored = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)"
    with serving(tmp_path, broken("script"), sabotage=ignored) as server, Page(server) as page:
        page.until("game")
        server.process.send_signal(signal.SIGHUP)
        assert page.ask("lineup_random")["type"] == "lineup"
