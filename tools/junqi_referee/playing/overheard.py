"""Engine processes whose lines somebody reads along with, in both directions: for transcripts and for `check`."""

import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from junqi_engine.client.engine_client import EngineClient
from junqi_engine.errors import EngineError
from junqi_engine.files import write_all

SENT, RECEIVED = ">", "<"
Listener = Callable[[str, bytes], None]
"""Is given `SENT` or `RECEIVED`, and a line without its newline."""


class Transcript:
    """A listener that appends every line to a file, with the time of day in UTC. `descriptor` is closed by `close`."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def __call__(self, direction: str, line: bytes) -> None:
        head = f"{datetime.now(UTC):%H:%M:%S.%f} {direction} "
        write_all(self._descriptor, head.encode() + line.rstrip(b"\r") + b"\n")

    def close(self) -> None:
        os.close(self._descriptor)


class OverheardClient(EngineClient):
    """Tells its `listener` each line that is sent; what is received, its `on_line` hears."""

    listener: Listener | None = None

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
        if self.listener is not None:
            for line in data.splitlines():
                self.listener(SENT, line)
        super().write(data, deadline_ns)
