"""Who may be helped by an engine: nobody against a person who has not agreed to it."""

from tools.board.errors import RequestError
from tools.board.game.seating import Party
from tools.board.game.state import Game


class HelpAgreement:
    """The persons of a game who agree that others are helped. Nobody has agreed when it starts."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._agreed: set[str] = set()

    def agree(self, seats: str, is_on: bool) -> None:
        """The person with these seats agrees, or no longer does."""
        self._game.person(seats)
        (self._agreed.add if is_on else self._agreed.discard)(seats)

    def has_agreed(self, seats: str) -> bool:
        return seats in self._agreed

    def is_needed(self, seats: str) -> bool:
        """Whether any person plays against these seats."""
        return bool(self._opponents(seats))

    def allows(self, seats: str) -> bool:
        """Whether the person with these seats may be helped."""
        return all(party.seats in self._agreed for party in self._opponents(seats))

    def require(self, seats: str) -> None:
        """Raise `RequestError` unless the person with these seats may be helped."""
        if not self.allows(seats):
            raise RequestError("help-refused", "a person who plays against you has not agreed to help by engines")

    def _opponents(self, seats: str) -> list[Party]:
        """The persons who play against any of these seats."""
        teams = self._game.board.teams
        parties = (player.party for player in self._game.players if not player.party.is_engine)
        return [party for party in parties if party.seats != seats and _are_enemies(teams, seats, party.seats)]


def _are_enemies(teams: tuple[str, str], seats: str, others: str) -> bool:
    return any((seat in teams[0]) != (other in teams[0]) for seat in seats for other in others)
