"""Uses each extra once, with whatever versions are installed: the rules of pyproject.toml must hold for the lowest."""

import asyncio
import json
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
DEADLINE_S = 60


def engine() -> None:
    """A first start of the smallest package: its kernels are compiled, and found by the next start."""
    lines = ("setoption name UCI_Variant value submarine", "isready", "go")
    command = [sys.executable, "-m", "junqi_protocol", *lines]
    for _ in range(2):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL)
        assert done.stdout.splitlines()[-1] == "bestmove b2b1", done.stdout
        assert done.stderr == "", done.stderr
    assert "compiling" not in done.stdout


def board() -> None:
    """The web server, as the board configures it, and a WebSocket through it."""
    import segno
    import uvicorn
    from starlette.applications import Starlette
    from starlette.responses import PlainTextResponse
    from starlette.routing import Route, WebSocketRoute
    from websockets.sync.client import connect

    from junqi_board.addresses import LOOPBACK
    from junqi_board.answers import play
    from junqi_board.connection import read
    from junqi_board.web import guards, settings_of

    assert segno.make_qr("http://127.0.0.1", error="l", boost_error=False).matrix
    assert type(read('{"type":"move","ply":0,"move":"g6g7"}')).__name__ == play.move.__name__

    async def page(request: Any) -> PlainTextResponse:
        return PlainTextResponse("page")

    async def echo(socket: Any) -> None:
        await socket.accept()
        await socket.send_text(await socket.receive_text())
        await socket.close()

    async def serve(use: Callable[[int], Awaitable[None]]) -> None:
        import socket

        listening = socket.create_server(("127.0.0.1", 0))
        port = listening.getsockname()[1]
        routes = [Route("/", page), WebSocketRoute("/socket", echo)]
        app = Starlette(routes=routes, middleware=guards(LOOPBACK, port))
        server = uvicorn.Server(settings_of(app))
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        try:
            await asyncio.wait_for(use(port), DEADLINE_S)
        finally:
            server.should_exit = True
            await serving

    def visit(port: int) -> None:
        with urlopen(f"http://127.0.0.1:{port}/", timeout=DEADLINE_S) as answer:
            assert answer.read() == b"page"
        text = "x" * 50_000
        origin: Any = f"http://127.0.0.1:{port}"
        with connect(f"ws://127.0.0.1:{port}/socket", origin=origin) as socket:
            socket.send(text)
            assert socket.recv(DEADLINE_S) == text

    asyncio.run(serve(lambda port: asyncio.to_thread(visit, port)))


def env() -> None:
    from junqi_engine.env.observation import Observer
    from junqi_engine.env.pettingzoo_env import JunqiEnv, space_of

    assert set(space_of(Observer("luzhanqi")).sample()) == {"observation", "counts", "action_mask"}
    assert JunqiEnv.metadata["name"]


def cluster() -> None:
    from distributed import Client, as_completed

    with Client(processes=False, n_workers=1, threads_per_worker=1, dashboard_address=None) as client:
        (done,) = as_completed([client.submit(abs, -1)])
        assert done.result() == 1


def main() -> int:
    """Use every extra; 1 if one fails."""
    failed = {}
    compiling = threading.Thread(target=lambda: _use(engine, failed))
    compiling.start()
    for each in (board, env, cluster):
        _use(each, failed)
    compiling.join()
    print(json.dumps(failed, indent=2) if failed else "the lowest versions of every extra work")
    return 1 if failed else 0


def _use(extra: Callable[[], None], failed: dict[str, str]) -> None:
    try:
        extra()
    except Exception as error:  # noqa: BLE001  all of them are reported
        failed[extra.__name__] = f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    sys.exit(main())
