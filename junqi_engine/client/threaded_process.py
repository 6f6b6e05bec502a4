"""A `LineProcess` for systems whose pipes cannot be waited for, such as Windows: two threads do the waiting.

One thread reads what the process writes, the other writes what it is sent. Each owns its end of a pipe and closes it.
It costs two threads and a few switches between them for each question, so POSIX systems do without it.

Windows has no process groups. `taskkill` ends the process and those that it has started, as long as their parents live.
The threads are tested on Linux. Nothing has been tested on Windows.
"""

import os
import queue
import subprocess
import sys
import threading
import time
from contextlib import suppress

from junqi_engine.client.engine_client import EngineClient
from junqi_engine.client.line_process import READ_BYTES, LineProcess, S
from junqi_engine.errors import EngineError, EngineFault

MOST_PIECES = 1024
"""Pieces of output that wait to be read; then the process waits too."""
END_POLL_S = 0.1
"""How often a thread looks whether it is still wanted."""


class ThreadedProcess(LineProcess):
    """Does all that a `LineProcess` does."""

    def _open_pipes(self) -> None:
        self._arrived: queue.Queue[bytes] = queue.Queue(MOST_PIECES)
        self._to_write: queue.SimpleQueue[tuple[bytes, threading.Event] | None] = queue.SimpleQueue()
        self._piece: bytes | None = None
        self._is_over = threading.Event()
        self._has_closed_input = False
        self._threads = [
            threading.Thread(target=work, daemon=True) for work in (self._keep_reading, self._keep_writing)
        ]
        for thread in self._threads:
            thread.start()

    def _keep_reading(self) -> None:
        pipe = self._process.stdout
        assert pipe is not None
        piece = b"more"
        while piece and not self._is_over.is_set():
            try:
                piece = os.read(self._out, READ_BYTES)
            except OSError:
                piece = b""
            while not self._is_over.is_set():
                with suppress(queue.Full):
                    self._arrived.put(piece, timeout=END_POLL_S)
                    break
        pipe.close()

    def _keep_writing(self) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        while (order := self._to_write.get()) is not None:
            data, is_written = order
            try:
                view = memoryview(data)
                while view:
                    view = view[os.write(self._in, view) :]
            except OSError:
                self._has_closed_input = True
            is_written.set()
        self._has_closed_input = True
        with suppress(OSError):
            pipe.close()

    def write(self, data: bytes, deadline_ns: int) -> None:
        """Write all of `data`. What the process writes meanwhile is read by the other thread."""
        is_written = threading.Event()
        if not self._has_closed_input:
            self._to_write.put((data, is_written))
            if not is_written.wait(max(0.0, (deadline_ns - time.monotonic_ns()) / S)):
                raise EngineError(EngineFault.STALL, "it does not read its input")
        if self._has_closed_input:
            raise EngineError(EngineFault.DISCONNECT, self._how_it_ended("closed its input"))

    def _has_output(self, wait_ms: float) -> bool:
        if self._piece is None:
            with suppress(queue.Empty):
                self._piece = self._arrived.get(timeout=wait_ms / 1000) if wait_ms else self._arrived.get_nowait()
        return self._piece is not None

    def _read_output(self) -> bytes:
        piece, self._piece = self._piece, None
        return piece or b""

    def end_input(self) -> None:
        """Close the input of the process, after what is being written."""
        self._to_write.put(None)

    def close_stdout(self) -> None:
        """Close our end of the process's output, when the next piece arrives."""
        self._is_over.set()
        self.has_closed_output = True

    def _close_pipes(self) -> None:
        self._is_over.set()
        self._to_write.put(None)
        for thread in self._threads:
            thread.join(END_POLL_S * 10)

    def _kill_all(self) -> None:
        if sys.platform == "win32":
            order = ["taskkill", "/F", "/T", "/PID", str(self._process.pid)]
            with suppress(OSError):
                subprocess.run(order, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            with suppress(OSError):
                self._process.kill()
        else:
            super()._kill_all()


class ThreadedClient(ThreadedProcess, EngineClient):
    """An `EngineClient` whose pipes are those of a `ThreadedProcess`."""
