"""The messages that a page may send: a function each, one file per subject; and the first message to a page."""

from datetime import date

from msgspec import convert

from junqi_board import styles
from junqi_board.access import Access
from junqi_board.answers import library, lineup, people, play, problems, review, scenes, study, teasers
from junqi_board.engines import ELO_OF_LEVELS
from junqi_board.host import Host
from junqi_board.messages.connection import EngineChoice, QuietLimit, Welcome
from junqi_board.messages.game import Ladder
from junqi_board.messages.learning import ProblemRating
from junqi_engine.rules.board import BOARDS, Board
from junqi_engine.rules.options import Rules

__all__ = ["library", "lineup", "people", "play", "problems", "review", "scenes", "study", "teasers", "welcome"]


def welcome(host: Host, access: Access) -> Welcome:
    """The first message to a page, with everything that its menus offer."""
    boards = [BOARDS[variant] for variant in host.variants if variant in BOARDS]
    is_host = access.is_host
    levels = {one.name: host.has_levels[one.name] for one in host.programs if one.name in host.has_levels}
    known = {variant: found for variant, found in teasers.known_positions().items() if variant in host.variants}
    return Welcome(
        token=access.token,
        is_host=is_host,
        positions=known if is_host else {},
        tables={board.variant: board.seats for board in boards},
        limits={board.variant: _limit(board) for board in boards},
        settings=host.store.page_settings if is_host else {},
        facts=host.store.page_facts if is_host else {},
        ladder=convert(host.ladder.table, Ladder) if is_host else None,
        problem_rating=ProblemRating(**host.ladder.problems) if is_host else None,
        today=date.today().isoformat(),
        lan=host.network.lan if is_host else "",
        has_games=is_host and host.games is not None,
        engines=[
            EngineChoice(name, ELO_OF_LEVELS, styles.OF_LEVELS) if has_levels else EngineChoice(name, {}, {})
            for name, has_levels in levels.items()
        ],
        # Why an engine failed may show commands and folders, which are not for guests.
        fault=host.fault if is_host else "",
    )


def _limit(board: Board) -> QuietLimit:
    rules = Rules.of(board)
    return QuietLimit(rules.no_contact, bool(rules.no_contact_loses))
