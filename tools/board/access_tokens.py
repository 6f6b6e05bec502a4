"""Access tokens: what a page may do, and invitations that turn into a token when they are first used."""

import hmac
import secrets
from dataclasses import dataclass, field

TOKEN_BYTES = 24


@dataclass(frozen=True)
class Access:
    """What the page with this token may do. The host starts games and plays its seats of the current one; a guest
    plays `seats` of the game numbered `game` only.
    """

    token: str
    is_host: bool
    game: int = 0
    seats: str = ""


@dataclass
class AccessTokens:
    """All tokens and invitations that are valid."""

    _accesses: dict[str, Access] = field(default_factory=dict)
    _invitations: dict[str, tuple[int, str]] = field(default_factory=dict)

    def new_host(self) -> Access:
        return self._add(True, 0, "")

    def invite(self, game: int, seats: str) -> str:
        """A token that gives access to the seats of a game, once."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        self._invitations[token] = game, seats
        return token

    def find(self, token: str) -> Access | None:
        """The access of a token. An invitation is used up: the access has a new token that nobody else knows."""
        invitation = _find_key(self._invitations, token)
        if invitation is not None:
            game, seats = self._invitations.pop(invitation)
            return self._add(False, game, seats)
        key = _find_key(self._accesses, token)
        return None if key is None else self._accesses[key]

    def forget_guests(self) -> None:
        """Withdraw all tokens except the host's, and all invitations."""
        self._invitations.clear()
        self._accesses = {token: access for token, access in self._accesses.items() if access.is_host}

    def _add(self, is_host: bool, game: int, seats: str) -> Access:
        access = Access(secrets.token_urlsafe(TOKEN_BYTES), is_host, game, seats)
        self._accesses[access.token] = access
        return access


def _find_key(table: dict, token: str) -> str | None:
    """The key that equals `token`, compared in a time that does not depend on the first difference."""
    wanted = token.encode("utf-8", "replace")
    return next((key for key in table if hmac.compare_digest(key.encode(), wanted)), None)
