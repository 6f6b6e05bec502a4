"""The web application: the page's files and a WebSocket per page, for this machine and the board's own pages only."""

import asyncio
import importlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from types import ModuleType

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from junqi_board.addresses import Network
from junqi_board.connection import Connection
from junqi_board.messages import MAX_FRAME_BYTES
from junqi_board.server import Server
from junqi_engine.errors import CommandRejected, EngineError

PAGE = Path(__file__).parent / "page"
MAX_CONNECTIONS = 500
"""While so many are open, further requests are refused."""


def settings_of(app: ASGIApp) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http="h11",
        ws="websockets-sansio",
        ws_max_size=MAX_FRAME_BYTES,
        # A few bytes could be unpacked to hundreds of megabytes before anything counts them.
        ws_per_message_deflate=False,
        limit_concurrency=MAX_CONNECTIONS,
        log_config=None,
        # Below are faults of what anybody may send, who must not be able to fill the log.
        log_level="error",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=1,
    )


class SameOrigin:
    """Refuses requests that are addressed to another host or come from a page of another origin; other answers get the
    headers that keep the page to itself.
    """

    def __init__(self, app: ASGIApp, network: Network, port: int) -> None:
        self._app = app
        self._origins = {origin.encode() for origin in network.origins(port)}
        self._hosts = {origin.partition(b"://")[2] for origin in self._origins}
        self._headers = _headers(network, port)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self._headers)
            await send(message)

        headers = dict(scope["headers"])
        # A browser always names the origin of the page that opens a socket.
        from_ours = headers.get(b"origin") in self._origins | ({None} if scope["type"] == "http" else set())
        if from_ours and headers.get(b"host") in self._hosts:
            await self._app(scope, receive, send_with_headers)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 4403, "reason": "foreign origin"})
        else:
            await PlainTextResponse("only the board's own page has access\n", 403)(scope, receive, send)


def make_app(server: Server, port: int) -> ASGIApp:
    async def serve_index(request: Request) -> Response:
        return FileResponse(PAGE / "index.html")

    async def serve_page(socket: WebSocket) -> None:
        await Connection(server, socket).serve()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        opening = asyncio.create_task(_open(server))
        yield
        opening.cancel()
        await asyncio.gather(opening, return_exceptions=True)

    # The page itself reads what else its address names.
    pages = [Route(path, serve_index) for path in ("/", "/game/{of}", "/puzzle/{of}", "/learn/{of}")]
    routes = [*pages, WebSocketRoute("/socket", serve_page), Mount("/", StaticFiles(directory=PAGE))]
    app = Starlette(routes=routes, lifespan=lifespan, middleware=[Middleware(GZipMiddleware)])
    return SameOrigin(app, server.network, port)


async def _open(server: Server) -> None:
    def tell(text: str) -> None:
        server.fault = text

    with server.errors.handled("the first game", tell):
        await open_board(server)


async def open_board(server: Server) -> None:
    """Resume the game that was interrupted, or start one, as soon as the options of the engines are known."""
    # Loading the rules takes a moment; meanwhile the engine loads or compiles its kernels.
    seating = await asyncio.to_thread(_load_views)
    await server.opened.wait()
    await server.resume_interrupted()
    fields = seating.opening(server.variants, server.programs[0], server.first_elo)
    if fields is not None and server.table is None:
        server.start_game(seating.Seating.read(fields, server.programs, server.variants))
    # A kernel is loaded, or compiled, at its first call: now, rather than at the first move.
    await server.load_rules()
    await server.settled.wait()
    # Those of the puzzles at the first start of all, before somebody opens one and would wait for half a minute.
    await _compile_puzzles(server)


async def _compile_puzzles(server: Server) -> None:
    """Compile the kernels of the puzzles that are not in the cache; an engine that cannot says so when it is used."""
    has_kernels = importlib.import_module("junqi_engine.kernel_cache").has_kernels
    puzzles = importlib.import_module("junqi_board.drawing.puzzles").VARIANTS
    kernels_of = {name: f"junqi_puzzles.{name.replace('-', '_')}" for name in puzzles if name in server.variants}
    cold = [name for name, package in kernels_of.items() if not has_kernels(package)]
    if cold:
        with suppress(EngineError, CommandRejected):
            await server.engines.compile_variants(server.programs[0], cold)


def _load_views() -> ModuleType:
    importlib.import_module("junqi_board.views.registry")
    return importlib.import_module("junqi_board.game.seating")


def _headers(network: Network, port: int) -> dict[str, str]:
    # `ws` for `http`, `wss` for `https`.
    sockets = " ".join(f"ws{origin.removeprefix('http')}" for origin in network.origins(port))
    policy = (
        f"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        f"connect-src 'self' {sockets}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return {
        "Content-Security-Policy": policy,
        "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
    }
