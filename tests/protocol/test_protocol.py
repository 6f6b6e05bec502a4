"""Every command and every error code, in one real process that must keep running."""

import re
from collections.abc import Iterator

import pytest

from junqi_engine.information.belief.marginals import uniform_marginals
from junqi_engine.information.view import SeatView
from junqi_engine.players.search_player import SearchPlayer, mean_evaluation
from junqi_engine.players.versions import NEWEST
from junqi_engine.rules import lineup
from junqi_engine.rules.board import SIGUO
from junqi_engine.rules.pieces import LETTERS
from junqi_protocol.commands import parse_go
from tests.helpers.engine import Engine, errors

LINEUP = lineup.DEFAULT
OPEN = "position startpos viewer *"


@pytest.fixture(scope="module")
def shared() -> Iterator[Engine]:
    with Engine() as engine:
        engine.ask("uci")
        yield engine
        assert "internal" not in errors(engine.lines)


@pytest.fixture
def engine(shared: Engine) -> Engine:
    shared.ask("ucinewgame", "position startpos", "setoption name Player value 1.2")
    return shared


def ask(engine: Engine, *lines: str) -> list[str]:
    """The output for lines that are sent one by one, without `readyok`."""
    got = []
    for line in lines:
        engine.send(line)
        if line.startswith("go"):
            got += engine.lines_until("bestmove")
        elif line == "bench":
            got += engine.lines_until("info string bench nodes")
    return got + engine.ask()[:-1]


REJECTED = [
    ("Uci", "unknown-command 'Uci'"),
    ("list_commands", "unknown-command"),
    ("setoption Hash 3", "bad-argument"),
    ("setoption name Hash", "bad-argument"),
    ("setoption name Contempt value 3", "no-such-option"),
    ("setoption name Hash value many", "bad-number"),
    ("setoption name Hash value 99999999999999999999999999", "bad-number"),
    ("setoption name Hash value 0", "bad-value"),
    ("setoption name Player value 9.9", "bad-value"),
    ("setoption name Ponder value perhaps", "bad-value"),
    ("position", "bad-argument"),
    ("position endpos", "bad-argument"),
    ("position startpos sideways", "bad-argument position startpos: 'sideways' is not lineup, viewer or moves"),
    ("position startpos viewer", "bad-argument position startpos: 'viewer' needs a value after it"),
    ("position startpos viewer S viewer S", "bad-argument position startpos: 'viewer' is given twice"),
    ("position startpos viewer SE", "bad-position"),
    ("position startpos lineup S:abc", "bad-lineup"),
    (f"position startpos lineup X:{LINEUP}", "bad-lineup"),
    (f"position startpos lineup S:{LINEUP} S:{LINEUP}", "bad-lineup"),
    (f"position startpos lineup S:{LINEUP} viewer SN", "bad-lineup"),
    ("position startpos lineup viewer S", "bad-lineup"),
    ("belief z9", "bad-argument"),
    ("belief g7", "bad-argument"),
    ("belief l7 l8", "bad-argument"),
    ("export", "bad-argument"),
    ("export tour.npy", "not-supported"),
    ("go depth", "bad-number"),
    ("go depth 1.5", "bad-number"),
    ("go movetime 99999999999999999999", "bad-number"),
    ("go perft -1", "bad-number"),
    ("go perft 65", "bad-number"),
    ("go fast", "bad-argument"),
    ("go depth 3 depth 4", "bad-argument"),
    ("go perft 2 depth 3", "bad-argument"),
    ("go searchmoves", "bad-argument"),
    ("go setup Q", "bad-argument"),
    ("go searchmoves g6g7x", "bad-move"),
    ("go searchmoves" + " g6g7" * 20_000, "too-large"),
    ("go searchmoves g6g12", "illegal-move"),
    ("go perft 2", "needs-open"),
]
"""FENs and moves that are rejected are in test_notation.py, test_view.py and test_refusals.py, one of each code on the
page of the protocol.
"""


def test_rejected_line_gives_reason_and_changes_nothing(engine: Engine) -> None:
    before = ask(engine, "d"), ask(engine, "uci")
    for line, told in REJECTED:
        error, *rest = ask(engine, line)
        assert error.startswith(f"info string error {told}") and len(error.split()) > 4, error
        assert rest == ["bestmove (none)"] * line.startswith("go"), line[:40]
        assert (ask(engine, "d"), ask(engine, "uci")) == before, line[:40]


@pytest.mark.parametrize(("words", "taken"), [
    ("movetime -1", "go movetime: -1 is taken as 0"),
    ("movestogo -5 time -3", "go movestogo: -5 is taken as 0"),
    ("depth 100001", "go depth: 100001 is taken as 100000"),
])  # fmt: skip
def test_number_out_of_range_is_clamped_with_a_message(engine: Engine, words: str, taken: str) -> None:
    answer = ask(engine, OPEN, f"go {words}")
    assert answer.count(f"info string {taken}") == 1
    assert errors(answer) == [] and re.fullmatch(r"bestmove [a-q]\d+[a-q]\d+", answer[-1])


def test_clock_that_has_run_out_is_accepted(engine: Engine) -> None:
    assert not any("taken" in line for line in ask(engine, OPEN, "go wtime -100 btime -9999999999999"))


def test_go_without_move_brings_none(engine: Engine) -> None:
    answer = ask(engine, "position startpos viewer E", "go")
    assert (errors(answer), answer[-1]) == (["not-our-seat"], "bestmove (none)")
    assert errors(ask(engine, "legal")) == ["not-our-seat"]
    answer = ask(engine, "position startpos moves resign:E resign:W", "go")
    assert (errors(answer), answer[-1]) == (["game-over"], "bestmove (none)")
    assert "info string result SN wins" in ask(engine, "d")
    assert errors(ask(engine, "position startpos moves resign:E resign:W g6g7")) == ["game-over"]


@pytest.mark.parametrize(
    "line", ["joho debug on", "gameover win", "\tsetoption  name pLaYeR value 1.0 ", "# go", "", "\r"]
)
def test_valid_input_without_an_answer_prints_nothing(engine: Engine, line: str) -> None:
    assert ask(engine, line) == []


@pytest.mark.parametrize("words", ["mate 3", "mate", "mate 3 depth 1", "mate many depth 1", "depth 1 mate"])
def test_mate_limit_is_ignored(engine: Engine, words: str) -> None:
    answer = ask(engine, OPEN, f"go {words}")
    assert errors(answer) == [] and re.fullmatch(r"bestmove [a-q]\d+[a-q]\d+", answer[-1])


@pytest.mark.parametrize("limit", ["depth 0", "nodes 0", "movetime 0"])
def test_limit_of_zero_is_answered_immediately(engine: Engine, limit: str) -> None:
    assert ask(engine, f"setoption name Player value {NEWEST}", OPEN, f"go {limit}")[-1].startswith("bestmove ")


def test_drawn_seed_is_printed_once_and_repeats_the_game(engine: Engine) -> None:
    def play() -> list[str]:
        """Set up and move at random; the output without times."""
        lines = ask(engine, "setoption name Player value 1.0", "go setup S", "position startpos", "go", "go setup N")
        return [re.sub(r" time \d+", "", line) for line in lines]

    ask(engine, "setoption name Seed value -1")
    games = []
    for _ in range(2):
        ask(engine, "ucinewgame")
        games.append(play())
    seeds = [int(lines[0].removeprefix("info string seed ")) for lines in games]
    assert all("seed" not in line for lines in games for line in lines[1:])
    assert all(0 <= seed < 2**31 for seed in seeds)
    assert len(set(seeds)) == len({lines[1] for lines in games}) == 2
    for seed, lines in zip(seeds, games, strict=True):
        ask(engine, f"setoption name Seed value {seed}")
        assert play() == play() == lines[1:]
    ask(engine, "setoption name Seed value 0")


def test_seed_minus_one_draws_a_seed_immediately(engine: Engine) -> None:
    drawn = [ask(engine, "setoption name Seed value -1", "go setup")[0] for _ in range(3)]
    assert len(set(drawn)) == 3 and all(line.startswith("info string seed ") for line in drawn)
    ask(engine, "setoption name Seed value 0")


def test_belief_eval_bench_and_help_answer(engine: Engine) -> None:
    assert ask(engine, "belief j1") == ["info belief j1 l:1.00"]
    beliefs = [line for line in ask(engine, "belief") if line.startswith("info belief ")]
    assert len(beliefs) == 50
    assert all(re.fullmatch(r"info belief [a-q]\d+( [a-l]:[01]\.\d\d)+", line) for line in beliefs)
    assert any("cp for SN" in line for line in ask(engine, "eval"))
    bench = [re.fullmatch(r"info string bench nodes (\d+) nps \d+ signature ([0-9A-F]{16})", ask(engine, "bench")[-1])
             for _ in range(2)]  # fmt: skip
    assert bench[0] and bench[1] and bench[0].groups() == bench[1].groups()
    text = "\n".join(ask(engine, "help", "version"))
    assert all(word in text for word in ("ponderhit", "junqi-engine 0."))


@pytest.mark.parametrize("version", [NEWEST, "1.2"])
def test_eval_and_belief_use_the_chosen_player(engine: Engine, version: str) -> None:
    view, player = SeatView.start(SIGUO, 0b0101), SearchPlayer()
    value = mean_evaluation(view, player.evaluator, player.belief)
    assert value != mean_evaluation(view, player.evaluator, uniform_marginals)
    position = (f"setoption name Player value {version}", "position startpos viewer SN")
    assert f"eval {value} cp for SN, the team to move" in ask(engine, *position, "eval")[-1]
    [answer] = ask(engine, *position, "belief l11")
    told, own = {word[0]: float(word[2:]) for word in answer.split()[3:]}, player.belief(view)[1][0]
    assert told == {letter: round(float(own[kind]), 2) for kind, letter in enumerate(LETTERS) if letter in told}


def test_surplus_words_after_a_command_are_ignored(engine: Engine) -> None:
    position = ["setoption name Seed value 0", "position startpos viewer * moves g6g7"]
    for line in "uci ucinewgame stop ponderhit d legal moves eval help version".split():
        assert ask(engine, *position, f"{line} g6g7 x") == ask(engine, *position, line)


def test_questions_refer_to_the_last_position(engine: Engine) -> None:
    for _ in range(5):
        engine.send("go infinite", "position startpos moves g6g7", "d", "position startpos", "d")
        lines = engine.lines_until("bestmove") + engine.lines_until("info string S to move")
        assert "info string E to move" in lines


def test_rule_options_apply_to_the_position(engine: Engine) -> None:
    assert any(
        "result draw" in line
        for line in ask(engine, "setoption name MaxPlies value 1", "position startpos moves g6g7", "d")
    )
    assert not any("result" in line for line in ask(engine, "setoption name MaxPlies value 0", "d"))
    ask(engine, "setoption name NoContactLimit value 2")
    answer = ask(engine, "position startpos moves g6g7 l7k7", "d")
    assert "info string result draw" in answer
    answer = ask(engine, "setoption name NoContactLimit value 0", "d")
    assert "info string N to move" in answer
    ask(engine, "setoption name NoContactLimit value 1")
    assert errors(ask(engine, "position startpos moves g6g7 l7k7")) == ["game-over"]
    ask(engine, "setoption name NoContactLimit value -1")


def test_position_needs_a_start_after_a_rule_option_too(engine: Engine) -> None:
    before = ask(engine, "setoption name MaxPlies value 100", "d")
    for position in ("position", "position moves g6g7"):
        assert errors(ask(engine, position)) == ["bad-argument"]
        assert ask(engine, "d") == before
    engine.ask("setoption name MaxPlies value 0")


def test_info_has_the_event_and_the_path(engine: Engine) -> None:
    fen = "6Eg10/17/17/17/17/17/17/16El/16Ej/16Ej/6Sh10/6Sg10/17/17/17/17/7Sl9 S SE * 0 0"
    answer = ask(engine, "setoption name Seed value 0", f"position fen {fen}", "go")
    assert answer[0] == "info string event flag path g7 p7 p10 q10"
    assert answer[-1] == "bestmove g7p7"


# The grammar alone


def test_go_arguments_are_parsed() -> None:
    words = b" wtime 1000 btime 900 winc 10 binc 9 movestogo 4 searchmoves g6g7 g6g9 depth 3"
    request = parse_go(words)
    assert (request.clocks_ms, request.increments_ms, request.movestogo) == ((1000, 900), (10, 9), 4)
    assert (request.searchmoves, request.depth) == (("g6g7", "g6g9"), 3)
    assert parse_go(b" depth 3").depth == 3
