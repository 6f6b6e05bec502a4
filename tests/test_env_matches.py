"""A player has the same rating in the environment as from the referee: the games are the same, move for move."""

import pytest

from junqi_engine.engines.client import Patience
from junqi_engine.env import JunqiEnv, policy
from junqi_engine.players.versions import VERSIONS
from junqi_engine.rules.board import BOARDS, Board
from junqi_engine.rules.options import Rules
from tests.referee_help import PROTOCOL, ROOT, play, settings
from tools.referee.playing.standings import Standings
from tools.referee.records.game_record import GameRecord

SEED, NODES = 5, 60
PLIES = {"siguo": 40, "luzhanqi": 0}
"""The limit of a game by variant: the games of luzhanqi are decided."""
PAIRS = list(zip(VERSIONS[-2::-2], VERSIONS[::-2], strict=False))
"""The newest version against the one before it, and so on; each version in one match."""


def play_again(board: Board, record: GameRecord) -> tuple[list[str], str]:
    """The moves and the result of a game in the environment, between the players and from the line-ups of a record."""
    env = JunqiEnv(board.variant, "partner", rules=Rules(**record.rules))
    env.reset(options={"lineups": record.lineups})
    policies = {team: policy(engine["name"], seed=SEED, nodes=NODES) for team, engine in record.engines.items()}
    for agent in env.agent_iter():
        if env.terminations[agent]:
            env.step(None)
            continue
        [chosen] = [each for team, each in policies.items() if agent in team]
        env.step(env.action_of(agent, chosen.move(env.view(agent))))
    return list(env.game.move_stack), env.game.result or ""


@pytest.mark.long
@pytest.mark.parametrize("versions", PAIRS, ids="-".join)
@pytest.mark.parametrize("variant", BOARDS)
def test_a_match_in_the_environment_is_that_of_the_referee(variant: str, versions: tuple[str, str]) -> None:
    board = BOARDS[variant]
    engines = [{"name": version, "option": {"Player": version}} for version in versions]
    each = {"cmd": PROTOCOL, "dir": str(ROOT), "nodes": NODES, "option": {"Seed": SEED, "Hash": 16}}
    match = {"variant": variant, "rounds": 1, "max_plies": PLIES[variant], "seed": 3}
    tournament, _ = play(settings(*engines, each=each, **match), Patience())
    again = Standings(versions, tournament.schedule.pairings)
    for plan in tournament.schedule:
        record = tournament.finished[plan.game]
        assert record.first == board.seats[0]
        moves, result = play_again(board, record)
        assert moves == record.moves
        again.add(plan, result, record.ending, board.teams)
    assert again.by_pairing == tournament.standings.by_pairing
    assert again.by_pairing[0, 1].games == 2
