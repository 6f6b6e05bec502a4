"""The server: the page's files, and a web socket for each page; on this machine only, and for its own pages only."""

import asyncio
import importlib
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import resources
from pathlib import Path
from types import ModuleType

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from tools.board.connection import Connection
from tools.board.house import House

HOST = "127.0.0.1"
PAGE = resources.files("tools.board").joinpath("page")
KINDS = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}

log = logging.getLogger("junqi-board")


class SameOrigin:
    """Refuses what was not addressed to this server, or comes from a page of another origin."""

    def __init__(self, app: ASGIApp, port: int) -> None:
        self._app = app
        self._hosts = {f"{name}:{port}".encode() for name in (HOST, "localhost")}
        self._origins = {b"http://" + host for host in self._hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        origin = headers.get(b"origin")
        is_ours = headers.get(b"host") in self._hosts
        if scope["type"] == "websocket":
            # A browser always names the origin of the page that opens a socket.
            is_ours = is_ours and origin in self._origins
        elif origin is not None:
            is_ours = is_ours and origin in self._origins
        if is_ours:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 4403, "reason": "a foreign origin"})
        else:
            await PlainTextResponse("this board is for its own page only\n", 403)(scope, receive, send)


def make_app(house: House, port: int) -> ASGIApp:
    """The application of a house that listens on `port`."""
    # Names are looked up among the page's own files, never joined to a path.
    files = {file.name: file for file in PAGE.iterdir() if Path(file.name).suffix in KINDS}

    async def serve_file(request: Request) -> Response:
        file = files.get(request.path_params.get("name", "index.html"))
        if file is None:
            return PlainTextResponse("there is no such file\n", 404)
        return Response(file.read_bytes(), media_type=KINDS[Path(file.name).suffix], headers=_headers(port))

    async def serve_page(socket: WebSocket) -> None:
        await Connection(house, socket).serve()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        opening = asyncio.create_task(open_house(house))
        yield
        opening.cancel()
        await asyncio.gather(opening, return_exceptions=True)
        await house.close()

    routes = [Route("/", serve_file), WebSocketRoute("/socket", serve_page), Route("/{name}", serve_file)]
    return SameOrigin(Starlette(routes=routes, lifespan=lifespan), port)


async def open_house(house: House) -> None:
    """Put the first game on the board, once the engines have been met."""
    # The rules take a moment to load; the engine compiles or loads its kernels meanwhile.
    seating = await asyncio.to_thread(_load_rules)
    await house.wait_until_open()
    if house.variants and house.game is None:
        fields = seating.opening(house.variants, house.programs[0], house.default_player)
        house.begin(seating.Seating.read(fields, house.programs, house.variants))
        house.tell_new_game()


def _load_rules() -> ModuleType:
    importlib.import_module("tools.board.desks")
    scenes = importlib.import_module("tools.board.scenes")
    # A kernel is loaded when it is first called: better now, beside the engine's start, than at the first move.
    scenes.warm_up()
    return importlib.import_module("tools.board.seating")


def _headers(port: int) -> dict[str, str]:
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        f"connect-src 'self' ws://{HOST}:{port} ws://localhost:{port}; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return {
        "Content-Security-Policy": policy,
        "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
    }
