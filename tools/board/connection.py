"""The WebSocket of one page: it authenticates with a token, then its messages are checked and handed to its views.

The answer to any input is a message. An internal error concerns one message: it is logged and counted, the page gets
one line and no traceback, and the views leave everything as it was before the message.
"""

import asyncio
import importlib
import json
import logging
import time
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from tools.board.access_tokens import Access
from tools.board.errors import RequestError
from tools.board.messages import MAX_FRAME_BYTES, check, parse
from tools.board.server import Server

HELLO_PATIENCE_S = 10.0
MAX_OUTGOING = 500
MAX_SLOW = 20
MESSAGES_A_SECOND = 100
MAX_BURST = 200
CLOSE_WRONG_TOKEN = 4403
CLOSE_BAD_HELLO = 4400
CLOSE_TOO_SLOW = 4408
CLOSE_TOO_LARGE = 1009

log = logging.getLogger("junqi-board")


class Rate:
    """Slows down a page that sends faster than `MESSAGES_A_SECOND`, so that it does not hold up the others."""

    def __init__(self) -> None:
        self._credit = float(MAX_BURST)
        self._seen_s = time.monotonic()

    async def wait(self) -> None:
        """Wait until the page may send one more message."""
        now_s = time.monotonic()
        self._credit = min(MAX_BURST, self._credit + MESSAGES_A_SECOND * (now_s - self._seen_s)) - 1
        self._seen_s = now_s
        if self._credit < 0:
            await asyncio.sleep(-self._credit / MESSAGES_A_SECOND)


class Connection:
    """A page that has connected."""

    def __init__(self, server: Server, socket: WebSocket) -> None:
        self._server = server
        self._socket = socket
        self._outgoing: asyncio.Queue[dict[str, Any]] = asyncio.Queue(MAX_OUTGOING)
        self._is_overflowing = False
        self._rate = Rate()
        self._slow: set[asyncio.Task] = set()

    def send(self, message: dict[str, Any]) -> None:
        """Queue a message. A page that no longer reads its messages is disconnected."""
        try:
            self._outgoing.put_nowait(message)
        except asyncio.QueueFull:
            self._is_overflowing = True

    async def serve(self) -> None:
        """Serve the page until it disconnects."""
        await self._socket.accept()
        access = await self._authenticate()
        if access is None:
            return
        tasks = asyncio.create_task(self._write()), asyncio.create_task(self._read(access))
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            # This task can be cancelled too, when the server ends; the outcome of both is examined in any case.
            for task in tasks:
                task.cancel()
            outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, Exception) and not isinstance(outcome, WebSocketDisconnect):
                log.error("the connection of a page failed", exc_info=outcome)

    async def _authenticate(self) -> Access | None:
        """Wait for `hello`; the access of its token, or None after the WebSocket has been closed."""
        try:
            async with asyncio.timeout(HELLO_PATIENCE_S):
                message = parse(await self._receive())
        except (TimeoutError, RequestError, WebSocketDisconnect):
            await self._close(CLOSE_BAD_HELLO, "expected a hello message")
            return None
        token = message.get("token")
        access = None
        if message.keys() == {"type", "token"} and message["type"] == "hello" and isinstance(token, str):
            access = self._server.tokens.find(token)
        if access is None:
            await self._close(CLOSE_WRONG_TOKEN, "the token is wrong, or the game is over")
            return None
        return access

    async def _read(self, access: Access) -> None:
        # Imported here because the views load the rules, and the page is served before that; in a thread, because it
        # takes a moment.
        await asyncio.to_thread(importlib.import_module, "tools.board.views.registry")
        from tools.board.views.base import PageContext
        from tools.board.views.registry import COMMANDS, SHAPES, PageViews

        await self._server.wait_until_open()
        views = PageViews(PageContext(self._server, access, self.send))
        try:
            views.open()
            while True:
                frame = await self._receive()
                await self._rate.wait()
                try:
                    kind, fields, message_id = check(parse(frame), SHAPES)
                except RequestError as error:
                    self._refuse(None, error.code, str(error))
                    continue
                answer = self._answer(views, kind, fields, message_id)
                if not COMMANDS[kind].is_slow:
                    await answer
                elif len(self._slow) < MAX_SLOW:
                    task = asyncio.create_task(answer)
                    self._slow.add(task)
                    task.add_done_callback(self._slow.discard)
                else:
                    answer.close()
                    self._refuse(message_id, "busy", "too many requests at once")
        finally:
            views.close()

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
        while not self._is_overflowing:
            message = await self._outgoing.get()
            try:
                await self._socket.send_text(json.dumps(message, ensure_ascii=False, separators=(",", ":")))
            except RuntimeError:
                return  # the page has gone
        await self._close(CLOSE_TOO_SLOW, "the page does not read its messages")

    async def _close(self, code: int, reason: str) -> None:
        try:
            await self._socket.close(code, reason)
        except (RuntimeError, WebSocketDisconnect):
            return  # it is already closed
