"""The WebSocket of one page: it authenticates with a token, then its messages are checked and handed to its views.

The answer to any input is a message. An internal error concerns one message: it is logged and counted, the page gets
one line and no traceback, and the views leave everything as it was before the message.
"""

import asyncio
import importlib
import json
import logging
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from junqi_board.access import Access
from junqi_board.errors import RequestError
from junqi_board.kept import GUESTS
from junqi_board.messages import MAX_FRAME_BYTES, check, parse
from junqi_board.server import Server

MAX_OUTGOING_CHARS = 1 << 21
"""What a page may leave unread."""
MAX_SLOW = 20
HELLO_S = 10.0
"""How long a page may take to show its token."""
CLOSE_WRONG_TOKEN = 4403
CLOSE_BAD_HELLO = 4400
CLOSE_TRY_AGAIN = 1013
CLOSE_TOO_LARGE = 1009

log = logging.getLogger("junqi-board")


class Connection:
    def __init__(self, server: Server, socket: WebSocket) -> None:
        self._server = server
        self._socket = socket
        self._outgoing: asyncio.Queue[str] = asyncio.Queue()
        self._outgoing_chars = 0
        self._is_deaf = asyncio.Event()
        self._slow: set[asyncio.Task] = set()

    def send(self, message: dict[str, Any]) -> None:
        """Queue a message. A page that does not read is disconnected."""
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        self._outgoing_chars += len(text)
        self._outgoing.put_nowait(text)
        if self._outgoing_chars > MAX_OUTGOING_CHARS and self._outgoing.qsize() > 1:
            self._is_deaf.set()

    async def serve(self) -> None:
        await self._socket.accept()
        access = await self._authenticate()
        if access is None:
            return
        work = self._write(), self._read(access), self._is_deaf.wait()
        tasks = [asyncio.create_task(one) for one in work]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            # This task can be cancelled too, when the server ends; the outcome of all is examined in any case.
            for task in tasks:
                task.cancel()
            outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, Exception) and not isinstance(outcome, WebSocketDisconnect):
                log.error("the connection of a page failed", exc_info=outcome)

    async def _authenticate(self) -> Access | None:
        """Wait for `hello`; the access of its token, or None after the WebSocket has been closed."""
        try:
            async with asyncio.timeout(HELLO_S):
                message = parse(await self._receive())
        except (RequestError, WebSocketDisconnect, TimeoutError):
            await self._close(CLOSE_BAD_HELLO, "expected a hello message")
            return None
        token = message.get("token")
        access = None
        if message.keys() == {"type", "token"} and message["type"] == "hello" and isinstance(token, str):
            access = self._server.tokens.find(token)
            if access is not None and access.token != token:
                self._server.keep_guests()
        if access is None:
            # Before the first game is there, it may be the token of a game that will be resumed.
            is_early = self._server.table is None and GUESTS in self._server.kept.values
            told = "the token is wrong, or the game is over"
            await self._close(CLOSE_TRY_AGAIN if is_early else CLOSE_WRONG_TOKEN, told)
            return None
        return access

    async def _read(self, access: Access) -> None:
        # Imported here because the views load the rules, and the page is served before that; in a thread, because it
        # takes a moment.
        await asyncio.to_thread(importlib.import_module, "junqi_board.views.registry")
        from junqi_board.views.base import PageContext
        from junqi_board.views.registry import PageViews

        await self._server.opened.wait()
        views = PageViews(PageContext(self._server, access, self.send))
        try:
            views.open()
            while True:
                await self._handle(await self._receive(), views)
        finally:
            views.close()

    async def _handle(self, frame: str | bytes, views: Any) -> None:
        from junqi_board.views.registry import COMMANDS, SHAPES

        try:
            kind, fields, message_id = check(parse(frame), SHAPES)
        except RequestError as error:
            self._refuse(None, error.code, str(error))
            return
        if not COMMANDS[kind].is_slow:
            await self._answer(views, kind, fields, message_id)
        elif len(self._slow) < MAX_SLOW:
            task = asyncio.create_task(self._answer(views, kind, fields, message_id))
            self._slow.add(task)
            task.add_done_callback(self._slow.discard)
            # It begins before the next message, which may be what stops it.
            await asyncio.sleep(0)
        else:
            self._refuse(message_id, "busy", "too many requests at once")

    async def _answer(self, views: Any, kind: str, fields: dict[str, Any], message_id: int | None) -> None:
        def tell(text: str) -> None:
            self._refuse(message_id, "internal", text)

        try:
            with self._server.errors.handled(f"the message {kind}", tell):
                await views.handle(kind, message_id, fields)
        except RequestError as error:
            self._refuse(message_id, error.code, str(error))

    def _refuse(self, message_id: int | None, code: str, text: str) -> None:
        self.send({"type": "error", "id": message_id, "code": code, "text": text})

    async def _receive(self) -> str | bytes:
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1006))
        text = message.get("text")
        frame = text if text is not None else message.get("bytes") or b""
        if len(frame) > MAX_FRAME_BYTES:
            await self._close(CLOSE_TOO_LARGE, "the message is too large")
            raise WebSocketDisconnect(CLOSE_TOO_LARGE)
        return frame

    async def _write(self) -> None:
        while True:
            text = await self._outgoing.get()
            self._outgoing_chars -= len(text)
            try:
                await self._socket.send_text(text)
            except RuntimeError:
                return  # the page has gone
            await asyncio.sleep(0)  # so that a lost connection is noticed, and others are served, between two messages

    async def _close(self, code: int, reason: str) -> None:
        try:
            await self._socket.close(code, reason)
        except (RuntimeError, WebSocketDisconnect):
            return  # it is already closed
