"""Who may do what: a random token for each page, and invitations that turn into one when they are first used."""

import hmac
import secrets
from dataclasses import dataclass, field

TOKEN_BYTES = 24


@dataclass(frozen=True)
class Pass:
    """What a token stands for. The host opens games and plays `seats` of the present one, if any; a guest has seats
    in the game numbered `game` only.
    """

    token: str
    is_host: bool
    game: int = 0
    seats: str = ""


@dataclass
class Passes:
    """All tokens and invitations that have been given out."""

    _passes: dict[str, Pass] = field(default_factory=dict)
    _invitations: dict[str, tuple[int, str]] = field(default_factory=dict)

    def new_host(self) -> Pass:
        return self._add(True, 0, "")

    def invite(self, game: int, seats: str) -> str:
        """A token with which the seats of a game can be taken once."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        self._invitations[token] = game, seats
        return token

    def find(self, token: str) -> Pass | None:
        """The pass of a token. An invitation is used up: the pass that it gives has a token that nobody else knows."""
        invitation = _looked_up(self._invitations, token)
        if invitation is not None:
            game, seats = self._invitations.pop(invitation)
            return self._add(False, game, seats)
        found = _looked_up(self._passes, token)
        return None if found is None else self._passes[found]

    def forget_guests(self) -> None:
        """Withdraw all but the host's."""
        self._invitations.clear()
        self._passes = {token: held for token, held in self._passes.items() if held.is_host}

    def _add(self, is_host: bool, game: int, seats: str) -> Pass:
        held = Pass(secrets.token_urlsafe(TOKEN_BYTES), is_host, game, seats)
        self._passes[held.token] = held
        return held


def _looked_up(table: dict, token: str) -> str | None:
    """The key that equals `token`, compared in a time that does not depend on where they differ."""
    given = token.encode("utf-8", "replace")
    return next((key for key in table if hmac.compare_digest(key.encode(), given)), None)
