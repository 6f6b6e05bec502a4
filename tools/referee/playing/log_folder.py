"""The folder for what engines write to stderr: new files only, and the empty ones are removed in the end."""

import os
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

from tools.referee.exits import ExitCode, RefereeError

MAX_NUMBER = 100_000
"""A log is given another number if its file exists, up to this one."""


class LogFolder:
    """Log files of one run. Files of others, also logs of earlier runs, are neither changed nor removed.

    `path` is created if it does not exist; None means a new temporary folder. May be called from any thread.
    """

    def __init__(self, path: str | None) -> None:
        self._lock = threading.Lock()
        self._files: dict[str, Path] = {}
        try:
            self.path = Path(path or tempfile.mkdtemp(prefix="junqi-referee-"))
            self._is_new = path is None or not self.path.exists()
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RefereeError(f"log folder {path}: {error.strerror}") from error

    def open(self, name: str) -> int:
        """A descriptor that appends to the log of that name: a new file the first time, the same one later."""
        with self._lock:
            try:
                if name not in self._files:
                    descriptor, self._files[name] = self._create(name)
                    return descriptor
                return os.open(self._files[name], os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
            except OSError as error:
                text = f"log {self.path / name}: {error.strerror}"
                raise RefereeError(text, ExitCode.INTERNAL) from error

    def close(self) -> bool:
        """Remove the empty logs of this run, and the folder if it was new and is empty; whether logs remain."""
        with self._lock:
            for file in self._files.values():
                with suppress(OSError):  # it may be gone
                    if file.stat().st_size == 0:
                        file.unlink()
            if self._is_new:
                with suppress(OSError):  # it may have contents, or be gone
                    self.path.rmdir()
            return any(file.exists() for file in self._files.values())

    def _create(self, name: str) -> tuple[int, Path]:
        for number in range(1, MAX_NUMBER):
            path = self.path / (f"{name}.log" if number == 1 else f"{name}.{number}.log")
            with suppress(FileExistsError):
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC
                return os.open(path, flags, 0o644), path
        raise RefereeError(f"log {self.path / name}: there are too many logs of this name")
