"""Access tokens: what a page may do, and invitations that turn into a token when they are first used."""

import hmac
import secrets
from collections.abc import Iterable
from dataclasses import dataclass

TOKEN_BYTES = 24


@dataclass(frozen=True)
class Access:
    """The rights of a page with this token. The host starts games and plays its own seats; a guest plays `seats` of the
    game on the board and of its rematches, but of no other game.
    """

    token: str
    is_host: bool
    seats: str = ""


class AccessTokens:
    def __init__(self) -> None:
        self._accesses: dict[str, Access] = {}
        self._invitations: dict[str, str] = {}
        """By token, the seats."""

    def add(self, is_host: bool, seats: str, token: str = "") -> Access:
        """A new access, of a token that the board has kept from an earlier start, or of a new one."""
        access = Access(token or _new_token(), is_host, seats)
        self._accesses[access.token] = access
        return access

    def invite(self, seats: str) -> str:
        """A token that gives access to the seats, once; the same one until it is used."""
        open_ones = (token for token, invited in self._invitations.items() if invited == seats)
        token = next(open_ones, None) or _new_token()
        self._invitations[token] = seats
        return token

    def find(self, token: str) -> Access | None:
        """The access of a token. An invitation is used up: the access has a new token that nobody else knows."""
        invitation = _find_key(self._invitations, token)
        if invitation is not None:
            return self.add(False, self._invitations.pop(invitation))
        key = _find_key(self._accesses, token)
        return None if key is None else self._accesses[key]

    def has(self, access: Access) -> bool:
        """Whether an access has not been withdrawn."""
        return access.token in self._accesses

    @property
    def guests(self) -> list[Access]:
        return [one for one in self._accesses.values() if not one.is_host]

    def forget_guests(self) -> None:
        self._invitations.clear()
        for one in self.guests:
            del self._accesses[one.token]


def _new_token() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)


def _find_key(tokens: Iterable[str], token: str) -> str | None:
    """The token that equals `token`, compared in a time that does not depend on the first difference."""
    wanted = token.encode()
    return next((key for key in tokens if hmac.compare_digest(key.encode(), wanted)), None)
