"""One page's line to the server: it says who it is, then its messages are checked and handed to the desk they are for.

Whatever comes in, the answer is a message; a fault of our own is logged and told in one line, never as a traceback.
"""

import asyncio
import json
import logging
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from tools.board.house import House
from tools.board.messages import LARGEST_FRAME_BYTES, BadMessage, check, parse
from tools.board.passes import Pass

HELLO_PATIENCE_S = 10.0
MOST_WAITING = 500
MOST_SLOW = 20
CLOSE_WRONG_TOKEN = 4403
CLOSE_BAD_HELLO = 4400
CLOSE_TOO_SLOW = 4408
CLOSE_TOO_LARGE = 1009

log = logging.getLogger("junqi-board")


class Connection:
    """A page that has connected."""

    def __init__(self, house: House, socket: WebSocket) -> None:
        self._house = house
        self._socket = socket
        self._outgoing: asyncio.Queue[dict[str, Any]] = asyncio.Queue(MOST_WAITING)
        self._is_overrun = False
        self._slow: set[asyncio.Task] = set()

    def send(self, message: dict[str, Any]) -> None:
        """Put a message on its way. A page that takes none any more is let go."""
        try:
            self._outgoing.put_nowait(message)
        except asyncio.QueueFull:
            self._is_overrun = True

    async def serve(self) -> None:
        """Speak with the page until it leaves."""
        await self._socket.accept()
        held = await self._greet()
        if held is None:
            return
        tasks = asyncio.create_task(self._write()), asyncio.create_task(self._read(held))
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            # Also when the server ends and this task with it: how the two end is looked at in any case.
            for task in tasks:
                task.cancel()
            outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, Exception) and not isinstance(outcome, WebSocketDisconnect | RuntimeError):
                log.error("a page's line broke: %r", outcome)

    async def _greet(self) -> Pass | None:
        """Wait for `hello`; the pass of its token, or None if the line has been closed."""
        try:
            async with asyncio.timeout(HELLO_PATIENCE_S):
                message = parse(await self._receive())
        except (TimeoutError, BadMessage, WebSocketDisconnect):
            await self._close(CLOSE_BAD_HELLO, "a hello is expected")
            return None
        token = message.get("token")
        held = None
        if message.keys() == {"type", "token"} and message["type"] == "hello" and isinstance(token, str):
            held = self._house.passes.find(token)
        if held is None:
            await self._close(CLOSE_WRONG_TOKEN, "the token is wrong, or the game is over")
            return None
        return held

    async def _read(self, held: Pass) -> None:
        # Here, because it loads the rules, and the page is served before they are there.
        from tools.board.desks import SLOW, Desks

        await self._house.wait_until_open()
        desks = Desks(self._house, held, self.send)
        try:
            desks.welcome()
            while True:
                frame = await self._receive()
                try:
                    kind, fields, identity = check(parse(frame))
                except BadMessage as error:
                    self._refuse(None, error.code, str(error))
                    continue
                answer = self._answer(desks, kind, fields, identity)
                if kind not in SLOW:
                    await answer
                elif len(self._slow) < MOST_SLOW:
                    task = asyncio.create_task(answer)
                    self._slow.add(task)
                    task.add_done_callback(self._slow.discard)
                else:
                    answer.close()
                    self._refuse(identity, "busy", "too much is being asked at once")
        finally:
            desks.close()

    async def _answer(self, desks: Any, kind: str, fields: dict[str, Any], identity: int | None) -> None:
        try:
            await desks.handle(kind, identity, fields)
        except BadMessage as error:
            self._refuse(identity, error.code, str(error))
        except Exception:
            log.exception("a message could not be handled")
            self._refuse(identity, "internal", "something went wrong at the board; its log says what")

    def _refuse(self, identity: int | None, code: str, text: str) -> None:
        self.send({"type": "error", "id": identity, "code": code, "text": text})

    async def _receive(self) -> str | bytes:
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1006))
        text = message.get("text")
        frame = text if text is not None else message.get("bytes") or b""
        if len(frame) > LARGEST_FRAME_BYTES:
            await self._close(CLOSE_TOO_LARGE, "the message is too large")
            raise WebSocketDisconnect(CLOSE_TOO_LARGE)
        return frame

    async def _write(self) -> None:
        while not self._is_overrun:
            message = await self._outgoing.get()
            await self._socket.send_text(json.dumps(message, ensure_ascii=False, separators=(",", ":")))
        await self._close(CLOSE_TOO_SLOW, "the page takes no messages")

    async def _close(self, code: int, reason: str) -> None:
        try:
            await self._socket.close(code, reason)
        except RuntimeError:
            return  # it is closed already
