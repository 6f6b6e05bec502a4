"""Files of stored games: their bytes, and their positions."""

from dataclasses import replace

import pytest

from junqi_engine.rules import lineup
from junqi_engine.rules.board import BOARDS, LUZHANQI
from junqi_engine.rules.options import Rules
from junqi_engine.rules.position import Result
from junqi_referee.endings import Ending
from junqi_training.selfplay.game_file import (
    GameFile,
    GameFileError,
    ReplayError,
    StoredGame,
    check_game,
    format_games,
    parse_games,
    positions,
)
from junqi_training.selfplay.run import Generator
from junqi_training.selfplay.settings import Player, Settings
from tests.helpers.selfplay import WEAK, file_of, move, point, small_file

pytestmark = pytest.mark.long

# Bytes


def test_the_bytes_of_a_file_are_those_of_the_format():
    default = lineup.DEFAULT
    game = StoredGame(
        258, (WEAK, Player("1.2")), (default, default), Result.TEAM_1, Ending.FLAG,
        (move("a2-a3"), move("e7-e6")), (None, -2),
    )  # fmt: skip
    file = GameFile(LUZHANQI, Rules(31, True, 1000, 2), 5, (WEAK, Player("1.2")), True, (game,))
    expected = (
        b"JQGAMES\0" + bytes((1, 1, 2, 1)) + bytes((31, 0, 0, 0)) + bytes((232, 3, 0, 0))
        + bytes((5, 0, 0, 0, 0, 0, 0, 0)) + bytes((1, 0, 0, 0)) + bytes((1, 2))
        + bytes((200, 0, 0, 0)) + b"2.0\0\0\0\0\0" + bytes((0, 0, 0, 0)) + b"1.2\0\0\0\0\0"
        + bytes((2, 1, 0, 0, 0, 1, 2, 0, 2, 0)) + default.encode() * 2
        + bytes((point("a2"), point("a3"), point("e7"), point("e6"))) + b"\x00\x80" + b"\xfe\xff"
    )  # fmt: skip
    assert format_games(file) == expected
    assert parse_games(expected) == file


@pytest.mark.parametrize("has_scores", [True, False])
def test_files_survive_the_way_there_and_back(has_scores):
    generator = Generator(Settings("siguo", "1.2:1", max_plies=30))
    games = [generator.play(number) for number in (3, 5, 9)]
    kept = [game if has_scores else replace(game, scores=None) for game in games]
    file = file_of(generator.settings, *kept, has_scores=has_scores)
    assert parse_games(format_games(file)) == file


SMALL = format_games(small_file())
HEAD = 34
FIRST_GAME = HEAD + 12
FIRST_LINEUP = FIRST_GAME + 10


@pytest.mark.parametrize(
    ("offset", "value", "text"),
    [
        (0, b"x", "byte 0x0: it does not begin with JQGAMES: not a file of games"),
        (8, b"\2", "byte 0x8: the version of the format is 2; this program reads 1"),
        (9, b"\2", "byte 0x9: the variant is 2; expected 0 or 1"),
        (10, b"\3", "byte 0xa: the rules: version: 3 is not one of 1, 2"),
        (11, b"\2", "byte 0xb: the flag of lost limits is 2; expected 0 or 1"),
        (32, b"\7", "byte 0x20: the flag of scores is 7; expected 0 or 1"),
        (33, b"\0", "byte 0x21: there are no players; expected at least 1"),
        (HEAD + 4, b"?", "byte 0x22: player 0: '?.2' is not a version"),
        (FIRST_GAME + 4, b"\1", "byte 0x32: game 7: player 1; there are 1"),
        (FIRST_GAME + 6, b"\0", "byte 0x34: game 7: the result is 0; expected 1, 2 or 3"),
        (FIRST_GAME + 7, b"\5", "byte 0x35: game 7: the ending is 5; expected 0 to 4"),
        (FIRST_LINEUP, b"z", "byte 0x38: game 7, line-up of S: letter 1 is 'z'; expected a letter from a to l"),
        (FIRST_LINEUP + 50, b"\xff", "byte 0x6a: game 7, ply 0: a point is not on the board"),
    ],
)
def test_a_damaged_file_is_refused_where_it_is_damaged(offset, value, text):
    data = SMALL[:offset] + value + SMALL[offset + 1 :]
    with pytest.raises(GameFileError) as refusal:
        parse_games(data)
    assert str(refusal.value) == text


def test_a_file_that_is_cut_off_or_too_long_is_refused():
    for size in range(len(SMALL)):
        with pytest.raises(GameFileError, match="the file ends within"):
            parse_games(SMALL[:size])
    with pytest.raises(GameFileError, match="1 bytes follow the last game"):
        parse_games(SMALL + b"\0")


def test_games_must_ascend():
    file = small_file()
    (game,) = file.games
    with pytest.raises(GameFileError, match="game 7 follows game 7; the numbers must ascend"):
        parse_games(format_games(replace(file, games=(game, game))))


# Positions


@pytest.mark.parametrize("variant", BOARDS)
def test_positions_have_views_scores_and_results(variant):
    generator = Generator(Settings(variant, "2.0@200:1,1.2:1", max_plies=30))
    game = generator.play(0)
    file = file_of(generator.settings, game)
    seen = 0
    for number, position in enumerate(positions(file, game)):
        assert position.ply == number == position.truth.ply
        team = position.truth.turn % 2
        assert position.move in position.views[team].legal_moves()
        assert not position.views[1 - team].sees(position.truth.turn)
        assert game.scores is not None and position.score == game.scores[number]
        seen += 1
    assert seen == len(game.moves)


def test_the_result_is_that_of_the_team_to_move():
    file = small_file()
    (game,) = file.games
    for result, expected in ((Result.TEAM_0, [1, -1, 1]), (Result.TEAM_1, [-1, 1, -1]), (Result.DRAW, [0, 0, 0])):
        ended = replace(game, result=result)
        found = [position.result for position in positions(file, ended, with_views=False)]
        assert found == expected


def test_a_move_that_is_not_legal_is_found_by_replay():
    file = small_file()
    (game,) = file.games
    broken = replace(game, moves=(game.moves[0], 0, game.moves[2]))
    for replay in (lambda: check_game(file, broken), lambda: list(positions(file, broken))):
        with pytest.raises(ReplayError, match="game 7, ply 1: "):
            replay()


def test_a_wrong_result_or_ending_is_found_by_replay():
    file = small_file()
    (game,) = file.games
    check_game(file, game)
    with pytest.raises(ReplayError, match="it ends with DRAW, max-plies; the file says TEAM_0, max-plies"):
        check_game(file, replace(game, result=Result.TEAM_0))
    with pytest.raises(ReplayError, match="it has not ended, but its ending is max-plies"):
        check_game(file, replace(game, moves=game.moves[:2]))
