"""The console command `junqi-board`."""

import argparse
import asyncio
import importlib
import importlib.util
import logging
import os
import socket
import sys
import webbrowser
from pathlib import Path

from protocol.client import Patience
from tools.board.engines import Program
from tools.board.house import House, parse_program
from tools.board.saving import default_folder

HOST = "127.0.0.1"
HUNG_AFTER_S = 10.0
LONGEST_PATIENCE_S = 1e6
EXTRA = ("starlette", "uvicorn", "websockets")


def main() -> None:
    """Open the board and serve it until Ctrl-C."""
    if os.name != "posix":
        sys.exit("junqi-board: it needs a POSIX system, such as Linux, macOS or WSL")
    options = _options()
    for name in EXTRA:
        if importlib.util.find_spec(name) is None:
            sys.exit(f"junqi-board: {name} is missing: pip install 'junqi-engine[board]'")
    logging.basicConfig(format="junqi-board: %(message)s", level=logging.WARNING)
    try:
        programs = tuple(parse_program(text) for text in options.engine) or (_own_engine(),)
        listening = _listen(options.port)
    except (ValueError, OSError) as error:
        sys.exit(f"junqi-board: {error}")
    port = listening.getsockname()[1]

    async def serve() -> None:
        house = House(programs, options.folder, Patience(quit_s=0.5, unclocked_s=options.patience))
        # The engines and the browser are on their way before the server is loaded: it listens already, and a person
        # waits for the slowest of the three.
        meeting = asyncio.create_task(house.open())
        address = f"http://{HOST}:{port}/#{house.host.token}"
        print(f"junqi-board: {address}", flush=True)
        print("Ctrl-C ends it; games are kept in", options.folder, flush=True)
        if not options.no_browser:
            asyncio.get_running_loop().run_in_executor(None, webbrowser.open, address)
        try:
            await asyncio.to_thread(_load_server)
        except asyncio.CancelledError:
            await house.close()
            raise
        import uvicorn

        from tools.board.app import make_app

        config = uvicorn.Config(
            make_app(house, port),
            ws="websockets-sansio",
            ws_max_size=_largest_frame(),
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=1,
        )
        server = uvicorn.Server(config)
        await server.serve(sockets=[listening])
        await meeting

    try:
        asyncio.run(serve())
    except KeyboardInterrupt:
        sys.exit(130)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("junqi-board", description="A board in the browser, on this machine only.")
    parser.add_argument("--port", type=int, default=0, help="of 127.0.0.1; by default one that is free")
    parser.add_argument("--no-browser", action="store_true", help="print the address, open nothing")
    parser.add_argument("--folder", type=Path, default=default_folder(), help="where games are kept")
    parser.add_argument(
        "--engine",
        action="append",
        default=[],
        metavar="NAME=COMMAND",
        help="an engine to choose; may be given several times, the first is the default; by default junqi-engine",
    )
    parser.add_argument(
        "--patience",
        type=float,
        default=HUNG_AFTER_S,
        metavar="SECONDS",
        help="how late an engine may answer, where no clock runs, before it is taken to hang (%(default)g)",
    )
    options = parser.parse_args()
    if not 0 < options.patience < LONGEST_PATIENCE_S:
        parser.error(f"--patience is a number of seconds above 0 and below {LONGEST_PATIENCE_S:g}")
    return options


def _load_server() -> None:
    for name in ("uvicorn", "tools.board.app"):
        importlib.import_module(name)


def _own_engine() -> Program:
    return Program("junqi-engine", (sys.executable, "-m", "protocol"))


def _listen(port: int) -> socket.socket:
    """A socket on the loopback; OSError or OverflowError as ValueError says that the port is not to be had."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except (OSError, OverflowError) as error:
        listening.close()
        raise ValueError(f"port {port} is not to be had: {getattr(error, 'strerror', None) or error}") from None
    listening.listen(64)
    listening.setblocking(False)
    return listening


def _largest_frame() -> int:
    from tools.board.messages import LARGEST_FRAME_BYTES

    return LARGEST_FRAME_BYTES


if __name__ == "__main__":
    main()
