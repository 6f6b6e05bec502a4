"""The server is stopped while engines play and search: it ends soon and leaves no engine process behind."""

import json
import signal
import time
from pathlib import Path

import pytest

from protocol.own_program import own_command
from tests.board_help import DEADLINE_S, OWN_ENGINE, Page, broken, serving
from tests.referee_help import ENGINES, processes_with, scripted
from tools.referee.records.game_record import GameRecord
from tools.referee.records.replay import verify

SLACK = 10
ENDS = {signal.SIGTERM: -signal.SIGTERM, signal.SIGINT: 130, signal.SIGKILL: -signal.SIGKILL}


@pytest.mark.parametrize("number", ENDS, ids=lambda number: number.name)
def test_a_signal_while_engines_play(tmp_path: Path, number: signal.Signals) -> None:
    with serving(tmp_path, OWN_ENGINE) as server, Page(server) as page:
        page.new_game(dict.fromkeys("SN", "junqi-engine"), variant="luzhanqi")
        state = page.state(lambda state: state.get("ply", 0) >= 2 or state.get("fault") is not None)
        assert state["fault"] is None
        asked = time.monotonic()
        server.process.send_signal(number)
        assert server.process.wait(DEADLINE_S) == ENDS[number]
        assert time.monotonic() - asked < 2.0 * SLACK
    assert (tmp_path / "stderr.txt").read_text() == ""
    assert processes_with(" ".join(own_command())) == []
    if number != signal.SIGKILL:
        assert verify(GameRecord.from_line(json.dumps(server.records()[-1]))) is None


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)
def test_a_signal_while_an_engine_hangs(tmp_path: Path, number: signal.Signals) -> None:
    """An engine that does not quit is killed."""
    hanging = "hangs", scripted("sets_up_then", "hangs")
    with serving(tmp_path, hanging, broken("script")) as server, Page(server) as page:
        page.new_game({"S": "hangs", "N": "script"}, variant="luzhanqi")
        page.state(lambda state: state.get("ply") == 0)
        time.sleep(0.2)
        server.process.send_signal(number)
        assert server.process.wait(DEADLINE_S) == ENDS[number]
    assert processes_with(str(ENGINES)) == []
