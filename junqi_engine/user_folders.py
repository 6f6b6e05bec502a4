"""The folders of this user for what is kept between two starts."""

import os
from collections.abc import Callable
from pathlib import Path

import platformdirs

CACHE = "JUNQI_ENGINE_CACHE"
"""The environment variable that names another folder for the cache."""


def cache_folder() -> Path:
    """The folder of everything that can be made again. FileNotFoundError if this user has none."""
    chosen = os.environ.get(CACHE)
    return Path(chosen) if chosen else _existing(
        lambda: platformdirs.user_cache_path("junqi-engine", appauthor=False), f"{CACHE} names no folder"
    )  # fmt: skip


def data_folder() -> Path:
    """The folder of what people want to keep. FileNotFoundError if this user has none."""
    return _existing(lambda: platformdirs.user_data_path("junqi-engine"), "no folder is given")


def _existing(find: Callable[[], Path], otherwise: str) -> Path:
    """What platformdirs finds. Without a home directory it raises RuntimeError, or its path begins with `~`."""
    try:
        folder = find()
    except RuntimeError:
        folder = Path("~")
    if not folder.is_absolute():
        raise FileNotFoundError(f"this user has no home directory, and {otherwise}")
    return folder
