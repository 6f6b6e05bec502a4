"""The game that a page shows: what its person may do in it, and the start of new games."""

import asyncio
from collections.abc import Callable
from typing import Annotated, Literal

from msgspec import Meta

from junqi_board.advisers import Adviser
from junqi_board.game.game import BoardGame, Phase
from junqi_board.game.seating import Elo, GameClock, Seating, Setup, Taker, TimeOut
from junqi_board.page import Answer, Count, Page, Text, answers, chars
from junqi_board.scenes import junqi
from junqi_engine.errors import Refused

Seat = Annotated[str, chars(1)]
Lineup = Annotated[str, chars(40)]
MOST_SEATS = Meta(max_length=16)


@answers(host_only=True)
async def new_game(
    page: Page,
    variant: Text,
    visibility: Literal["partner", "dark"],
    seats: Annotated[dict[Seat, Taker], MOST_SEATS],
    clock: GameClock | None,
    time_out: TimeOut,
) -> Answer:
    setup = Setup(variant, visibility, seats, clock, time_out)
    seating = Seating.read(setup, page.host.programs, page.host.variants)
    return page.host.opened_game(page.host.start_game(seating))


@answers(host_only=True)
async def level(page: Page, elo: Elo) -> Answer:
    """Begin anew against engines of another strength, before the first move."""
    table = page.table
    if table.game.phase != Phase.ARRANGING:
        raise Refused("too-late", "the game has started: choose the level in a new game")
    # Those who have not come yet may use the invitation that they have, or the new one.
    return page.host.opened_game(page.host.start_game(table.game.seating.with_level(elo), keeps_guests=True))


def act(page: Page, action: Callable[..., None], *arguments: object) -> None:
    table, seats = page.table, page.seats
    table.do(action, table.game, seats, *arguments)


@answers()
async def ready(page: Page, lineups: Annotated[dict[Seat, Lineup], MOST_SEATS]) -> None:
    # A game needs the kernels of the rules, which would be loaded or compiled in the event loop.
    await asyncio.to_thread(junqi.warm_up)
    act(page, BoardGame.set_lineups, lineups)


@answers()
async def move(page: Page, ply: Count, move: Annotated[str, chars(12)]) -> None:
    act(page, BoardGame.move, ply, move)


@answers()
async def resign(page: Page) -> None:
    act(page, BoardGame.resign)


@answers()
async def hurry(page: Page) -> None:
    act(page, BoardGame.hurry)


@answers()
async def draw(page: Page) -> None:
    act(page, BoardGame.offer_draw)


@answers()
async def draw_answer(page: Page, accept: bool) -> None:
    table, offer = page.table, page.table.game.offer
    act(page, BoardGame.answer_draw, accept)
    if offer is not None and not accept:
        table.send_notice("draw-declined", "the draw was declined", offer.by)


@answers()
async def take_back(page: Page) -> None:
    act(page, BoardGame.take_back)
    page.table.practise()


@answers(host_only=True)
async def restart_engine(page: Page, seats: Annotated[str, chars(8)]) -> None:
    table = page.table
    table.do(lambda _: table.game.restart_engine(seats))


def _adviser(page: Page) -> Adviser:
    """The adviser of a person who plays alone. A game in which it helps counts as practice."""
    if page.seats and page.table.game.person_count > 1:
        raise Refused("help-refused", "engines help only when you play alone")
    return page.table.adviser


@answers(is_slow=True)
async def advice(page: Page, ms: Annotated[int, Meta(ge=1, le=10_000)]) -> None:
    adviser = _adviser(page)
    adviser.expect_turn()
    page.table.practise()
    await adviser.advise(ms)


@answers()
async def advice_stop(page: Page) -> None:
    if page.seats:
        page.table.adviser.stop()


@answers()
async def belief(page: Page, on: bool) -> None:
    adviser = _adviser(page)
    if on:
        page.table.practise()
    adviser.show_belief(on)
