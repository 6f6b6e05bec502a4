"""What the games of a batch begin from: line-ups, or games of the library in their middle."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from junqi_engine.env.observation import check_choice
from junqi_engine.env.observing import NO_POINT, TRACK
from junqi_engine.errors import JunqiError, expect
from junqi_engine.information.knowledge import KNOWN, begin
from junqi_engine.library.game import Game
from junqi_engine.library.reading import board_of, lineups_by_seat
from junqi_engine.notation.moves import format_viewer
from junqi_engine.rules.layout import team_of
from junqi_engine.rules.lineup import legal_lineups
from junqi_engine.rules.options import Rules
from junqi_engine.rules.position import POSITION, unpickled


@dataclass(frozen=True)
class Starts:
    """Starting positions, (k,). `drawn` are the sets of seats whose line-ups are drawn for each game, `views`, (k, v),
    what each viewer knows.
    """

    positions: np.ndarray
    drawn: np.ndarray
    has_lineups: np.ndarray
    views: np.ndarray
    tracks: np.ndarray

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(unpickled(state))


def lineups_of(options: Mapping[str, Any] | None, *others: str) -> Any:
    """The option `lineups` of a reset; None if it is not given. `JunqiError` for an option that is not one of the
    `others` either.
    """
    expect(Mapping | None, "options", options)
    known = ("lineups", *others)
    for name in options or {}:
        check_choice("option", name, known)
    return (options or {}).get("lineups")


def read_starts(
    variant: str,
    rules: Rules,
    visibility: str | None,
    viewers: Sequence[int],
    shows_removed: bool,
    lineups: Sequence[Mapping[str, str]],
    games: Sequence[Game],
) -> Starts:
    """The starting positions of `Batch.reset`. `BadLineup` or `JunqiError` if one of them is not fit."""
    board = board_of(variant)
    given = [lineups_by_seat(board, own) for own in lineups or [{}]]
    if board.army.missing:  # there are few deals, and each is a start
        legal = legal_lineups(board.army)
        given = [
            dict(zip(board.seats, deal, strict=True))
            for own in given
            for deal in product(*([own[letter]] if letter in own else legal for letter in board.seats))
        ]
    drawn = [sum(1 << seat for seat, letter in enumerate(board.seats) if letter not in own) for own in given]
    if games:
        drawn = [0] * len(games)
        for number, game in enumerate(games):
            expect(Game, f"game {number}", game)
            if (game.variant, game.rules) != (variant, rules):
                text = f"it is {game.variant} with {game.rules}, expected {variant} with {rules}"
            elif game.is_game_over():
                text = "it has ended"
            elif not game.lineups and visibility not in (None, "open"):
                text = f"it began from a FEN, and visibility {visibility} needs a game from line-ups"
            elif not game.lineups and shows_removed:
                text = "it began from a FEN, so what its removed pieces were is not known"
            else:
                continue
            raise JunqiError("bad-argument", f"game {number}: {text}")
    else:
        games = [Game(variant, own, rules=rules, seed=0) for own in given]
    views, tracks = np.zeros((len(games), len(viewers)), KNOWN), np.zeros(len(games), TRACK)
    for game, of_game, track in zip(games, views, tracks, strict=True):
        for number, viewer in enumerate(viewers):
            if viewer == board.all_alive:
                begin(game.state.position, of_game[number])
            else:
                of_game[number] = game.view(format_viewer(board, viewer)).state.known.record
        _write_track(game, track)
    positions = np.array([game.state.position for game in games], POSITION)
    has_lineups = np.array([bool(game.lineups) for game in games])
    return Starts(positions, np.array(drawn, np.uint8), has_lineups, views, tracks)


def _write_track(game: Game, track: np.void) -> None:
    """The last moves of a game."""
    track["ends"] = NO_POINT
    plies = [seen for seen in game.state.record if seen.is_ply]
    for step, seen in enumerate(reversed(plies[-len(track["moves"]) :])):
        track["moves"][step] = seen.move
    for seen in plies:
        track["ends"][team_of(seen.seat)] = seen.to_point
