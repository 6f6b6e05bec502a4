"""Bytes to lines: cuts a stream at its newlines and limits what is kept of a line that is too long."""

from collections.abc import Iterator
from typing import NamedTuple

MAX_LINE_BYTES = 16 * 1024 * 1024
KEPT_OF_LONG_LINE = 256
"""Bytes that are kept of a line that is too long: enough for its command."""


class InputLine(NamedTuple):
    """A line of input without its newline. If it `is_cut`, only the beginning of a line that was too long."""

    content: bytes
    is_cut: bool = False


class LineSplitter:
    """Cuts a stream of bytes at its newlines. Holds at most `MAX_LINE_BYTES` of an unfinished line."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0
        self._start_of_cut: bytes | None = None

    def feed(self, data: bytes) -> Iterator[InputLine]:
        """The lines that `data` completes."""
        pieces = data.split(b"\n")
        for piece in pieces[:-1]:
            self._add(piece)
            yield self._finish()
        self._add(pieces[-1])

    def end(self) -> Iterator[InputLine]:
        """The line that the end of input completes, if there is one."""
        if self._parts or self._start_of_cut is not None:
            yield self._finish()

    def _add(self, piece: bytes) -> None:
        if self._start_of_cut is not None:
            self._start_of_cut = (self._start_of_cut + piece[:KEPT_OF_LONG_LINE]).lstrip()[:KEPT_OF_LONG_LINE]
            return
        if not piece:
            return
        self._parts.append(piece)
        self._size += len(piece)
        if self._size > MAX_LINE_BYTES:
            self._start_of_cut = b"".join(self._parts).lstrip()[:KEPT_OF_LONG_LINE]
            self._parts.clear()

    def _finish(self) -> InputLine:
        is_cut = self._start_of_cut is not None
        line = InputLine(self._start_of_cut or b"".join(self._parts), is_cut)
        self._parts.clear()
        self._size = 0
        self._start_of_cut = None
        return line
