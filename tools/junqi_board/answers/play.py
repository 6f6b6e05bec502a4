"""The game that a page shows: what its person may do in it, and the start of new games."""

import asyncio
from collections.abc import Callable
from typing import Annotated, Literal

from msgspec import Meta

from junqi_board.advisers import Adviser
from junqi_board.connection import Connection, Count, Text, answers, chars
from junqi_board.game.game import BoardGame, Phase
from junqi_board.game.seating import Elo, GameClock, Seating, Setup, Taker, TimeOut
from junqi_board.messages.game import OpenedGame
from junqi_board.scenes import junqi
from junqi_engine.errors import Refused

Seat = Annotated[str, chars(1)]
Lineup = Annotated[str, chars(40)]
MOST_SEATS = Meta(max_length=16)


@answers(host_only=True)
async def new_game(
    connection: Connection,
    variant: Text,
    visibility: Literal["partner", "dark"],
    seats: Annotated[dict[Seat, Taker], MOST_SEATS],
    clock: GameClock | None,
    time_out: TimeOut,
) -> OpenedGame:
    setup = Setup(variant, visibility, seats, clock, time_out)
    seating = Seating.read(setup, connection.host.programs, connection.host.variants)
    return connection.host.opened_game(connection.host.start_game(seating))


@answers(host_only=True)
async def level(connection: Connection, elo: Elo) -> OpenedGame:
    """Begin anew against engines of another strength, before the first move."""
    table = connection.table
    if table.game.phase != Phase.ARRANGING:
        raise Refused("too-late", "the game has started: choose the level in a new game")
    # Those who have not come yet may use the invitation that they have, or the new one.
    return connection.host.opened_game(
        connection.host.start_game(table.game.seating.with_level(elo), keeps_guests=True)
    )


def act(connection: Connection, action: Callable[..., None], *arguments: object) -> None:
    table, seats = connection.table, connection.seats
    table.do(action, table.game, seats, *arguments)


@answers()
async def ready(connection: Connection, lineups: Annotated[dict[Seat, Lineup], MOST_SEATS]) -> None:
    # A game needs the kernels of the rules, which would be loaded or compiled in the event loop.
    await asyncio.to_thread(junqi.warm_up)
    act(connection, BoardGame.set_lineups, lineups)


@answers()
async def move(connection: Connection, ply: Count, move: Annotated[str, chars(12)]) -> None:
    act(connection, BoardGame.move, ply, move)


@answers()
async def resign(connection: Connection) -> None:
    act(connection, BoardGame.resign)


@answers()
async def hurry(connection: Connection) -> None:
    act(connection, BoardGame.hurry)


@answers()
async def draw(connection: Connection) -> None:
    try:
        act(connection, BoardGame.offer_draw)
    except Refused as refused:
        if refused.code in ("draw-declined", "partner-declined"):
            connection.table.send_others("draw-refused", str(refused), connection.seats)
        raise


@answers()
async def draw_answer(connection: Connection, accept: bool) -> None:
    table, offer = connection.table, connection.table.game.offer
    act(connection, BoardGame.answer_draw, accept)
    if offer is not None and not accept:
        table.send_others("draw-declined", "the draw was declined", connection.seats)


@answers()
async def take_back(connection: Connection) -> None:
    act(connection, BoardGame.take_back)
    connection.table.practise()


@answers(host_only=True)
async def restart_engine(connection: Connection, seats: Annotated[str, chars(8)]) -> None:
    table = connection.table
    table.do(lambda _: table.game.restart_engine(seats))


def _adviser(connection: Connection) -> Adviser:
    """The adviser of a person who plays alone. A game in which it helps counts as practice."""
    if connection.seats and connection.table.game.person_count > 1:
        raise Refused("help-refused", "engines help only when you play alone")
    return connection.table.adviser


@answers(is_slow=True)
async def advice(connection: Connection, ms: Annotated[int, Meta(ge=1, le=10_000)]) -> None:
    adviser = _adviser(connection)
    adviser.expect_turn()
    connection.table.practise()
    await adviser.advise(ms)


@answers()
async def advice_stop(connection: Connection) -> None:
    if connection.seats:
        connection.table.adviser.stop()


@answers()
async def belief(connection: Connection, on: bool) -> None:
    adviser = _adviser(connection)
    if on:
        connection.table.practise()
    adviser.show_belief(on)
