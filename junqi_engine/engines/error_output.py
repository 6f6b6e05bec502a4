"""What a process writes to stderr: a thread reads it, so that the process never waits; its end explains a failure."""

import os
import threading
from contextlib import suppress

from junqi_engine.files import write_all

READ_BYTES = 1 << 16
MAX_COPY_BYTES = 16 << 20
"""The size of the file to which stderr is copied. What is written beyond it is dropped."""
KEPT_BYTES = 1 << 12
MAX_QUOTED = 200


class ErrorOutput:
    """A pipe for the stderr of one process.

    `copy` is a descriptor of a file to which everything is copied, too; the caller may close its own. OSError and
    RuntimeError if the system has no more descriptors or threads.
    """

    def __init__(self, copy: int | None) -> None:
        self._end = b""
        descriptors = [] if copy is None else [os.dup(copy)]
        self._copy = descriptors[0] if descriptors else None
        try:
            descriptors += os.pipe()
            self._output, self.input = descriptors[-2:]
            self._thread = threading.Thread(target=self._read, name="stderr", daemon=True)
            self._thread.start()
        except BaseException:
            for descriptor in descriptors:
                os.close(descriptor)
            raise

    def close_input(self) -> None:
        """Close this process's end, once the other process has its own or has not been started."""
        os.close(self.input)

    def wait(self, seconds: float) -> None:
        """Wait for the end of the output, which a child of the process may keep open, for at most so long."""
        self._thread.join(seconds)

    def last_line(self) -> str:
        """The last line that is not blank, in quotes and cut to `MAX_QUOTED` characters; empty if there is none."""
        lines = self._end.decode("utf-8", "replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return repr(last if len(last) <= MAX_QUOTED else f"...{last[-MAX_QUOTED:]}") if last else ""

    def _read(self) -> None:
        try:
            while data := os.read(self._output, READ_BYTES):
                self._end = (self._end + data)[-KEPT_BYTES:]
                if self._copy is not None:
                    _append(self._copy, data)
        finally:
            os.close(self._output)
            if self._copy is not None:
                os.close(self._copy)


def _append(copy: int, data: bytes) -> None:
    room = MAX_COPY_BYTES - os.fstat(copy).st_size  # an engine that was replaced may have left others that write
    if room <= 0:
        return
    if len(data) >= room:
        data = data[:room] + b"\n(the log is full; the rest is dropped)\n"
    with suppress(OSError):  # the disk is full: the rest of the log is missing, as it would be without a limit
        write_all(copy, data)
