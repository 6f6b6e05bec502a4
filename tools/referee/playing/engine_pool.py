"""The pool of engine processes that play one game at a time, kept from game to game, and where they come from.

Before the first clock starts, the revisions that take part are built. What engines write to stderr goes to a folder of
logs: new files only, and the empty ones are removed in the end. A thread copies it there from a pipe, so that no engine
can fill the disk.
"""

import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path

from junqi_engine.engines.client import Patience
from junqi_engine.files import write_all
from junqi_engine.rules.options import Rules
from tools.referee.exits import ExitCode, RefereeError
from tools.referee.playing.engine_process import ContestProcess, EngineProcess
from tools.referee.settings.engine import Dialect, Engine, Program
from tools.revisions import RevisionError, build

MAX_NUMBER = 100_000
"""A log is given another number if its file exists, up to this one."""
MAX_LOG_BYTES = 16 << 20
"""The size of a log. What an engine writes beyond it is dropped."""
READ_BYTES = 1 << 16
LAST_WORDS_S = 0.5
"""How long `close` waits for output that a child of an engine, which has outlived it, may still write."""


class LogFolder:
    """Log files of one run. Files of others, also logs of earlier runs, are neither changed nor removed.

    `path` is created if it does not exist; None means a new temporary folder. May be called from any thread.
    """

    def __init__(self, path: str | None) -> None:
        self._lock = threading.Lock()
        self._files: dict[str, Path] = {}
        self._copiers: list[threading.Thread] = []
        try:
            self.path = Path(path or tempfile.mkdtemp(prefix="junqi-referee-"))
            self._is_new = path is None or not self.path.exists()
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RefereeError(f"log folder {path}: {error.strerror}") from error

    def open(self, name: str) -> int:
        """A descriptor for writing to the log of that name: a new file the first time, the same one later.

        The caller closes it. The log ends at `MAX_LOG_BYTES`.
        """
        with self._lock:
            try:
                log = self._open_file(name)
                try:
                    output, written = os.pipe()
                except OSError:
                    os.close(log)
                    raise
                copier = threading.Thread(target=_copy, args=(output, log), name=f"log {name}", daemon=True)
                self._copiers = [other for other in self._copiers if other.is_alive()]
                try:
                    copier.start()
                except RuntimeError as error:  # there are too many threads
                    for descriptor in (log, output, written):
                        os.close(descriptor)
                    raise RefereeError(f"log {self.path / name}: {error}", ExitCode.INTERNAL) from error
                self._copiers.append(copier)
                return written
            except OSError as error:
                text = f"log {self.path / name}: {error.strerror}"
                raise RefereeError(text, ExitCode.INTERNAL) from error

    def close(self) -> bool:
        """Remove the empty logs of this run, and the folder if it was new and is empty; whether logs remain.

        The engines must have ended.
        """
        with self._lock:
            end_s = time.monotonic() + LAST_WORDS_S
            for copier in self._copiers:
                copier.join(max(0.0, end_s - time.monotonic()))
            for file in self._files.values():
                with suppress(OSError):  # it may be gone
                    if file.stat().st_size == 0:
                        file.unlink()
            if self._is_new:
                with suppress(OSError):  # it may have contents, or be gone
                    self.path.rmdir()
            return any(file.exists() for file in self._files.values())

    def _open_file(self, name: str) -> int:
        if name in self._files:
            return os.open(self._files[name], os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        descriptor, self._files[name] = self._create(name)
        return descriptor

    def _create(self, name: str) -> tuple[int, Path]:
        for number in range(1, MAX_NUMBER):
            path = self.path / (f"{name}.log" if number == 1 else f"{name}.{number}.log")
            with suppress(FileExistsError):
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC
                return os.open(path, flags, 0o644), path
        raise RefereeError(f"log {self.path / name}: there are too many logs of this name")


def _copy(output: int, log: int) -> None:
    """Copy the output of an engine to its log until the output ends; close both."""
    try:
        while data := os.read(output, READ_BYTES):
            room = MAX_LOG_BYTES - os.fstat(log).st_size  # an engine that was replaced may have left others that write
            if room <= 0:
                continue
            if len(data) >= room:
                data = data[:room] + b"\n(the log is full; the rest is dropped)\n"
            with suppress(OSError):  # the disk is full: the rest of the log is missing, as it would be without a limit
                write_all(log, data)
    finally:
        os.close(output)
        os.close(log)


def build_revisions(programs: Iterable[Program], variant: str, say: Callable[[str], None]) -> None:
    """Unpack each revision among the programs and compile it for a variant; `say` is told which one.

    Raises `RefereeError` with the exit code of an engine that does not start.
    """
    for revision in dict.fromkeys(program.revision for program in programs):
        if revision is None:
            continue
        say(f"preparing revision {revision}")
        try:
            build(revision, [variant])
        except RevisionError as error:
            reason = str(error).removeprefix(f"{revision.short}: ")
            raise RefereeError(f"revision {revision.short} cannot be built: {reason}", ExitCode.NO_START) from error


MAX_NAME_BYTES = 100
"""The length of an engine's name in the name of its log."""


class EnginePool:
    """Processes by engine and by place in the team. The least recently used ones beyond `MAX_KEPT` are stopped."""

    MAX_KEPT = 12

    def __init__(self, variant: str, rules: Rules, logs: LogFolder | None, patience: Patience, name: str) -> None:
        self._variant = variant
        self._rules = rules
        self.logs = logs
        self._patience = patience
        self._name = name
        self._processes: dict[tuple[str, int], EngineProcess] = {}

    def process(self, engine: Engine, place: int) -> EngineProcess:
        """The process of an engine for its whole team (place 0) or for one seat of it (0 or 1); it may not run yet."""
        key = engine.name, place
        process = self._processes.pop(key, None)
        if process is None:
            kind = ContestProcess if engine.dialect == Dialect.CONTEST else EngineProcess
            process = kind(engine, self._variant, self._rules, self._log(engine, place), self._patience)
        self._processes[key] = process
        while len(self._processes) > self.MAX_KEPT:
            self._processes.pop(next(iter(self._processes))).close()
        return process

    def close(self) -> None:
        """Stop all processes."""
        for process in self._processes.values():
            process.close()
        self._processes.clear()

    def kill(self) -> None:
        """Kill all processes; may be called from another thread."""
        for process in list(self._processes.values()):
            process.kill()

    def _log(self, engine: Engine, place: int) -> Callable[[], int] | None:
        """Opens the log of a process."""
        if self.logs is None:
            return None
        plain = "".join(char if char.isalnum() or char in "-._" else "_" for char in engine.name)
        short = plain.encode("utf-8", "ignore")[:MAX_NAME_BYTES].decode("utf-8", "ignore")
        return partial(self.logs.open, f"{short}-{self._name}-{place}")
