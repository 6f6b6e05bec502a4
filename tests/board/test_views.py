"""The board's views of games, positions, records and line-ups, without a server."""

import random
import re
from collections.abc import Callable
from itertools import pairwise

import pytest

from junqi_board.advisers import advice
from junqi_board.answers.scenes import read_game
from junqi_board.answers.study import answer_of
from junqi_board.engines import LEVELS
from junqi_board.messages.game import AdvisedMove
from junqi_board.messages.records import StudyOutcomes
from junqi_board.scenes import junqi
from junqi_board.scenes.story import Story, final_pieces, path_of, scene
from junqi_board.styles import GALLERY, OF_LEVELS, SIDED, draw
from junqi_engine.client.engine_lines import read_info
from junqi_engine.errors import Refused
from junqi_engine.notation.fen import parse_fen
from junqi_engine.rules import lineup
from junqi_engine.rules.board import BOARDS, SIGUO
from junqi_engine.rules.options import Rules
from junqi_referee.endings import Ending
from junqi_referee.full_game import FullGame
from junqi_referee.records.replay import bare
from tests.helpers.record import random_game


def way(start: str, target: str, *occupied: str) -> str:
    """The path of a move in Siguo, with pieces on some points."""
    points = SIGUO.point_named
    return " ".join(
        SIGUO.names[point]
        for point in path_of(SIGUO, {points[name] for name in occupied}, points[start], points[target])
    )


def test_pieces_travel_straight_and_engineers_around_corners() -> None:
    assert way("i5", "i6") == "i5 i6"  # a road
    assert way("k2", "k5") == "k2 k3 k4 k5"  # a railway
    assert way("k5", "m7") == "k5 k6 l7 m7"  # the curve from one block to the next
    assert way("g2", "g16") == " ".join(f"g{rank}" for rank in (2, 3, 4, 5, 6, 7, 9, 11, 12, 13, 14, 15, 16))
    assert way("g6", "k6", "h6") == "g6 g7 i7 k7 k6"  # h6 is in the way
    assert way("g6", "i7") == "g6 g7 i7"


@pytest.mark.parametrize("variant", BOARDS)
def test_every_path_leads_over_empty_points(variant: str) -> None:
    board = BOARDS[variant]
    record = random_game(variant, "S", 200)
    full = FullGame(variant, record.lineups, "S", Rules(max_plies=200))
    before = scene(full.view("*"), None)
    edges = board.roads | board.rails
    for move in record.moves:
        full.play(bare(move))
        after = scene(full.view("*"), before)
        path, occupied = after.last.path, {piece.point for piece in before.pieces}
        assert path[0] == after.last.start and path[-1] == after.last.target
        assert all(frozenset(step) in edges for step in pairwise(path))
        assert not occupied & set(path[1:-1])
        before = after


def test_story_is_equal_after_gaps_and_take_backs() -> None:
    record = random_game("siguo", "S", 40)

    def start() -> FullGame:
        return FullGame("siguo", record.lineups, "S", Rules(max_plies=40))

    whole = start()
    steps = Story("SN")
    for move in record.moves:
        steps.follow(whole)
        whole.play(bare(move))
    steps.follow(whole)
    at_once = Story("SN")
    at_once.follow(whole)
    assert list(steps.scenes) == list(at_once.scenes) and len(steps.scenes) == 41
    back = start()
    for move in record.moves[:10]:
        back.play(bare(move))
    at_once.follow(back)
    assert list(at_once.scenes) == steps.scenes[:11]


def test_story_tells_no_more_than_is_proven() -> None:
    record = random_game("siguo", "S", 120)
    full = FullGame("siguo", record.lineups, "S", Rules(max_plies=120))
    story, true_story = Story("S"), Story("*")
    seen, everything = story.follow(full), true_story.follow(full)
    for move in record.moves:
        full.play(bare(move))
        seen, everything = story.follow(full), true_story.follow(full)
        masks = full.view("S").masks
        for piece in (*seen.removed, seen.last.attacker, seen.last.defender):
            if piece is not None:
                assert len(piece.may) == int(masks[piece.piece]).bit_count()
                assert piece.letter == ("?" if len(piece.may) > 1 else piece.may)
    own = {piece.letter for piece in seen.removed if piece.seat == "S"}
    assert own and "?" not in own
    assert len(seen.removed) == len(everything.removed) == 100 - len(seen.pieces)
    assert not any(piece.letter == "?" for piece in everything.removed)
    # Each is in the tray of the enemy whose piece removed it, on every page alike.
    teams = {seat: team for team in ("SN", "EW") for seat in team}
    assert all(teams[piece.by] != teams[piece.seat] for piece in seen.removed)
    captors = [{piece.piece: piece.by for piece in one.removed} for one in (seen, everything)]
    assert captors[0] == captors[1] and len(set(captors[0].values())) > 2


@pytest.mark.parametrize("variant", BOARDS)
def test_back_of_a_hidden_piece_tells_proven_kinds_only(variant: str) -> None:
    record = random_game(variant, "S", 120)
    full = FullGame(variant, record.lineups, "S", Rules(max_plies=120))
    said = 0
    for move in record.moves:
        full.play(bare(move))
        seen, true_scene = junqi.scene(full.view("S")), junqi.scene(full.view("*"))
        letters, shown = ({str(piece.point): piece.letter for piece in one.pieces} for one in (true_scene, seen))
        for point, may in seen.proven.items():
            assert letters[point] in may and shown[point] == "?"
            assert len(may) <= 3 or "abcdefgh".startswith(may)
        said += len(seen.proven)
        assert true_scene.proven == {}
    assert said


LEGAL = {"3": {"4": "d6d7", "9": "d6e6"}, "5": {"6": "f6f7"}}
INFO = "info depth {} multipv {} score cp 5 wdl {} 100 200 nodes 3 pv {} a1a2"


def test_final_scene_shows_armies_that_fell_last() -> None:
    """
    W resigned long before the end     S resigns     N resigns: the game is over
    not shown                          shown         shown
    """
    lineups = dict.fromkeys(SIGUO.seats, lineup.DEFAULT)
    full, story = FullGame("siguo", lineups, "S", Rules()), Story("*")
    story.follow(full)
    for text, seats in (("g6g7", None), ("resign:W", "W"), ("l7k7", "E"), ("resign:S", "S"), ("resign:N", "N")):
        full.play(text, seats)
        story.follow(full)
    assert full.result is not None
    seats = [piece.seat for piece in final_pieces(story.scenes)]
    assert {seat: seats.count(seat) for seat in "SENW"} == {"S": 25, "E": 25, "N": 25, "W": 0}


def test_advice_has_the_chances_of_each_move() -> None:
    found = [(1, 1, 500, "d6d7"), (1, 2, 480, "f6f7"), (2, 1, 650, "f6f7"), (2, 2, 600, "d6d7"), (2, 3, 100, "z9z9")]
    reports = [read_info(INFO.format(*numbers).encode()) for numbers in found]
    assert advice("f6f7", LEGAL, reports) == [AdvisedMove("f6f7", 5, 6, 0.65), AdvisedMove("d6d7", 3, 4, 0.6)]
    assert advice("z9z9", LEGAL, reports) == []


LUZHANQI = BOARDS["luzhanqi"]
HIDDEN = "3N?1/5/5/5/4N?/5/2N?2/2Sd2/5/4Sf/5/SjSl3 S SN S 0 0 c6:cdf"
OPEN = "3Nl1/5/5/5/4Nf/5/2Nd2/2Sd2/5/4Sf/5/SjSl3 S SN * 0 0"


def test_battle_with_a_hidden_piece_asks_how_it_ends() -> None:
    assert answer_of(LUZHANQI, HIDDEN, ["c5c6"]) == StudyOutcomes(["c5c6x", "c5c6o", "c5c6="])
    answer = answer_of(LUZHANQI, HIDDEN, [])
    assert parse_fen(LUZHANQI, answer.fen) is not None and answer.turn == "S"
    assert {piece.letter for piece in answer.pieces if piece.seat == "N"} == {"?"}
    won = answer_of(LUZHANQI, HIDDEN, ["c5c6x"])
    assert won.turn == "N" and len(won.pieces) == 6
    # With all pieces known the outcome follows.
    assert answer_of(LUZHANQI, OPEN, ["c5c6"]).moves == ["c5c6="]


@pytest.mark.parametrize(
    ("fen", "moves", "said"),
    [
        ("rubbish", [], "a FEN has 6 or 7 fields"),
        (HIDDEN.replace(" S SN", " X SN"), [], "field turn"),
        (HIDDEN, ["a1a2"], "a1a2"),
        (HIDDEN, ["zzz"], "'zzz' is not a move"),
    ],
)
def test_invalid_position_is_refused_in_one_line(fen: str, moves: list[str], said: str) -> None:
    with pytest.raises(Refused, match=said) as refusal:
        answer_of(LUZHANQI, fen, moves)
    assert "\n" not in str(refusal.value)


def test_gallery_is_legal_and_no_two_are_alike() -> None:
    for letters in GALLERY.values():
        lineup.check(letters)
    assert len({*GALLERY.values(), *map(lineup.mirror, GALLERY.values())}) == 2 * len(GALLERY)


@pytest.mark.parametrize(("level", "style"), sorted({one for levels in OF_LEVELS.values() for one in levels.items()}))
def test_level_varies_line_ups_of_its_style(level: str, style: str) -> None:
    rng = random.Random(level)
    found = {draw(rng, style) for _ in range(60)}
    for letters in found:
        lineup.check(letters)
    assert level in LEVELS and len(found) > 50
    assert {letters.index("l") for letters in found} == {21, 23}, "the style does not tell where the flag is"
    sides = {letters.index("a") for letters in found}
    assert len(sides) == (1 if style in SIDED else 2)


@pytest.mark.parametrize(
    "damage",
    [
        lambda line: line[:100],
        lambda line: line.replace('"siguo"', '"chess"'),
        lambda line: line.replace('"moves":["', '"moves":["g6g9","'),
        lambda line: re.sub('"moves":\\["[^"]*"', '"moves":["pass:N"', line),
        lambda line: line.replace('"result":"draw"', '"result":"SN"'),
        lambda line: "[" * 100_000,
    ],
)
def test_damaged_or_false_record_is_refused(damage: Callable[[str], str]) -> None:
    line = random_game().as_line()
    read = read_game(line)
    assert read.ending == Ending.MAX_PLIES and read.rules["version"] == 1, "a record without a version is of the first"
    with pytest.raises(Refused):
        read_game(damage(line))
