"""Matches: pairs, seats, line-ups, openings, positions of engines, standings, SPRT, replay, logs."""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import junqi_engine as junqi
from junqi_engine.api.game_record import GameRecord
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.options import Rules
from junqi_referee.cli import run
from junqi_referee.endings import Ending
from junqi_referee.exit_codes import ExitCode, RefereeError
from junqi_referee.full_game import FullGame
from junqi_referee.playing.openings import read_openings
from junqi_referee.playing.standings import Standings, as_json, crosstable
from junqi_referee.records.replay import verify
from junqi_referee.settings.schedule import Book, Schedule
from junqi_referee.sprt import Sprt, SprtVerdict
from tests.helpers.marking import long_after
from tests.helpers.referee import NO_START, PROTOCOL, ROOT, SCRIPTS, play, scripted, settings


def schedule(rounds: int = 8, **match) -> Schedule:
    return Schedule(settings(*SCRIPTS, rounds=rounds, **match), Book.read(None))


@pytest.mark.parametrize("variant", BOARDS)
def test_pairs_swap_teams_and_keep_lineups(variant):
    plans = list(schedule(variant=variant))
    assert [plan.game for plan in plans] == list(range(1, 17))
    for one, other in zip(plans[::2], plans[1::2], strict=True):
        assert one.lineups == other.lineups
        assert one.teams == other.teams[::-1]
        assert one.first == other.first
        assert (one.other, other.other) == (other.game, one.game)
    assert "".join(plan.first for plan in plans[::2]) == (BOARDS[variant].seats * 4)[:8]
    assert len({plan.lineups for plan in plans}) == 8


def test_lineups_depend_on_the_seed_alone():
    assert list(schedule(seed=4)) == list(schedule(seed=4))
    assert [plan.lineups for plan in schedule(seed=4)] != [plan.lineups for plan in schedule(seed=5)]
    longer = list(schedule(seed=4, rounds=20))
    assert longer[:16] == list(schedule(seed=4))


def test_challengers_share_seeds_unknown_to_the_opponent():
    engines = [{"name": name, "cmd": "x"} for name in ("third", "new", "old")]
    gauntlet, round_robin = (
        list(Schedule(settings(*engines, rounds=3, format=format), Book.read(None)))
        for format in ("gauntlet", "round-robin")
    )
    for new, old in zip(gauntlet[::4], gauntlet[2::4], strict=True):
        assert (new.pairing, old.pairing) == ((0, 1), (0, 2))
        assert (new.lineups, new.first, new.seed_of(0)) == (old.lineups, old.first, old.seed_of(0))
        assert new.seed_of(1) == old.seed_of(2)
    assert len({plan.seed_of(engine) for plan in gauntlet for engine in (0, 1)}) == 6
    assert len({plan.seed_of(engine) for plan in round_robin for engine in plan.pairing}) == 9


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_players_get_only_their_own_lineups(board):
    lineups = dict(next(iter(schedule(variant=board.variant))).lineups)
    for first in board.seats:
        full = FullGame(board.variant, lineups, first, Rules.of(board))
        for viewer in (*board.teams, *board.seats, "*"):
            hidden = "" if viewer == "*" else set(board.seats) - set(viewer)
            line = full.position_line(viewer)
            assert all(lineups[seat] not in line for seat in hidden)
            assert all((f"{seat}?" in line) or first == "S" for seat in hidden)
            assert f" viewer {viewer}" in line or f" {board.seats} {viewer} 0 0" in line


@pytest.mark.parametrize(
    ("variant", "visibility", "lineups"),
    [
        ("siguo", "dark", "book"),
        ("siguo", "open", "random"),
        ("luzhanqi", "partner", "random"),
        ("luzhanqi", "dark", "engine"),
    ],
)
def test_every_visibility_and_source_of_lineups_is_played(variant, visibility, lineups):
    board = BOARDS[variant]
    match = {"visibility": visibility, "lineups": lineups, "variant": board.variant}
    tournament, _ = play(settings(*SCRIPTS, rounds=4, concurrency=2, **match))
    games = list(tournament.finished.values())
    assert [game.ending for game in games] == [Ending.NO_CONTACT] * 8
    assert {game.first for game in games} == set(board.seats)
    plies = Rules.of(board).no_contact
    for game in games:
        assert set(game.engines) == set(board.seats if visibility == "dark" else board.teams)
        assert len(game.moves) == len(game.times_ms) == len(game.scores) == plies
        assert game.scores[0] == "cp 0"
        assert verify(game) is None


def test_engine_lineups_change_by_pair_and_follow_the_seed():
    """An engine whose line-ups depend on its `Seed` alone would otherwise play the same game again and again."""
    each = {"cmd": scripted("lineup_by_seed"), "nodes": 1}
    match = {"lineups": "engine", "variant": "luzhanqi", "max_plies": 2, "rounds": 2, "seed": 7}

    def lineups(**one: dict[str, int]) -> list[dict[str, str]]:
        tournament, _ = play(settings({"name": "one", **one}, {"name": "other"}, each=each, **match))
        return [tournament.finished[game].lineups for game in (1, 2, 3, 4)]

    drawn, again, with_seed = lineups(), lineups(), lineups(option={"Seed": 5})
    assert drawn == again and drawn[0] != drawn[2]
    assert len({letters for pair in drawn for letters in pair.values()}) == 4
    for first, second in (drawn[:2], drawn[2:]):
        assert (first["S"], first["N"]) == (second["N"], second["S"])
    assert len({with_seed[0]["S"], with_seed[1]["N"], with_seed[2]["S"], with_seed[3]["N"]}) == 1


@pytest.mark.long
@pytest.mark.parametrize("board", long_after(1, BOARDS.values()), ids=BOARDS)
def test_real_players_finish_their_games(tmp_path, capsys, board):
    """Complete games of 1.2 and 1.0, with eliminated seats; the record replays to the same result."""
    path = tmp_path / "games.jsonl"
    words = ["match", "--variant", board.variant]
    words += ["--engine", "name=new", "option.Player=1.2", "--engine", "name=old", "option.Player=1.0"]
    words += ["--each", f"cmd={' '.join(PROTOCOL)}", f"dir={ROOT}", "nodes=100", "--rounds", "1", "--concurrency", "2"]
    assert run([*words, "--record", str(path), "--json"]) == ExitCode.DONE
    found = json.loads(capsys.readouterr().out)
    assert (found["games"], found["pairings"][0]["pairs"]) == (2, 1)
    assert found["engines"] == ["new", "old"]
    assert sum(found["endings"].values()) == 2
    assert run(["replay", str(path)]) == ExitCode.DONE
    assert "WRONG" not in capsys.readouterr().out
    assert run(["replay", str(path), "1", "--view", board.teams[0]]) == ExitCode.DONE
    shown = capsys.readouterr().out
    game = GameRecord.from_line(path.read_text().splitlines()[0])
    assert f"lineup S:{game.lineups['S']}" in shown
    assert game.lineups[board.seats[1]] not in shown
    assert run([*words, "--record", str(path), "--resume", "--json"]) == ExitCode.DONE
    assert json.loads(capsys.readouterr().out) == found


def test_replay_reports_illegal_records(tmp_path, capsys):
    path = tmp_path / "games.jsonl"
    play(settings(*SCRIPTS, rounds=1, record=str(path)))
    first, second = path.read_text().splitlines(keepends=True)
    path.write_text(first.replace('"g6h5"', '"g6h5x"', 1) + second.replace("no-contact", "flag"))
    assert run(["replay", str(path)]) == ExitCode.FAILED
    shown = capsys.readouterr().out
    assert "move 1: g6h5x is recorded, g6h5 was played" in shown
    assert "draw by flag is recorded, draw by no-contact was played" in shown
    assert run(["replay", str(path), "1"]) == ExitCode.FAILED
    assert run(["replay", str(path), "9"]) == ExitCode.FAILED
    assert run(["replay", str(path), "2", "--view", "SE"]) == ExitCode.USAGE
    assert run(["replay", str(path), "2", "--ply", "72"]) == ExitCode.USAGE
    assert run(["replay", str(path), "2", "--ply", "3", "--view", "W"]) == ExitCode.DONE
    assert "71 " not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("fault", "gone"),
    [
        ({"result": "SN", "ending": Ending.RESIGNED, "moves": ["resign:E", "resign:W"]}, None),
        ({"result": "SN", "ending": Ending.FLAG, "moves": ["resign:E", "resign:W"]}, "resigned was played"),
        ({"result": "SN", "ending": Ending.RESIGNED, "moves": ["resign:E"]}, "not over"),
        ({"result": "SN", "ending": Ending.TIMEOUT, "moves": ["resign:E"]}, None),
        ({"result": "SN", "ending": Ending.TIMEOUT, "moves": ["resign:E", "resign:W"]}, None),
        ({"result": "EW", "ending": Ending.TIMEOUT, "moves": ["resign:E", "resign:W"]}, "SN by resigned was played"),
        ({"result": "draw", "ending": Ending.AGREED, "moves": ["resign:E"]}, None),
        ({"result": "draw", "ending": Ending.AGREED, "moves": ["resign:E", "resign:W"]}, "resigned was played"),
    ],
)
def test_resignations_are_verified(fault, gone):
    plan = next(iter(schedule()))
    rules = {"no_contact": 70, "no_contact_loses": False, "max_plies": 0}
    blank = {"times_ms": [], "scores": [], "detail": "", "engines": {}, "seed": 0}
    game = GameRecord(
        **{"game": 1, "variant": "siguo", "visibility": "partner", "rules": rules, "first": "S", **blank, **fault},
        lineups=dict(plan.lineups),
    )
    found = verify(game)
    assert (found is None) if gone is None else gone in found


def standings_of(
    results: list[tuple[str, str]],
    sprt: Sprt | None = None,
    order: Callable[[int], int] = lambda game: game,
    failed: int = 0,
) -> Standings:
    """Standings of a match from the results of pairs of games, which end in the given order of their numbers."""
    by_game = dict(enumerate((game for pair in results for game in pair), 1))
    standings = Standings(["one", "other"], [(0, 1)], sprt)
    for plan in sorted(schedule(rounds=len(results)), key=lambda plan: order(plan.game)):
        if plan.game == failed:
            standings.pass_over(failed)
        else:
            standings.add(plan, by_game[plan.game], Ending.FLAG, ("SN", "EW"))
    return standings


def test_pentanomial_counts_pairs_by_points():
    pairs = [("SN", "EW"), ("SN", "SN"), ("draw", "draw"), ("draw", "SN"), ("EW", "SN"), ("SN", "draw")]
    standings = standings_of(pairs)
    found = standings.between("one", "other")
    assert found.pentanomial == [1, 1, 2, 1, 1]
    assert (found.wins, found.losses, found.draws) == (4, 4, 4)
    assert standings.between("other", "one").pentanomial == [1, 1, 2, 1, 1]


def test_sprt_counts_pairs_by_number():
    sprt = Sprt(0, 200)
    forward, shuffled = (
        standings_of([("SN", "EW")] * 30, sprt, order) for order in (lambda game: game, lambda game: game % 7)
    )
    assert forward.test.verdict == shuffled.test.verdict == SprtVerdict.H1
    assert forward.games == shuffled.games < 60
    assert forward.test.llr == shuffled.test.llr >= sprt.upper


def test_failed_game_does_not_block_sprt():
    results = [("SN", "EW")] * 100
    whole = standings_of(results, Sprt(0, 200))
    for failed in (3, 4):
        standings = standings_of(results, Sprt(0, 200), failed=failed)
        assert (standings.test.verdict, standings.games) == (SprtVerdict.H1, whole.games)


def test_crosstable_and_json_have_all_pairings():
    engines = [{"name": name, "cmd": scripted(script)} for name, script in
               (("a", "script"), ("b", "illegal_move"), ("c", "script"))]  # fmt: skip
    tournament, _ = play(settings(*engines, rounds=1, max_plies=8))
    lines = crosstable(tournament.standings).splitlines()
    assert lines[0].split() == ["engine", "games", "points", "score", "Elo", "+/-", "a", "c", "b"]
    assert lines[1].split() == ["1", "a", "4", "3", "75.0%", "190.85", "-", "0-0-2", "2-0-0"]
    assert lines[3].split()[:4] == ["3", "b", "4", "0"]
    found = as_json(tournament.standings)
    assert found["games"] == 6
    assert [entry["engines"] for entry in found["pairings"]] == [["a", "b"], ["a", "c"], ["b", "c"]]
    assert found["endings"] == {"illegal-move": 4, "max-plies": 2}


def test_stderr_goes_to_a_log(tmp_path):
    noisy = [sys.executable, "-S", "-c", "import sys; print('ouch', file=sys.stderr); import time; time.sleep(9)"]
    engines = ({"name": "one", "cmd": scripted("script")}, {"name": "dead/engine", "cmd": scripted("dies_on_go")})
    path = tmp_path / "games.jsonl"
    play(settings(*engines, rounds=1, record=str(path)))
    assert not (tmp_path / "games.jsonl.logs").exists()
    engines = ({"name": "one", "cmd": scripted("script")}, {"name": "loud/engine", "cmd": noisy})
    with pytest.raises(RefereeError, match="no uciok"):
        play(settings(*engines, rounds=1, log=str(tmp_path / "logs")), NO_START)
    assert [log.name for log in (tmp_path / "logs").iterdir()] == ["loud_engine-1-0.log"]
    assert (tmp_path / "logs" / "loud_engine-1-0.log").read_text() == "ouch\n"


# Openings

FEN = "1Nl3/Sc1Nh2/5/5/5/5/Na4/Sa4/5/5/5/3Sl1 S SN * 0 0"


def written(path: Path, *lines: str) -> str:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


def records(path: Path) -> list[dict[str, Any]]:
    return sorted(map(json.loads, path.read_text(encoding="utf-8").splitlines()), key=lambda game: game["game"])


@pytest.mark.parametrize("variant", BOARDS)
def test_packaged_openings_are_legal(variant: str) -> None:
    openings = read_openings("balanced", variant, 0, Rules.of(BOARDS[variant]))
    assert len(openings) == len(set(openings)) == 200
    assert all(opening.moves and not opening.fen for opening in openings)


def test_each_opening_is_played_twice_with_the_teams_exchanged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Records have depths, nodes and date; commands that need line-ups refuse games from a FEN."""
    game = junqi.Game("luzhanqi", seed=1)
    for _ in range(10):
        game.push(game.legal_moves[-1])
    lineups = " ".join(f"{seat}:{lineup}" for seat, lineup in game.lineups.items())
    lines = [f"{FEN} moves a5a6", f"startpos lineup {lineups} viewer * moves {' '.join(game.move_stack)}  # as played"]
    openings = written(tmp_path / "openings.txt", "# two", *lines)
    record = tmp_path / "games.jsonl"
    engines = ({"name": name, "cmd": PROTOCOL} for name in ("one", "other"))
    match = {"variant": "luzhanqi", "rounds": 2, "max_plies": 20, "each": {"nodes": 50}}
    play(settings(*engines, **match, openings=openings, record=str(record)))
    games = records(record)
    for one, other in zip(games[::2], games[1::2], strict=True):
        assert [one["engines"][seat]["name"] for seat in "SN"] == [other["engines"][seat]["name"] for seat in "NS"]
        assert all(one.get(key) == other.get(key) for key in ("lineups", "first", "fen"))
    for entry in games:
        begun = ["a5a6=!d1!b12"] if "fen" in entry else game.move_stack
        assert entry["moves"][: len(begun)] == begun and entry["times_ms"][: len(begun)] == [0] * len(begun)
        assert verify(GameRecord.from_line(json.dumps(entry))) is None
        assert junqi.Game.from_record(entry).result == entry["result"]
        assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", entry["date"])
        assert len(entry["depths"]) == len(entry["nodes"]) == len(entry["moves"])
        assert all(isinstance(number, int) and number > 0 for number in entry["nodes"][len(begun) :])
    assert {entry.get("fen") for entry in games} == {None, FEN}
    assert run(["replay", str(record)]) == ExitCode.DONE


def test_match_from_openings_of_a_record_resumes(tmp_path: Path) -> None:
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    play(settings(*SCRIPTS, rounds=2, max_plies=12, record=str(first)))
    chosen = settings(*SCRIPTS, rounds=2, max_plies=20, openings=str(first), opening_ply=8, record=str(second))
    play(chosen)
    whole = records(second)
    assert all(game["moves"][:8] in [begun["moves"][:8] for begun in records(first)] for game in whole)
    second.write_text("".join(second.read_text().splitlines(keepends=True)[:2]))
    play(chosen, resume=True)
    assert [game["moves"] for game in records(second)] == [game["moves"] for game in whole]


# Records and transcripts of matches


def test_old_records_are_read() -> None:
    """Records of version 0.1 have no depths, nodes, date, event and fen."""
    old = {
        "game": 1, "variant": "luzhanqi", "visibility": "partner", "engines": {"S": {"name": "a"}, "N": {"name": "b"}},
        "seed": 1, "rules": {}, "lineups": dict.fromkeys("SN", "cbfahdehgegidcfkjkijgjhli"), "first": "S",
        "moves": ["a6b5"], "times_ms": [3], "scores": [None], "result": "S", "ending": "resigned", "detail": "",
    }  # fmt: skip
    game = GameRecord.from_line(json.dumps(old))
    assert (game.depths, game.date, game.event, game.fen) == ([], "", "", "")
    assert "depths" not in game.as_line() and "fen" not in game.as_line()
    with pytest.raises(ValueError, match="there are 1 moves, but 2 depths"):
        GameRecord.from_line(json.dumps({**old, "depths": [1, 2]}))


def test_transcripts_have_every_line_with_time(tmp_path: Path) -> None:
    folder = tmp_path / "lines"
    play(settings(*SCRIPTS, max_plies=4, transcript=str(folder)))
    assert sorted(path.name for path in folder.iterdir()) == ["one-1-0.log", "other-1-0.log"]
    lines = (folder / "one-1-0.log").read_text(encoding="utf-8").splitlines()
    assert all(re.match(r"\d\d:\d\d:\d\d\.\d{6} [<>] ", line) for line in lines)
    said = [line[16:] for line in lines]
    assert said[0] == "> uci" and "< uciok" in said and said[-1] == "> quit"
    assert said.count("> go nodes 1") == 4 == sum(line.startswith("< bestmove") for line in said)
