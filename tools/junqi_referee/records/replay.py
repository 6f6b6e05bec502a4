"""The subcommand `replay`: checks recorded games against the rules and shows them as text."""

import argparse
import sys
from collections.abc import Sequence
from contextlib import suppress

from junqi_engine.api.game_record import GameRecord
from junqi_engine.errors import IllegalMove, Refused
from junqi_engine.notation.moves import parse_move
from junqi_engine.rules.options import Rules
from junqi_referee.endings import Ending
from junqi_referee.exit_codes import ExitCode, RefereeError, one_line, report
from junqi_referee.full_game import FullGame
from junqi_referee.records.conversion import read_games


def replay(parsed: argparse.Namespace) -> ExitCode:
    read = read_games(parsed.paths)
    if read.games and read.is_single:
        return show(read.games[0], f"record {parsed.paths[0]}, game {parsed.paths[1]}", parsed.view, parsed.ply)
    return max(listing(read.games), report(read.errors))


def listing(games: Sequence[GameRecord]) -> ExitCode:
    """Print one line per game; `FAILED` if a game breaks the rules."""
    failed = False
    for game in sorted(games, key=lambda game: game.game):
        fault = verify(game)
        names = " against ".join(dict.fromkeys(str(engine["name"]) for engine in game.engines.values()))
        line = one_line(f"{game.game:>6}  {names}: {game.result} by {game.ending}, {len(game.moves)} plies")
        print(line if fault is None else f"{line}  WRONG: {fault}")
        failed = failed or fault is not None
    sys.stdout.flush()
    return ExitCode.FAILED if failed else ExitCode.DONE


def show(game: GameRecord, where: str, viewer: str | None, plies: int | None) -> ExitCode:
    """Print a game move by move, and the position after `plies` plies; None means all."""
    full = begin(game, where)
    viewer = _viewer(full, viewer)
    if plies is not None and not 0 <= plies <= len(game.moves):
        raise RefereeError(f"{where}: --ply {plies} is not from 0 to {len(game.moves)}")
    print(one_line(f"game {game.game}, {game.variant}, {game.visibility}, seed {game.seed}, {game.first} begins"))
    for seats, engine in game.engines.items():
        print(one_line(f"{seats}: {engine['name']}"))
    for seat, letters in game.lineups.items():
        if viewer == "*" or seat in viewer:
            print(f"lineup {seat}:{letters}")
    for index, recorded in enumerate(game.moves[:plies]):
        seat = full.turn
        mistake = _replay_move(full, recorded)
        if mistake is not None:
            raise RefereeError(f"{where}, move {index + 1}: {mistake}", ExitCode.FAILED)
        time_ms, score = game.times_ms[index], game.scores[index]
        print(one_line(f"{index + 1:>5} {seat} {recorded:<16} {time_ms:>7} ms  {score or ''}".rstrip()))
    print("\n".join(full.diagram(viewer)))
    if plies is None or plies == len(game.moves):
        print(one_line(f"{game.result} by {game.ending}{': ' if game.detail else ''}{game.detail}"))
    sys.stdout.flush()
    return ExitCode.DONE


def verify(game: GameRecord) -> str | None:
    """The way in which a recorded game breaks the rules, in one line; None if it does not."""
    fault = _fault_of(game)
    return None if fault is None else one_line(fault)


def _fault_of(game: GameRecord) -> str | None:
    if Ending.of(game).is_fault and not game.moves:
        return None  # the line-ups may have been missing when the fault occurred
    try:
        full = begin(game, f"game {game.game}")
    except RefereeError as error:
        return str(error)
    for index, recorded in enumerate(game.moves, 1):
        mistake = _replay_move(full, recorded)
        if mistake is not None:
            return f"move {index}: {mistake}"
    if full.result is not None and (full.result, full.ending) != (game.result, played_ending(game.ending)):
        return f"{game.result} by {game.ending} is recorded, {full.result} by {full.ending} was played"
    if full.result is None and not Ending.of(game).breaks_off:
        return f"{game.ending} is recorded, but the game is not over"
    return None


def played_ending(ending: str) -> str:
    """The ending by the rules of a finished game with a recorded ending.

    A loss on time is recorded as a resignation of each seat that it eliminated.
    """
    return Ending.RESIGNED if ending == Ending.TIMEOUT else ending


def _replay_move(full: FullGame, recorded: str) -> str | None:
    """Play a recorded move; return the fault in words, or None."""
    try:
        played = full.play(bare(recorded))
    except IllegalMove as error:
        return str(error)
    with suppress(Refused):  # what is recorded need not be a move
        if parse_move(full.board, recorded).agrees_with(parse_move(full.board, played)):
            return None
    return f"{recorded} is recorded, {played} was played"


def begin(game: GameRecord, where: str) -> FullGame:
    """A recorded game at its start; `where` is for messages."""
    try:
        return FullGame(game.variant, game.lineups, game.first, Rules(**game.rules), game.fen)
    except KeyError as error:
        text = f"{where}: ended by {game.ending} before the first move: no line-up for {error.args[0]}: {game.detail}"
        raise RefereeError(text, ExitCode.FAILED) from error
    except ValueError as error:
        raise RefereeError(f"{where}: invalid start: {error}", ExitCode.FAILED) from error


def bare(move: str) -> str:
    """A recorded move without its suffix, as an engine answers it."""
    if move.startswith(("resign:", "pass:")):
        return move.partition("#")[0]
    return move.partition("!")[0].partition("#")[0].rstrip("xo=")


def _viewer(full: FullGame, viewer: str | None) -> str:
    choices = [*full.board.seats, *full.board.teams, "*"]
    for choice in choices:
        if sorted(choice) == sorted(viewer or "*"):
            return choice
    raise RefereeError(f"--view {viewer}: not one seat, one team ({' or '.join(full.board.teams)}) or *")
