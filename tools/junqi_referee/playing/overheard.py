"""Engine processes whose lines somebody reads along with, in both directions: for transcripts and for `check`."""

from collections.abc import Callable

from junqi_engine.client.engine_client import EngineClient

SENT, RECEIVED = ">", "<"
Listener = Callable[[str, bytes], None]
"""Is given `SENT` or `RECEIVED`, and a line without its newline."""


class OverheardClient(EngineClient):
    """Tells its `listener` each line that is sent; what is received, its `witness` hears."""

    listener: Listener | None = None

    def write(self, data: bytes, deadline_ns: int) -> None:
        if self.listener is not None:
            for line in data.splitlines():
                self.listener(SENT, line)
        super().write(data, deadline_ns)
