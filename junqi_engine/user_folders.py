"""The user's folders for files that outlive the process."""

import os
from collections.abc import Callable
from pathlib import Path

import platformdirs

CACHE = "JUNQI_ENGINE_CACHE"
"""The environment variable that names another folder for the cache."""


def cache_folder() -> Path:
    """The cache folder: everything in it can be made again. FileNotFoundError if the user has no home directory."""
    chosen = os.environ.get(CACHE)
    return Path(chosen) if chosen else _existing(
        lambda: platformdirs.user_cache_path("junqi-engine", appauthor=False), f"{CACHE} names no folder"
    )  # fmt: skip


def data_folder() -> Path:
    """The data folder: games and other files that people want to keep. FileNotFoundError as in `cache_folder`."""
    return _existing(lambda: platformdirs.user_data_path("junqi-engine"), "no folder is given")


def _existing(find: Callable[[], Path], otherwise: str) -> Path:
    """The folder that platformdirs finds. Without a home directory, it raises RuntimeError or leaves a `~`."""
    try:
        folder = find()
    except RuntimeError:
        folder = Path("~")
    if not folder.is_absolute():
        raise FileNotFoundError(f"this user has no home directory, and {otherwise}")
    return folder
