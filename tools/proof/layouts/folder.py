"""The results on disk: a folder with a manifest and one file for each set of pieces.

Every file is written as a whole or not at all, and never changed. A run that was interrupted continues with the sets
that have no file. A folder or a file that was not written by this command is refused.
"""

import fcntl
import json
import os
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from tools.proof.layouts.enumeration import CLASSIC_LAYOUTS, Pieces
from tools.proof.layouts.survey import FORMAT, Summary
from tools.referee.whole_file import write_whole

MANIFEST = "manifest.json"
CONTENTS = {"format": FORMAT, "what": "layouts of classic Klotski", "layouts": CLASSIC_LAYOUTS}
LARGEST_MANIFEST = 1 << 12


class FolderError(Exception):
    """Why a folder cannot be used, in one line."""


class Folder:
    """A folder of results, made if it does not exist."""

    def __init__(self, path: Path) -> None:
        """A `FolderError` if there is something else at `path`; it is not changed then."""
        self.path = path
        try:
            if not path.exists():
                path.mkdir(parents=True)
            manifest = path / MANIFEST
            if not manifest.exists():
                if any(path.iterdir()):
                    raise FolderError(f"{path} is not empty and has no {MANIFEST} of this command")
                write_whole(manifest, json.dumps(CONTENTS).encode() + b"\n", replaces=False)
            with manifest.open("rb") as file:
                found = file.read(LARGEST_MANIFEST)
        except OSError as error:
            raise FolderError(f"folder {path}: {error.strerror or error}") from error
        try:
            is_ours = json.loads(found) == CONTENTS
        except ValueError:
            is_ours = False
        if not is_ours:
            raise FolderError(f"{manifest} is not of this command or of another version of it")

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other runs out of the folder; a `FolderError` if there is one."""
        with (self.path / MANIFEST).open("rb") as manifest:
            try:
                fcntl.flock(manifest, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise FolderError(f"another run is writing to {self.path}") from error
            yield

    def file(self, pieces: Pieces) -> Path:
        return self.path / f"{pieces}.npz"

    def write(self, pieces: Pieces, contents: bytes) -> None:
        try:
            write_whole(self.file(pieces), contents, replaces=False)
        except OSError as error:
            raise FolderError(f"{self.file(pieces)}: {os.strerror(error.errno or 0)}") from error

    def summary(self, pieces: Pieces) -> Summary | None:
        """The summary in the file of a set of pieces, None if there is no file; a `FolderError` if it is not one."""
        path = self.file(pieces)
        if not path.exists():
            return None
        try:
            # numpy does not close a damaged file that it has opened.
            with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
                about = json.loads(arrays["about"].tobytes())
            found = about.pop("format"), Summary.from_json(about)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, zipfile.BadZipFile) as error:
            raise FolderError(f"{path} is damaged or not of this command; move it away to survey it again") from error
        if found[0] != FORMAT or found[1].pieces != pieces:
            raise FolderError(f"{path} has other contents than its name says")
        return found[1]
