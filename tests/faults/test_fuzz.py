"""Hostile input for everything that reads text, as damaged samples and under libFuzzer (docs/testing.md)."""

from collections.abc import Callable

import pytest

from junqi_engine.errors import JunqiError
from junqi_engine.notation.fen import start_view
from junqi_engine.notation.moves import parse_move
from junqi_engine.rules.board import SIGUO
from junqi_referee.exits import RefereeError
from junqi_referee.records.game_record import parse_record
from junqi_referee.records.replay import verify
from junqi_referee.settings.readers import read_tables
from junqi_referee.settings.settings import MatchSettings
from tests.helpers.marking import long_after, seeds
from tests.helpers.proof.fuzz_samples import records
from tests.helpers.proof.fuzz_targets import NAMES, run, targets

EXAMPLES = 100
"""Inputs for each target and seed."""


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", long_after(1, range(2 * len(seeds(1)))))
def test_hostile_input_is_refused_or_understood(name: str, seed: int) -> None:
    run(name, seed, EXAMPLES)


def test_the_samples_of_every_target_are_good() -> None:
    assert tuple(sorted(targets())) == tuple(sorted(NAMES))
    for target in targets().values():
        for sample in target.samples:
            target.check(sample)


NEST = "[" * 100_000
REFEREE_FILES = [
    (lambda: parse_record(f'{NEST}\n{{"game":1}}\n'.encode(), "r"), "record r, line 1: nested too deeply"),
    (lambda: read_tables(f"a = {NEST[:50_000]}".encode(), "t"), "t: invalid TOML: nested too deeply"),
    (lambda: read_tables(b"a." * 30_000 + b"a = 1", "t"), "t, line 1: more than 100 dots"),
    (lambda: read_tables(b"\n[[" + b"a." * 30_000 + b"a]]", "t"), "t, line 2: more than 100 dots"),
    (lambda: read_tables(b"a = 1\n" * 20_000, "t"), "t: more than 65536 bytes"),
    (lambda: read_tables(b"a = 0x" + b"f" * 5000, "t"), "t: invalid TOML: an integer of more than 64 bits"),
    (lambda: read_tables(b"a = [[{ b = 9_223_372_036_854_775_808 }]]", "t"), "t: invalid TOML: an integer of more"),
    (
        lambda: read_tables(b"a = [" + (b"{" + b".".join([b"a"] * 90) + b" = [\n") * 4 + b"]}" * 4 + b"]", "t"),
        "t: invalid TOML: nested too deeply",
    ),
    (lambda: read_tables(b"a = " + b"9" * 5000, "t"), "t: invalid TOML: Exceeds the limit (4300 digits) for integer"),
    (
        lambda: MatchSettings.read({"match": {"variant": "a\nb"}}, "t"),
        r"t, match: variant=a\nb is not one of siguo, luzhanqi",
    ),
    (lambda: MatchSettings.read({"x" * 9000: 1}, "t"), f"t: unknown key '{'x' * 1400}"),
]


@pytest.mark.parametrize(("read", "text"), REFEREE_FILES)
def test_faults_that_the_fuzzer_found_are_reported_in_one_line(read: Callable[[], object], text: str) -> None:
    with pytest.raises(RefereeError) as refusal:
        read()
    assert str(refusal.value).startswith(text)


def test_an_endless_recorded_move_is_quoted_in_part() -> None:
    (game,), _ = parse_record(records()[0], "r")
    game.moves[0] += "!" + "[" * 5000
    fault = verify(game)
    assert fault is not None and fault.startswith(f"move 1: {game.moves[0][:20]}")
    assert len(fault) < 2000


LONG_WORDS = [
    f"fen A=B/#.#/... goal .../.../A.. gates {'[' * 3000}",
    f"fen A=B/#.#/... goal .../.../A.. gates a{'0' * 3000}1",
    f"startpos moves G{'lr' * 3000}",
    f"startpos moves {'G' * 3000}",
]


@pytest.mark.parametrize("words", LONG_WORDS, ids=lambda words: words[-3:])
def test_an_endless_word_is_quoted_in_part(words: str) -> None:
    check = targets()["position-klotski"].check
    check(words.encode())


def test_a_move_that_is_refused_late_changes_no_knowledge() -> None:
    """The view noted what the move proves before it found the outcome impossible."""
    view = start_view(SIGUO, viewer="S")
    view.observe(parse_move(SIGUO, "g6g7"))
    with pytest.raises(JunqiError):
        view.observe(parse_move(SIGUO, "l7l6x"))
    with pytest.raises(JunqiError):
        view.observe(parse_move(SIGUO, "l7k7=!q8"))
    assert not view.known["is_stale"]
