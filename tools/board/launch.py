"""Opening the browser without showing the token: every local user can read the arguments of a process."""

import html
import os
import tempfile
import webbrowser
from contextlib import ExitStack
from pathlib import Path

PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Junqi</title><meta http-equiv="refresh" content="0; url={address}"></head>
<body><a href="{address}">Junqi</a></body>
</html>
"""


def redirect_file(address: str, cleanup: ExitStack) -> Path:
    """A new page that leads to an address, for this user only; `cleanup` removes it. OSError if that fails."""
    folder = Path(cleanup.enter_context(tempfile.TemporaryDirectory(prefix="junqi-board-")))
    path = folder / "open.html"
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(PAGE.format(address=html.escape(address)))
    return path


def open_browser(path: Path) -> None:
    """Show a page in the browser."""
    webbrowser.open(path.as_uri())
