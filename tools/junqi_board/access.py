"""Access tokens: what a page may do, and invitations that turn into a token when they are first used."""

import hmac
import secrets
from dataclasses import dataclass, field, replace

TOKEN_BYTES = 24
SPECTATOR = "-"
"""In place of seats: whoever has them sees what everybody sees, and plays nothing."""


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
    _accesses: dict[str, Access] = field(default_factory=dict)
    _invitations: dict[str, tuple[int, str]] = field(default_factory=dict)

    def add_host(self, token: str) -> Access:
        """The access of the host, whose token the board keeps from one start to the next; a new one if it has none."""
        return self._add(True, 0, "", token)

    def invite(self, game: int, seats: str) -> str:
        """A token that gives access to the seats of a game, once; the same one until it is used."""
        open_ones = (token for token, one in self._invitations.items() if one == (game, seats))
        token = next(open_ones, None) or secrets.token_urlsafe(TOKEN_BYTES)
        self._invitations[token] = game, seats
        return token

    def spectators_link(self, game: int) -> str:
        """The token of all spectators of a game. It can be used any number of times."""
        is_it = (one for one in self._accesses.values() if (one.game, one.seats) == (game, SPECTATOR))
        return (next(is_it, None) or self._add(False, game, SPECTATOR)).token

    def find(self, token: str) -> Access | None:
        """The access of a token. An invitation is used up: the access has a new token that nobody else knows."""
        invitation = _find_key(self._invitations, token)
        if invitation is not None:
            return self._add(False, *self._invitations.pop(invitation))
        key = _find_key(self._accesses, token)
        return None if key is None else self._accesses[key]

    def game_of(self, access: Access) -> int:
        """The game that an access is for now, which differs after a rematch; 0 if it has been withdrawn."""
        found = self._accesses.get(access.token)
        return 0 if found is None else found.game

    def guests(self, game: int) -> list[Access]:
        return [one for one in self._accesses.values() if not one.is_host and one.game == game]

    def restore(self, token: str, game: int, seats: str) -> None:
        """Let a guest of an earlier start of the board have its seats again."""
        self._add(False, game, seats, token)

    def forget_guests(self, game: int) -> None:
        self._invitations = {token: one for token, one in self._invitations.items() if one[0] != game}
        self._accesses = {token: one for token, one in self._accesses.items() if one.is_host or one.game != game}

    def move_guests(self, old: int, new: int) -> None:
        """Let the tokens and invitations of a game be for another one."""
        for token, (game, seats) in self._invitations.items():
            if game == old:
                self._invitations[token] = new, seats
        for token, access in self._accesses.items():
            if not access.is_host and access.game == old:
                self._accesses[token] = replace(access, game=new)

    def _add(self, is_host: bool, game: int, seats: str, token: str = "") -> Access:
        access = Access(token or secrets.token_urlsafe(TOKEN_BYTES), is_host, game, seats)
        self._accesses[access.token] = access
        return access


def _find_key(table: dict, token: str) -> str | None:
    """The key that equals `token`, compared in a time that does not depend on the first difference."""
    wanted = token.encode("utf-8", "replace")
    return next((key for key in table if hmac.compare_digest(key.encode(), wanted)), None)
