"""The web application: the page's files and a WebSocket per page, for this machine and the board's own pages only."""

import asyncio
import importlib
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import ModuleType

import uvicorn
from starlette.applications import Starlette
from starlette.convertors import StringConvertor, register_url_convertor
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from junqi_board import connection
from junqi_board.access import Access
from junqi_board.addresses import Network
from junqi_board.connection import MAX_FRAME_BYTES, serve
from junqi_board.host import Host
from junqi_board.messages.connection import Welcome

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
        ws_ping_interval=connection.PING_EVERY_S,
        ws_ping_timeout=connection.SILENT_S,
        limit_concurrency=MAX_CONNECTIONS,
        log_config=None,
        # Below are faults of what anybody may send, who must not be able to fill the log.
        log_level="error",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=1,
    )


class PlaceConvertor(StringConvertor):
    """The id of a game, lesson, problem or teaser: it has no dot. A file in a folder of that name has one."""

    regex = "[^/.]+"


register_url_convertor("place", PlaceConvertor())


class SameOrigin:
    """Refuses what comes from a page of another origin; other answers get the headers that keep the page to itself."""

    def __init__(self, app: ASGIApp, origins: tuple[str, ...]) -> None:
        self._app = app
        self._origins = origins
        self._headers = _headers(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self._headers)
            await send(message)

        answer = self._app
        if scope["type"] != "lifespan":
            # A browser names the origin of a page that opens a socket, but not that of one that loads an image.
            origin = Headers(scope=scope).get("origin")
            if origin not in self._origins and (origin is not None or scope["type"] == "websocket"):
                answer = PlainTextResponse("only the board's own page has access\n", 403)
        await answer(scope, receive, send_with_headers)


def guards(network: Network, port: int) -> list[Middleware]:
    """Protection against pages of other origins, and against foreign host names that resolve to this machine."""
    origins = network.origins(port)
    hosts = [re.sub(r":\d+$", "", origin.partition("://")[2]) for origin in origins]
    return [
        Middleware(TrustedHostMiddleware, allowed_hosts=hosts, www_redirect=False),
        Middleware(SameOrigin, origins=origins),
    ]


def make_app(host: Host, port: int) -> ASGIApp:
    async def serve_index(request: Request) -> Response:
        return FileResponse(PAGE / "index.html")

    async def serve_page(socket: WebSocket) -> None:
        await serve(host, socket, welcome)

    async def welcome(access: Access) -> Welcome:
        loaded = await load_answers()
        await host.opened.wait()
        found: Welcome = loaded.welcome(host, access)
        return found

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        opening = asyncio.create_task(_open(host))
        yield
        opening.cancel()
        await asyncio.gather(opening, return_exceptions=True)
        await host.close()

    # The page itself reads what else its address names.
    # Older boards called problems and brain teasers puzzles.
    places = [f"/{kind}/{{of:place}}" for kind in ("game", "learn", "problem", "teaser", "puzzle")]
    pages = [Route(path, serve_index) for path in ("/", *places)]
    routes = [*pages, WebSocketRoute("/socket", serve_page), Mount("/", StaticFiles(directory=PAGE))]
    middleware = [*guards(host.network, port), Middleware(GZipMiddleware)]
    return Starlette(routes=routes, lifespan=lifespan, middleware=middleware)


async def load_answers() -> ModuleType:
    """Load the functions of the messages, and with them the rules, which takes a moment."""
    return await asyncio.to_thread(importlib.import_module, "junqi_board.answers")


async def _open(host: Host) -> None:
    def tell(text: str) -> None:
        host.fault = text

    with host.errors.handled("the first game", tell):
        # Meanwhile the engine loads or compiles its kernels.
        await load_answers()
        await host.open_game()


def _headers(origins: tuple[str, ...]) -> dict[str, str]:
    sockets = " ".join(f"ws{origin.removeprefix('http')}" for origin in origins)
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
