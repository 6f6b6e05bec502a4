"""One page in a browser: its WebSocket, what it may ask, and what it is sent.

A message is a function under `@answers`, in `answers/`: its name is the `type` of the message, its arguments are the
fields, what it returns is the answer, and a `Refused` refuses. A message is one JSON object with its type, exactly
its fields, and perhaps an `id`, which the answer repeats: if the function returns nothing, a `done`.

An internal error concerns one message: it is logged and counted, and the page gets one line and no traceback.
"""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import cache, reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeVar, get_type_hints

import msgspec
from msgspec import UNSET, Meta, Struct
from starlette.websockets import WebSocket, WebSocketDisconnect

from junqi_board.access import Access
from junqi_board.engines import OwnEngine
from junqi_board.host import Host
from junqi_board.messages import Sent
from junqi_board.messages.connection import Alive, Done, RequestError, Welcome
from junqi_board.messages.game import Gone
from junqi_board.store import GUESTS
from junqi_engine.errors import Refused

if TYPE_CHECKING:
    from junqi_board.table import Table

MAX_FRAME_BYTES = 256 * 1024
MAX_NUMBER = 10**9
MAX_OUTGOING_CHARS = 1 << 21
"""Unread output at which a page is disconnected."""
MAX_SLOW = 20
MAX_REASON_CHARS = 300
HELLO_S = 10.0
"""Deadline for the hello message with the token."""
PING_EVERY_S = 5.0
SILENT_S = 15.0
"""The time without an answer to a ping after which a page is disconnected, and without a message after which the page
gives up the connection. A browser answers a ping while its page is busy, and does not tell the page.
"""
CLOSE_BAD_HELLO = 4400
CLOSE_WRONG_TOKEN = 4403
CLOSE_TRY_AGAIN = 1013

log = logging.getLogger("junqi-board")

Handler = Callable[..., Awaitable[Sent | None]]
H = TypeVar("H", bound=Handler)


def chars(most: int) -> Meta:
    """A text without control characters, which can be part of one line of the protocol of engines."""
    return Meta(max_length=most, pattern=r"\A[^\x00-\x1f\x7f]*\Z")


Count = Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
Text = Annotated[str, chars(100)]
LongText = Annotated[str, chars(240 * 1024)]
"""A recorded game, a position, a file."""


class Message(Struct, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """A message that a page may send; each has a form of its own, with its fields. A slow one runs beside others."""

    handler: ClassVar[Handler]
    host_only: ClassVar[bool]
    is_slow: ClassVar[bool]
    id: Count | None = None


MESSAGES: dict[str, type[Message]] = {}
"""By their types."""


def answers(host_only: bool = False, is_slow: bool = False) -> Callable[[H], H]:
    """The function answers the message that it is named after; its first argument is the connection."""

    def register(handler: H) -> H:
        name, types = handler.__name__, get_type_hints(handler, include_extras=True)
        fields = [(field, types[field]) for field in types if field not in ("connection", "return")]
        about = {"handler": staticmethod(handler), "host_only": host_only, "is_slow": is_slow}
        form: Any = msgspec.defstruct(name, fields, bases=(Message,), kw_only=True, tag=name, namespace=about)
        MESSAGES[name] = form
        return handler

    return register


def read(frame: str | bytes) -> Message:
    """The message in a frame; `Refused` says what is wrong."""
    try:
        return _decoder().decode(frame)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        text = "".join(char if char.isprintable() else " " for char in str(error))
        raise Refused("bad-message", text[:MAX_REASON_CHARS]) from None


_ID = re.compile(r'[{,]\s*"id"\s*:\s*(\d{1,9})\s*[,}]')


def _id_of(frame: str | bytes) -> int | None:
    """The number of a message that cannot be decoded, so that the page does not wait for its answer."""
    found = _ID.search(frame if isinstance(frame, str) else frame.decode(errors="replace"))
    return None if found is None else int(found[1])


@cache
def _decoder() -> msgspec.json.Decoder:
    return msgspec.json.Decoder(reduce(or_, MESSAGES.values()))


class Connection:
    """A page that has shown its token. It shows the game on the board; that of a guest only the one to which it was
    invited, and a rematch.
    """

    def __init__(self, host: Host, access: Access) -> None:
        self.host = host
        self.access = access
        self.slow: set[asyncio.Task[None]] = set()
        self.analyst, self.solver = OwnEngine(host.engines), OwnEngine(host.engines)
        self.reviews: list[asyncio.Task[None]] = []
        self.record: Any = None
        """The record that it has open: `answers.scenes.OpenRecord`."""
        self._outgoing: asyncio.Queue[str] = asyncio.Queue()
        self._outgoing_chars = 0
        self._is_deaf = asyncio.Event()

    # For those who answer it

    @property
    def table(self) -> "Table":
        """The game that the page shows; `Refused` if there is none."""
        table = self.host.table_of(self.access)
        if table is None:
            raise Refused("no-game", "this game is over: the board shows another")
        return table

    @property
    def seats(self) -> str:
        """The seats that the page's person plays; `Refused` if it only watches."""
        table = self.table
        return table.game.person(self.seats_at(table)).party.seats

    def seats_at(self, table: "Table") -> str:
        """As `seats`, in any game; empty for a host that only watches."""
        return table.game.seating.host_seats if self.access.is_host else self.access.seats

    def send(self, message: Sent) -> None:
        """Queue a message. A page that does not read is disconnected."""
        text = msgspec.json.encode(message).decode()
        self._outgoing_chars += len(text)
        self._outgoing.put_nowait(text)
        if self._outgoing_chars > MAX_OUTGOING_CHARS and self._outgoing.qsize() > 1:
            self._is_deaf.set()

    # What it shows

    def begin(self, welcome: Welcome) -> None:
        self.send(welcome)
        self.send(self.host.readiness())
        self.host.connections.append(self)
        if self.host.table is not None:
            self.show_game()
            self.host.table.do(self.host.table.game.welcome_page)

    def close(self) -> None:
        if self in self.host.connections:
            self.host.connections.remove(self)
        if self.host.table is not None:
            self.host.table.follow()
            if not self.access.is_host and self.host.table.game.result is None:
                # The link of a seat that is free again was used: the host gets another one.
                self.host.send_host(self.host.opened_game(self.host.table))
        self.analyst.close()
        self.solver.close()
        for review in self.reviews:
            review.cancel()

    def show_game(self) -> None:
        table = self.host.table_of(self.access)
        if table is None:
            self.send(Gone())
            return
        table.show(self.send, self.seats_at(table))
        if self.access.is_host and table.game.result is None:
            # A page that is loaded again, also after a restart, shows the invitations of those who are not here.
            self.send(self.host.opened_game(table))

    # What it answers

    async def take(self, frame: str | bytes) -> None:
        try:
            message = read(frame)
        except Refused as error:
            self._refuse(_id_of(frame), error.code, str(error))
            return
        if not message.is_slow:
            await self._answer(message)
        elif len(self.slow) < MAX_SLOW:
            task = asyncio.create_task(self._answer(message))
            self.slow.add(task)
            task.add_done_callback(self.slow.discard)
            # Let it start before the next message, which may cancel it.
            await asyncio.sleep(0)
        else:
            self._refuse(message.id, "busy", "too many requests at once")

    async def _answer(self, message: Message) -> None:
        kind, fields = type(message).__name__, msgspec.structs.asdict(message)
        del fields["id"]

        def tell(text: str) -> None:
            self._refuse(message.id, "internal", text)

        with self.host.errors.handled(f"the message {kind}", tell):
            try:
                if not self.host.tokens.has(self.access):
                    raise Refused("no-game", "this game is over: the board shows another")
                if message.host_only and not self.access.is_host:
                    raise Refused("host-only", f"{kind}: only the page that opened the board may do this")
                answer = await message.handler(self, **fields)
                if answer is not None or message.id is not None:
                    number = UNSET if message.id is None else message.id
                    self.send(msgspec.structs.replace(answer or Done(), id=number))
            except Refused as error:
                self._refuse(message.id, error.code, str(error))

    def _refuse(self, message_id: int | None, code: str, text: str) -> None:
        number = UNSET if message_id is None else message_id
        self.send(RequestError(code, text[:MAX_REASON_CHARS], id=number))

    # Its WebSocket

    async def serve(self, socket: WebSocket, welcome: Welcome) -> None:
        """Serve the page until it goes, or does not read."""
        try:
            async with asyncio.TaskGroup() as work:
                work.create_task(self._read(socket, welcome))
                work.create_task(self._write(socket))
                work.create_task(self._watch())
                work.create_task(self._beat())
        except* WebSocketDisconnect:
            pass
        except* Exception as errors:
            log.error("the connection of a page failed", exc_info=errors)

    async def _read(self, socket: WebSocket, welcome: Welcome) -> None:
        try:
            self.begin(welcome)
            while True:
                await self.take(await _receive(socket))
        finally:
            self.close()

    async def _write(self, socket: WebSocket) -> None:
        while True:
            text = await self._outgoing.get()
            self._outgoing_chars -= len(text)
            try:
                await socket.send_text(text)
            except RuntimeError:
                raise WebSocketDisconnect from None
            await asyncio.sleep(0)  # so that a lost connection is noticed, and others are served, between two messages

    async def _watch(self) -> None:
        await self._is_deaf.wait()
        raise WebSocketDisconnect

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(PING_EVERY_S)
            self.send(Alive(SILENT_S))


class Hello(Struct, tag_field="type", tag="hello", forbid_unknown_fields=True):
    token: str


async def serve(host: Host, socket: WebSocket, welcome: Callable[[Access], Awaitable[Welcome]]) -> None:
    """Serve a WebSocket that shows a valid token; its first message is what `welcome` makes, once the board is open."""
    await socket.accept()
    try:
        async with asyncio.timeout(HELLO_S):
            token = msgspec.json.decode(await _receive(socket), type=Hello).token
    except (msgspec.MsgspecError, ValueError, RecursionError, WebSocketDisconnect, TimeoutError):
        await _close(socket, CLOSE_BAD_HELLO, "expected a hello message")
        return
    access = host.tokens.find(token)
    if access is None:
        # Before the first game is there, it may be the token of a game that will be resumed.
        is_early = host.table is None and GUESTS in host.store.settings
        code = CLOSE_TRY_AGAIN if is_early else CLOSE_WRONG_TOKEN
        await _close(socket, code, "the token is wrong, or the game is over")
        return
    if access.token != token:
        host.keep_guests()
    await Connection(host, access).serve(socket, await welcome(access))


async def _receive(socket: WebSocket) -> str | bytes:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1006))
    return message.get("text") or message.get("bytes") or b""


async def _close(socket: WebSocket, code: int, reason: str) -> None:
    with suppress(RuntimeError, WebSocketDisconnect):  # it is already closed
        await socket.close(code, reason)
