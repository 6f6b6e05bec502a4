"""What a review needs from a record; games that cannot be reviewed are refused with the reason."""

from dataclasses import dataclass

from junqi_engine.analysis.game import VISIBILITIES, ReviewedGame
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.options import Rules
from tools.referee.endings import Ending
from tools.referee.exits import ExitCode, RefereeError
from tools.referee.records.game_record import GameRecord
from tools.referee.records.replay import verify


@dataclass(frozen=True)
class ReviewRequest:
    """A game of a record, by its number, and what is told about it."""

    number: int
    game: ReviewedGame
    names: tuple[tuple[str, str], ...]
    ending: str

    @classmethod
    def of(cls, record: GameRecord, takes_unfinished: bool = False) -> "ReviewRequest":
        """The request for a game; `RefereeError` if it cannot be reviewed."""
        where = f"game {record.game}"
        if len(record.lineups) < len(BOARDS[record.variant].seats):
            raise _refused(
                f"{where}: it has no line-ups; a game from a FEN cannot be reviewed, "
                "because what its players had seen before is not known"
            )
        if record.visibility not in VISIBILITIES:
            raise _refused(f"{where}: visibility={record.visibility!r} is not one of {', '.join(VISIBILITIES)}")
        if not record.moves:
            raise _refused(f"{where}: it has no moves")
        fault = verify(record)
        if fault is not None:
            raise _refused(f"{where}: it breaks the rules: {fault}")
        is_finished = record.ending != Ending.INTERRUPTED
        if not is_finished and not takes_unfinished:
            raise _refused(
                f"{where}: it is unfinished, interrupted after {len(record.moves)} steps; "
                "--unfinished reviews it up to there"
            )
        game = ReviewedGame(
            record.variant,
            record.visibility,
            tuple(record.lineups.items()),
            record.first,
            Rules(**record.rules),
            tuple(record.moves),
            record.result if is_finished else None,
            record.ending.is_fault,
        )
        names = tuple((seats, str(engine["name"])) for seats, engine in record.engines.items())
        return cls(record.game, game, names, record.ending.value)

    def name_of(self, player: str) -> str:
        """The name of a player, who plays these seats; empty if the record has none."""
        return next((name for seats, name in self.names if set(player) <= set(seats)), "")


def _refused(text: str) -> RefereeError:
    return RefereeError(text, ExitCode.FAILED)
