"""Where the board listens: on this machine only, or, with `--lan`, also for other devices on the local network."""

import socket
from dataclasses import dataclass

LOOPBACK_HOST = "127.0.0.1"
ROUTE_PROBE = ("192.0.2.1", 9)
"""An address of documentation (RFC 5737): connecting a UDP socket to it sends nothing, but chooses the interface."""


@dataclass(frozen=True)
class Network:
    """Where the board listens and answers. `lan` is its address in the local network, empty without one."""

    lan: str = ""

    @property
    def listens_on(self) -> tuple[str, ...]:
        """The addresses of the interfaces on which the board listens."""
        return (LOOPBACK_HOST, self.lan) if self.lan else (LOOPBACK_HOST,)

    def origins(self, port: int) -> tuple[str, ...]:
        """The addresses of the board's pages, when it listens on a port: `http://127.0.0.1:8000`."""
        return tuple(f"http://{host}:{port}" for host in (*self.listens_on, "localhost"))


LOOPBACK = Network()


def local_address() -> str:
    """The address of this machine in the network of its default route; ValueError if there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ROUTE_PROBE)
            address = str(probe.getsockname()[0])
        except OSError as error:
            raise ValueError(f"--lan: this machine has no local network: {error.strerror}") from None
    if address == LOOPBACK_HOST:
        raise ValueError("--lan: this machine has no local network")
    return address
