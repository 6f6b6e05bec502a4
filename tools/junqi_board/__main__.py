"""The console command `junqi-board`."""

import os
import signal

# Ctrl-C would interrupt an import, with a traceback. Once the web server runs, it ends itself first.
if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))

import argparse
import asyncio
import html
import importlib
import importlib.util
import logging
import re
import socket
import sys
import tempfile
import threading
import webbrowser
from contextlib import ExitStack
from pathlib import Path

from junqi_board.addresses import LOOPBACK_HOST, Network, local_address
from junqi_board.engines import Program, parse_program
from junqi_board.host import Host
from junqi_board.store import PORT
from junqi_engine.client.line_process import own_command
from junqi_engine.files import sole_writer
from junqi_engine.user_folders import data_folder
from junqi_engine.version import __version__

SWITCH_S = 0.001
"""Longest time slice of another thread while a message waits; Python's default, 5 ms, is noticeable."""
EXTRA = ("msgspec", "starlette", "uvicorn", "websockets")
REDIRECTION = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Junqi</title><meta http-equiv="refresh" content="0; url={address}"></head>
<body><a href="{address}">Junqi</a></body>
</html>
"""


def main() -> None:
    if os.name != "posix":
        sys.exit("junqi-board: needs a POSIX system, such as Linux, macOS or WSL")
    # A closed terminal; under nohup it is ignored.
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))
    options = _options()
    for name in EXTRA:
        if importlib.util.find_spec(name) is None:
            sys.exit(f"junqi-board: {name} is not installed: in a checkout, pip install '.[board]'")
    if options.games is not None and not options.games.is_file():
        sys.exit(f"junqi-board: {options.games}: there is no such file")
    sys.setswitchinterval(SWITCH_S)
    logging.basicConfig(format="junqi-board: %(message)s", level=logging.WARNING)
    folder = ExitStack()
    try:
        folder.enter_context(sole_writer(options.folder))
        programs = [parse_program(text) for text in options.engine] or [Program("junqi-engine", tuple(own_command()))]
        network = Network(local_address() if options.lan else "")
        host = Host(tuple(programs), options.folder, network=network, games=options.games)
        listening = _listen(network, options.port, host.store.settings.get(PORT, ""))
    except (ValueError, OSError) as error:
        sys.exit(f"junqi-board: {error}")
    asyncio.run(_serve(host, listening, not options.no_browser))


async def _serve(host: Host, listening: list[socket.socket], shows: bool) -> None:
    """Serve until a signal comes. The engines and the browser start while the web server is being loaded: the socket
    already listens, and the slowest of the three decides when the page is ready.
    """
    opening = asyncio.create_task(host.start())
    port = listening[0].getsockname()[1]
    host.store.set_own(PORT, host.store.settings.get(PORT, str(port)))
    address = f"http://{LOOPBACK_HOST}:{port}/#{host.access.token}"
    print(f"junqi-board: {address}")
    print("Press Ctrl-C to stop. Games are saved in", host.folder)
    if host.network.lan:
        print(f"Other devices on this network are let in by invitations to {host.network.lan}:{port}.")
    sys.stdout.flush()
    if shows:
        _show(host, address)
    await asyncio.to_thread(importlib.import_module, "junqi_board.web")
    import uvicorn

    from junqi_board.web import make_app, settings_of

    # At its end the application closes the host; then the process ends by the signal that came.
    await uvicorn.Server(settings_of(make_app(host, port))).serve(sockets=listening)
    await opening


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "junqi-board", description="A web board, served to this machine only unless --lan is given."
    )
    parser.add_argument("--version", action="version", version=f"junqi-board {__version__}")
    parser.add_argument(
        "games", nargs="?", type=Path, metavar="GAMES", help="a file of recorded games to open: .jsonl or .jgs"
    )
    parser.add_argument(
        "--port", type=int, default=0, help="port to listen on (default: that of the last start, or a free one)"
    )
    parser.add_argument("--lan", action="store_true", help="accept other devices on the local network (by invitation)")
    parser.add_argument("--no-browser", action="store_true", help="print the address without opening it")
    try:
        home: Path | None = data_folder() / "games"
    except FileNotFoundError:
        home = None
    where = "folder of saved games (default: %(default)s)" if home else "folder of saved games"
    parser.add_argument("--folder", type=Path, default=home, required=home is None, help=where)
    parser.add_argument(
        "--engine",
        action="append",
        default=[],
        metavar="NAME=COMMAND",
        help="an engine to play against; repeat for several, the first is preselected (default: junqi-engine)",
    )
    return parser.parse_args()


def _show(host: Host, address: str) -> None:
    """Open the board in the browser, by a page for this user only that leads there, which is removed at the end.

    Every local user can read the arguments of a process: those of the browser must not have the token.
    """
    try:
        path = Path(host.cleanup.enter_context(tempfile.TemporaryDirectory(prefix="junqi-board-")), "open.html")
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(REDIRECTION.format(address=html.escape(address)))
    except OSError as error:
        print(f"junqi-board: the browser cannot be opened: {error.strerror}; open the address", file=sys.stderr)
        return
    # A browser in the foreground must not keep the board from ending.
    threading.Thread(target=webbrowser.open, args=[path.as_uri()], daemon=True).start()


def _listen(network: Network, port: int, kept: str) -> list[socket.socket]:
    """A socket for each interface, on the same port; ValueError if the port is not available.

    Without a port it is the one that was kept, or else any that is free.
    """
    if not port and re.fullmatch("[1-9][0-9]{3,4}", kept):
        try:
            return _listen_on_all(network, int(kept))
        except ValueError:
            pass
    return _listen_on_all(network, port)


def _listen_on_all(network: Network, port: int) -> list[socket.socket]:
    found: list[socket.socket] = []
    for host in network.listens_on:
        try:
            found.append(socket.create_server((host, port)))
        except (OSError, OverflowError) as error:
            raise ValueError(f"port {port} is not available: {getattr(error, 'strerror', None) or error}") from None
        port = found[0].getsockname()[1]
    return found


if __name__ == "__main__":
    main()
