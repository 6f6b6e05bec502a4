"""Shared by the tests: compiled kernels, workers that share no fixtures, and a browser and a server for the board."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import pytest

from tests.helpers import marking, warm_up
from tests.helpers.board import DEADLINE_S, OWN_ENGINE, Server, begin_with_no_game, broken, serving
from tests.helpers.board_pages import AT_THE_TABLE
from tests.helpers.cluster import cluster
from tests.helpers.engine import Engine
from tests.helpers.referee import scripted
from tests.helpers.screenshots import CHROMIUM, FLAGS

# A shell starts background commands with SIGINT ignored, nohup with SIGHUP; processes that a test signals would inherit
# that.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
# The tests start hundreds of Python processes, and pytest rewrites every test file; each would compile them again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--budget", type=int, default=1, metavar="N", help="repeat tests with seeds N times as often")


def pytest_configure(config: pytest.Config) -> None:
    marking.set_budget(config.getoption("budget"))


def pytest_xdist_auto_num_workers() -> int:
    """Two workers for each processor: many tests wait for a process, a clock or a browser."""
    return 2 * (os.cpu_count() or 1)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the kernels in the process that starts the workers, before it starts them."""
    if not hasattr(session.config, "workerinput") and not session.config.option.collectonly:
        warm_up.compile_kernels()


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen]]]:
    """The address of a Dask scheduler, and its two worker processes."""
    with cluster(tmp_path) as running:
        yield running


@pytest.fixture(scope="session")
def shared_engine() -> Iterator[Engine]:
    """A process for all tests of a worker that do not end it."""
    with Engine() as engine:
        yield engine
        assert engine.ask()[-1] == "readyok"


@pytest.fixture
def engine(shared_engine: Engine) -> Engine:
    """The shared process in the state of a new one."""
    shared_engine.be_as_new()
    return shared_engine


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Debian's Chromium. Tests that need it are skipped on a machine that does not have it."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed: apt-get install chromium-headless-shell")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def board(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A board with the engines and rules of the file's `ENGINES` and `RULES`; by default our own engine, one that dies,
    and a scripted one.
    """
    dying = "then dies", scripted("sets_up_then", "dies_on_go")
    engines = getattr(request.module, "ENGINES", (OWN_ENGINE, dying, broken("script")))
    rules = getattr(request.module, "RULES", {})
    with serving(tmp_path_factory.mktemp("board"), *engines, rules=rules) as server:
        yield server
        # The board logs its own faults.
        assert (server.folder / "stderr.txt").read_text() == ""


@pytest.fixture
def open_page(browser: Any, board: Server) -> Iterator[Callable[..., Any]]:
    """Opens pages, each in its own context. Fails on an error of a page and on a request to another machine."""
    contexts = []
    troubles: list[str] = []

    def watch(request: Any) -> None:
        if urlparse(request.url).hostname != "127.0.0.1" and not request.url.startswith(("data:", "blob:")):
            troubles.append(f"a request to {request.url}")

    def open_one(token: str | None = None, server: Server = board, at_home: bool = False, **settings: Any) -> Any:
        settings = {
            "viewport": {"width": 1200, "height": 800},
            "locale": "en-GB",
            "reduced_motion": "reduce",
        } | settings
        context = browser.new_context(**settings)
        contexts.append(context)
        context.set_default_timeout(1000 * DEADLINE_S)
        context.on("request", watch)
        if not at_home:
            context.add_init_script(AT_THE_TABLE)
        elif token is None:
            begin_with_no_game(server)
        page = context.new_page()
        page.frames_received = []

        def listen(socket: Any) -> None:
            if urlparse(socket.url).hostname != "127.0.0.1":
                troubles.append(f"a socket to {socket.url}")
            socket.on("framereceived", lambda frame: page.frames_received.append(frame))

        page.on("websocket", listen)
        page.on("pageerror", lambda error: troubles.append(f"an error of the page: {error}"))
        page.on("console", lambda said: troubles.append(said.text) if "Content Security" in said.text else None)
        page.goto(f"{server.base}#{server.token if token is None else token}")
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert not troubles
