"""Where the board listens: on this machine only, or, with `--lan`, also for other devices on the local network; and
under which addresses its pages reach it.
"""

import re
import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

LOOPBACK_HOST = "127.0.0.1"
ROUTE_PROBE = ("192.0.2.1", 9)
"""An address of documentation (RFC 5737): connecting a UDP socket to it sends nothing, but chooses the interface."""


@dataclass(frozen=True)
class Network:
    """Where the board listens and answers. `lan` is its address in the local network, empty without one; `url` is that
    under which a tunnel or proxy makes it known, such as `https://name:8443`, empty without one.
    """

    lan: str = ""
    url: str = ""

    @property
    def listens_on(self) -> tuple[str, ...]:
        """The addresses of the interfaces on which the board listens."""
        return (LOOPBACK_HOST, self.lan) if self.lan else (LOOPBACK_HOST,)

    def origins(self, port: int) -> tuple[str, ...]:
        """The addresses of the board's pages, when it listens on a port: `http://127.0.0.1:8000`."""
        own = (f"http://{host}:{port}" for host in (*self.listens_on, "localhost"))
        return (*own, self.url) if self.url else tuple(own)


LOOPBACK = Network()


DEFAULT_PORTS = {"http": 80, "https": 443}


def read_url(text: str) -> str:
    """The address of `--url` as browsers name it in Host and Origin; ValueError if it is not one."""
    parts = urlsplit(text.strip())
    host = parts.hostname or ""
    form = f"--url: expected an address such as https://name or https://name:8443, got {text!r}"
    try:
        port = parts.port
    except ValueError:
        raise ValueError(form) from None
    is_plain = parts.path in ("", "/") and not (parts.query or parts.fragment or parts.username)
    if parts.scheme not in DEFAULT_PORTS or not is_plain or not re.fullmatch(r"[\w.:-]+", host, re.ASCII):
        raise ValueError(form)
    host = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{host}" + (f":{port}" if port not in (None, DEFAULT_PORTS[parts.scheme]) else "")


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
