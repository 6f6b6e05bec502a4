"""The web application: the page's files and a WebSocket per page, for this machine and the board's own pages only."""

import asyncio
import importlib
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from types import ModuleType

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from junqi_board.connection import Connection
from junqi_board.limits import Door, Rate
from junqi_board.network import Network
from junqi_board.page_files import page_files, style_hash
from junqi_board.server import Server
from junqi_engine.client.engine_client import EngineError
from junqi_engine.errors import CommandRejected

REQUESTS_A_SECOND, MAX_REQUESTS = 400, 400
"""Of all strangers together, who need no token for the page's files; a page loads with fewer than a hundred."""

log = logging.getLogger("junqi-board")


class SameOrigin:
    """Refuses requests that are addressed to another host or come from a page of another origin. A flood of requests is
    answered slowly.
    """

    def __init__(self, app: ASGIApp, network: Network, port: int, door: Door) -> None:
        self._app = app
        self._door = door
        self._origins = {origin.encode() for origin in network.origins(port)}
        self._hosts = {origin.partition(b"://")[2] for origin in self._origins}
        self._rate = Rate(REQUESTS_A_SECOND, MAX_REQUESTS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return

        async def tell(message: Message) -> None:
            if message["type"] == "websocket.accept":
                self._door.answer(scope["client"])
            await send(message)

        await self._rate.wait()
        # Requests of connections that are closed do not count: the next page would have to wait for a whole flood.
        if self._door.is_open(scope["client"]):
            self._rate.spend()
        headers = dict(scope["headers"])
        origin = headers.get(b"origin")
        is_ours = headers.get(b"host") in self._hosts
        if scope["type"] == "websocket":
            # A browser always names the origin of the page that opens a socket.
            is_ours = is_ours and origin in self._origins
        elif origin is not None:
            is_ours = is_ours and origin in self._origins
        if is_ours:
            await self._app(scope, receive, tell)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 4403, "reason": "foreign origin"})
        else:
            await PlainTextResponse("only the board's own page has access\n", 403)(scope, receive, send)
        if scope["type"] == "http":  # the next request has all the time again
            self._door.give_time(scope["client"])


def make_app(server: Server, port: int) -> ASGIApp:
    """The web application of a server that listens on `port`."""
    # A request names a key of this table and never becomes part of a path. The files are read now: later there may be
    # too few file descriptors.
    files = page_files()
    headers = _headers(server.network, port, style_hash(files))

    async def serve_file(request: Request) -> Response:
        is_chinese = request.headers.get("accept-language", "").startswith("zh")
        file = files.get(request.path_params.get("name", "zh" if is_chinese else "index.html"))
        if file is None:
            return PlainTextResponse("no such file\n", 404)
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(file.packed, media_type=file.media_type, headers=headers | {"Content-Encoding": "gzip"})
        return Response(file.data, media_type=file.media_type, headers=headers)

    async def serve_page(socket: WebSocket) -> None:
        await Connection(server, socket).serve()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        opening = asyncio.create_task(_open(server))
        yield
        opening.cancel()
        await asyncio.gather(opening, return_exceptions=True)

    routes = [Route("/", serve_file), WebSocketRoute("/socket", serve_page), Route("/{name}", serve_file)]
    return SameOrigin(Starlette(routes=routes, lifespan=lifespan), server.network, port, server.door)


async def _open(server: Server) -> None:
    def tell(text: str) -> None:
        server.fault = text

    with server.errors.handled("the first game", tell):
        await open_board(server)


async def open_board(server: Server) -> None:
    """Start the first game as soon as the options of the engines are known; the pieces can be set up from then on."""
    # Loading the rules takes a moment; meanwhile the engine loads or compiles its kernels.
    seating = await asyncio.to_thread(_load_views)
    await server.wait_until_open()
    fields = seating.opening(server.variants, server.programs[0], server.default_player, server.first_elo)
    if fields is not None and server.session is None:
        server.start_game(seating.Seating.read(fields, server.programs, server.variants), None)
    # A kernel is loaded, or compiled, at its first call: now, rather than at the first move.
    await server.load_rules()
    # The others too, once no engine compiles them: later there may be too few file descriptors.
    await server.wait_until_settled()
    for kernel in importlib.import_module("junqi_board.drawing.junqi").kernels():
        await asyncio.to_thread(kernel.prepare)
    # Those of the puzzles at the first start of all, before somebody opens one and would wait for half a minute.
    await _compile_puzzles(server)


async def _compile_puzzles(server: Server) -> None:
    """Compile the kernels of the puzzles that are not in the cache; an engine that cannot says so when it is used."""
    has_kernels = importlib.import_module("junqi_engine.kernel_cache").has_kernels
    puzzles = importlib.import_module("junqi_puzzles.drawing").VARIANTS
    kernels_of = {name: f"puzzles.{name.replace('-', '_')}" for name in puzzles if name in server.variants}
    cold = [name for name, package in kernels_of.items() if not has_kernels(package)]
    if cold:
        with suppress(EngineError, CommandRejected):
            await server.pool.compile_variants(server.programs[0], cold)


def _load_views() -> ModuleType:
    importlib.import_module("junqi_board.views.registry")
    return importlib.import_module("junqi_board.game.seating")


def _headers(network: Network, port: int, style: str) -> dict[str, str]:
    # `ws` for `http`, `wss` for `https`.
    sockets = " ".join(f"ws{origin.removeprefix('http')}" for origin in network.origins(port))
    policy = (
        f"default-src 'none'; script-src 'self'; style-src '{style}'; img-src 'self' data: blob:; manifest-src 'self'; "
        f"connect-src 'self' {sockets}; "
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
