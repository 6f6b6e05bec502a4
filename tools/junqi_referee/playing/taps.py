"""Engine clients with a tap on both directions, for transcripts and for `check`."""

import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from junqi_engine.client.engine_client import EngineClient
from junqi_engine.errors import EngineError
from junqi_engine.files import write_all

SENT, RECEIVED = ">", "<"
Tap = Callable[[str, bytes], None]
"""Gets each line of an engine's pipe: its direction, `SENT` or `RECEIVED`, and the line without its newline."""


class Transcript:
    """A tap that appends each line to a file, after the time of day in UTC. `close` closes `descriptor`."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def __call__(self, direction: str, line: bytes) -> None:
        head = f"{datetime.now(UTC):%H:%M:%S.%f} {direction} "
        write_all(self._descriptor, head.encode() + line.rstrip(b"\r") + b"\n")

    def close(self) -> None:
        os.close(self._descriptor)


class TappedClient(EngineClient):
    """A client that calls its `tap` with each line that it sends; `on_line` gets the lines that it receives."""

    tap: Tap | None = None

    def __init__(self, command: Sequence[str], **given: Any) -> None:
        try:
            super().__init__(command, **given)
        except EngineError as error:
            cause, program = error.__cause__, "".join(command[:1])
            if isinstance(cause, FileNotFoundError) and cause.filename == program and os.sep not in program:
                advice = f"it is not on the PATH; name its folder too, such as cmd=./{program}"
                raise EngineError(error.fault, f"{error}; {advice}") from cause
            raise

    def write(self, data: bytes, deadline_ns: int) -> None:
        if self.tap is not None:
            for line in data.splitlines():
                self.tap(SENT, line)
        super().write(data, deadline_ns)
