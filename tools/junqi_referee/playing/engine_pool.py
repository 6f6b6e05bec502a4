"""Engine processes, kept from game to game, and the preparation and logs of engines.

Revisions are built before the first clock starts. The stderr of engines goes to a folder of logs, in new files; empty
ones are removed at the end.
"""

import os
import tempfile
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path

from junqi_engine.client.engine_client import Patience
from junqi_engine.client.line_process import OWN_MODULE
from junqi_engine.errors import EngineError
from junqi_engine.rules.options import Rules
from junqi_referee.exit_codes import ExitCode, RefereeError, file_error
from junqi_referee.playing.contest_process import ContestProcess
from junqi_referee.playing.engine_process import EngineProcess
from junqi_referee.revisions import RevisionError, build
from junqi_referee.settings.engine import Dialect, EngineSettings, Program

OWN_ENGINE = "junqi-engine"


class LogFolder:
    """Log files of one run. Other files, including logs of earlier runs, are neither changed nor removed.

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
            raise file_error(f"folder {path}", error) from error

    def open(self, name: str) -> int:
        """A descriptor of the log of that name, for reading and appending; the caller closes it.

        It is a new file the first time, and the same one later.
        """
        with self._lock:
            try:
                if name not in self._files:
                    self._files[name] = self._create(name)
                return os.open(self._files[name], os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
            except OSError as error:
                text = f"log {self.path / name}: {error.strerror}"
                raise RefereeError(text, ExitCode.INTERNAL) from error

    def close(self) -> bool:
        """Remove the empty logs of this run, and the folder if it was new and is empty; return True if logs remain.

        The engines must have ended.
        """
        with self._lock:
            for file in self._files.values():
                with suppress(OSError):  # it may be gone
                    if file.stat().st_size == 0:
                        file.unlink()
            if self._is_new:
                with suppress(OSError):  # it may have contents, or be gone
                    self.path.rmdir()
            return any(file.exists() for file in self._files.values())

    def _create(self, name: str) -> Path:
        for number in count(1):
            path = self.path / (f"{name}.log" if number == 1 else f"{name}.{number}.log")
            with suppress(FileExistsError):
                path.touch(0o644, exist_ok=False)
                break
        return path


def build_revisions(programs: Iterable[Program], variant: str, say: Callable[[str], None]) -> None:
    """Build each revision among the programs for a variant; `say` gets its name.

    `RefereeError` with the exit code of an engine that does not start if that fails.
    """
    for revision in dict.fromkeys(program.revision for program in programs):
        if revision is None:
            continue
        say(f"building revision {revision.short}")
        try:
            build(revision, [variant], say=say)
        except RevisionError as error:
            reason = str(error).removeprefix(f"{revision.short}: ")
            raise RefereeError(f"revision {revision.short} cannot be built: {reason}", ExitCode.NO_START) from error


def prepare_own(engines: Iterable[EngineSettings], variant: str, rules: Rules, patience: Patience) -> None:
    """Let each engine of this project compile its kernels before the first clock runs.

    Other programs are started by their games only. A failure here is not reported: the first game will show it.
    """
    prepared = []
    for engine in engines:
        process = EngineProcess(engine, variant, rules, None, patience)
        what = engine.start_command, engine.folder, engine.options
        if engine.dialect == Dialect.PROTOCOL and is_own(engine.start_command) and what not in prepared:
            prepared.append(what)
            with suppress(EngineError, RefereeError):
                process.prepare()
            process.close()


def is_own(command: Sequence[str]) -> bool:
    return Path(command[0]).name == OWN_ENGINE or tuple(command[-2:]) == ("-m", OWN_MODULE)


MAX_NAME_BYTES = 100
"""The longest part of an engine's name in the name of its log."""


class EnginePool:
    """Processes by engine and place in the team. Beyond `MAX_KEPT`, the least recently used are stopped."""

    MAX_KEPT = 12

    def __init__(
        self,
        variant: str,
        rules: Rules,
        logs: LogFolder | None,
        patience: Patience,
        name: str,
        transcripts: LogFolder | None = None,
    ) -> None:
        self._variant = variant
        self._rules = rules
        self.logs = logs
        self._patience = patience
        self._name = name
        self._transcripts = transcripts
        self._processes: dict[tuple[str, int], EngineProcess] = {}
        self.is_killed = False
        """True once the pool was killed; a process that was just being started is killed too."""

    def process(self, engine: EngineSettings, place: int) -> EngineProcess:
        """The process of an engine for its team (place 0) or for one seat of it (0 or 1); it may not run yet."""
        key = engine.name, place
        process = self._processes.pop(key, None)
        if process is None:
            kind = ContestProcess if engine.dialect == Dialect.CONTEST else EngineProcess
            log, transcript = (self._file(folder, engine, place) for folder in (self.logs, self._transcripts))
            process = kind(engine, self._variant, self._rules, log, self._patience, transcript)
        self._processes[key] = process
        if self.is_killed:
            process.kill()
        while len(self._processes) > self.MAX_KEPT:
            self._processes.pop(next(iter(self._processes))).close()
        return process

    def close(self) -> None:
        for process in self._processes.values():
            process.close()
        self._processes.clear()

    def kill(self) -> None:
        """Kill all processes, and those that would start later; may be called from another thread."""
        self.is_killed = True
        for process in list(self._processes.values()):
            process.kill()

    def _file(self, folder: LogFolder | None, engine: EngineSettings, place: int) -> Callable[[], int] | None:
        if folder is None:
            return None
        plain = "".join(char if char.isalnum() or char in "-._" else "_" for char in engine.name)
        short = plain.encode("utf-8", "ignore")[:MAX_NAME_BYTES].decode("utf-8", "ignore")
        return partial(folder.open, f"{short}-{self._name}-{place}")
