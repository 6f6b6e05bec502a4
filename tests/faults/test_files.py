"""Files are written as a whole or not at all, and a name that is not a regular file is refused."""

import errno
import os
from pathlib import Path

import pytest

from junqi_engine import files
from junqi_engine.files import append_whole, lock, open_regular, read_regular, sole_writer, write_whole


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.mark.parametrize("old", [None, b"old"])
def test_a_file_is_written_whole(tmp_path: Path, old: bytes | None) -> None:
    path = tmp_path / "file"
    if old is not None:
        path.write_bytes(old)
    write_whole(path, b"new", replaces=old is not None)
    assert path.read_bytes() == b"new" and names(tmp_path) == {"file"}
    (tmp_path / "plain").touch()
    assert path.stat().st_mode == (tmp_path / "plain").stat().st_mode
    with pytest.raises(OSError, match="No such file"):
        write_whole(tmp_path / "no" / "file", b"new", replaces=old is not None)


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
@pytest.mark.parametrize("mode", [0o600, 0o664])
def test_what_is_replaced_keeps_its_permissions(tmp_path: Path, mode: int) -> None:
    """And what a killed program left of an earlier replacement is removed."""
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(mode)
    files.temporary_of(path).write_bytes(b"left")
    write_whole(path, b"new", replaces=True)
    assert path.read_bytes() == b"new" and path.stat().st_mode & 0o777 == mode and names(tmp_path) == {"file"}


def test_an_existing_file_is_kept_unless_it_is_to_be_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which Windows does in its own way."""
    path = tmp_path / "file"
    path.write_bytes(b"mine")
    with pytest.raises(FileExistsError):
        write_whole(path, b"new", replaces=False)
    assert path.read_bytes() == b"mine"
    monkeypatch.setattr(files.sys, "platform", "win32")
    write_whole(path, b"new", replaces=True)
    assert path.read_bytes() == b"new" and names(tmp_path) == {"file"}


@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_what_is_not_a_regular_file_is_neither_read_nor_replaced(tmp_path: Path, kind: str) -> None:
    target, path = tmp_path / "target", tmp_path / "file"
    target.write_bytes(b"mine")
    if kind == "link":
        path.symlink_to(target)
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.mkdir()
    before = names(tmp_path)
    with pytest.raises(OSError):
        write_whole(path, b"new", replaces=True)
    with pytest.raises(OSError):
        read_regular(path, 100)
    with pytest.raises(OSError):
        open_regular(path, os.O_WRONLY)
    assert target.read_bytes() == b"mine" and names(tmp_path) == before


def test_a_file_that_another_program_is_replacing_is_left_to_it(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    files.temporary_of(path).write_bytes(b"theirs")
    other = os.open(files.temporary_of(path), os.O_RDONLY)
    assert lock(other)
    with pytest.raises(FileExistsError, match="another program is replacing it"):
        write_whole(path, b"new", replaces=True)
    os.close(other)
    assert path.read_bytes() == b"old" and files.temporary_of(path).read_bytes() == b"theirs"


def test_a_failed_append_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"one\n")
    with path.open("r+b", buffering=0) as file:
        file.seek(0, os.SEEK_END)
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(errno.EIO, "broken")))
            with pytest.raises(OSError, match="broken"):
                append_whole(file.fileno(), b"two\n", 4)
        assert path.read_bytes() == b"one\n"
        append_whole(file.fileno(), b"three\n", 4)
    assert path.read_bytes() == b"one\nthree\n"


def test_a_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_regular(path, 5) == b"12345"
    with pytest.raises(OSError, match="larger than 4 bytes"):
        read_regular(path, 4)


@pytest.mark.parametrize("is_link", [False, True])
def test_one_program_writes_to_a_folder(tmp_path: Path, is_link: bool) -> None:
    folder = tmp_path / "folder"
    if is_link:
        (tmp_path / "elsewhere").mkdir()
        folder.symlink_to(tmp_path / "elsewhere")
    with (
        sole_writer(folder),
        pytest.raises(ValueError, match="another program is writing to it"),
        sole_writer(folder),
    ):
        pass
    with sole_writer(folder):
        pass
