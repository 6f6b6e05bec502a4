"""The n-th call of the system fails, for every n: no data of the user is lost, and one line reports the failure.

With `-s`, each test prints how many calls it made fail.
"""

import errno
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from junqi_board.saving import summaries
from junqi_engine import kernel_cache
from junqi_engine.api.game_record import GameRecord
from junqi_engine.files import write_whole
from junqi_engine.kernels import OPTIONS, Kernel
from junqi_referee.exit_codes import RefereeError
from junqi_referee.records.record_file import RecordFile, parse_record
from tests.helpers.board import Page, broken, serving
from tests.helpers.board_game import saved, started
from tests.helpers.fault_injection import CODES, Scenario, sweep
from tests.helpers.marking import long_after, release_after
from tests.helpers.proof.fuzz_samples import records

Swept = Callable[[Scenario, int], None]


def is_one_line(text: str) -> bool:
    return bool(text) and text.isprintable()


def new_place(folder: Path) -> Path:
    return Path(tempfile.mkdtemp(dir=folder))


@pytest.fixture(params=[pytest.param(each, id=errno.errorcode[each]) for each in CODES])
def code(request: pytest.FixtureRequest) -> int:
    return request.param


@pytest.fixture(params=long_after(1, [True, False]), ids=lambda lasts: "and all later" if lasts else "once")
def lasts(request: pytest.FixtureRequest) -> bool:
    return request.param


@pytest.fixture
def swept(code: int, lasts: bool, request: pytest.FixtureRequest) -> Swept:
    """Run a scenario with a fault at each of its calls; their number has a minimum."""

    def run_all(scenario: Scenario, at_least: int) -> None:
        points = sweep(scenario, code, lasts)
        print(f"{request.node.name}: {points} calls failed")
        assert points >= at_least

    return run_all


def game_records() -> list[GameRecord]:
    games, _ = parse_record(records()[2], "samples")
    return [GameRecord.from_line(game.as_line()) for game in games]


def test_record_keeps_its_games_after_write_errors(swept: Swept, tmp_path: Path) -> None:
    """A game that cannot be appended is not in the record, and the message says so."""
    first, second = game_records()

    def scenario() -> Iterator[None]:
        path = new_place(tmp_path) / "games.jsonl"
        path.write_text(f'{first.as_line()}\n{{"game":2,"va')
        is_open, fault = False, ""
        yield
        try:
            with RecordFile(str(path), resume=True) as file:
                is_open = True
                file.append(second)
        except RefereeError as error:
            fault = str(error)
        yield
        games, good = parse_record(path.read_bytes(), "r")
        assert games == ([first] if fault else [first, second])
        assert not fault or is_one_line(fault)
        assert good == path.stat().st_size or not is_open

    swept(scenario, 4)


def test_saved_game_is_whole_after_write_errors(
    swept: Swept, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def scenario() -> Iterator[None]:
        folder = new_place(tmp_path)
        game = started()
        file = saved(game, folder)
        before = [each for each in summaries(folder, file.path) if each.state == "unfinished"]
        capsys.readouterr()
        yield
        failure = file.failure
        file.close()
        yield
        assert failure is None or is_one_line(failure)
        [path] = folder.glob("*.jsonl")
        record = GameRecord.from_line(path.read_text())
        assert record.moves == ["i6i7", "l7m8", "i12i11"] and not before
        printed = capsys.readouterr().err
        if file.failure is not None:
            head, line = printed.splitlines()
            assert "cannot be saved" in head and GameRecord.from_line(line).moves == record.moves
        else:
            assert not printed

    swept(scenario, 5)


@pytest.mark.parametrize("replaces", [False, True])
def test_file_is_replaced_whole_or_not_at_all(swept: Swept, tmp_path: Path, replaces: bool) -> None:
    def scenario() -> Iterator[None]:
        folder, has_failed = new_place(tmp_path), False
        (folder / "mine").write_bytes(b"mine")
        if replaces:
            (folder / "file").write_bytes(b"old")
        yield
        try:
            write_whole(folder / "file", b"new" * 1000, replaces)
        except OSError:
            has_failed = True
        yield
        made = {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.startswith(".")}
        old = {"file": b"old"} if replaces else {}
        assert made == {"mine": b"mine"} | (old if has_failed else {"file": b"new" * 1000})

    swept(scenario, 4)


@pytest.mark.long
@pytest.mark.parametrize("code", release_after(1, CODES), indirect=True, ids=errno.errorcode.get)
def test_kernel_works_despite_cache_errors(swept: Swept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels that cannot be saved are compiled without a cache; the next start finds no damaged files."""

    def of_new_process(cache: Path) -> int:
        monkeypatch.setenv("JUNQI_ENGINE_CACHE", str(cache))
        monkeypatch.setattr(kernel_cache, "_folders", {})

        def thrice(number):
            return 3 * number

        thrice.__module__ = "junqi_puzzles.submarine"  # a package of few files
        made = Kernel(thrice, "int64(int64)", OPTIONS, True)
        made.prepare()
        return made(14)

    def scenario() -> Iterator[None]:
        cache = new_place(tmp_path) / "cache"
        yield
        assert of_new_process(cache) == 42
        yield
        assert of_new_process(cache) == 42
        assert of_new_process(cache) == 42

    of_new_process(tmp_path / "first")  # numba imports what it needs to compile
    swept(scenario, 6)


REFUSES = """
import errno, os, socket
calls, real = [0], socket.socket.accept
def accept(self):
    calls[0] += 1
    if calls[0] == {first}:
        raise OSError({code}, os.strerror({code}))
    return real(self)
socket.socket.accept = accept
"""


@pytest.mark.parametrize("first", release_after(1, [2, 1, 3, 4]))
@pytest.mark.parametrize("code", [errno.EMFILE, errno.ENOMEM], ids=errno.errorcode.get)
def test_failed_accept_is_retried(tmp_path: Path, code: int, first: int) -> None:
    """The next pages get in, and the game continues."""
    with serving(tmp_path, broken("script"), sabotage=REFUSES.format(first=first, code=code)) as server:
        for _ in range(3):
            with Page(server) as page:
                assert page.until("game")
    assert "socket.accept() out of system resource" in (tmp_path / "stderr.txt").read_text()
