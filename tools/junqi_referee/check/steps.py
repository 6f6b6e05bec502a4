"""The steps of a check in their order. Each tests one sentence of the protocol; those with one title are one step."""

from collections.abc import Mapping
from typing import NamedTuple

from junqi_referee.check import expected
from junqi_referee.check.expected import Expected

END_OF_INPUT = "end of input"
"""In place of a line: the end of the input."""
GO = "go nodes 200"
"""A search that is short for any engine."""
GO_PATIENCE_S = 10.0


class Step(NamedTuple):
    """Lines that are sent, and the answer that must come.

    `sentence` begins with a section of docs/protocol.md; `[...]` stands for omitted words. `position` is `startpos`,
    with a viewer or without, the name of some games in positions.txt, each of whose positions is searched, or empty. It
    precedes each `go`. While a `go infinite` or `go ponder` runs, the lines after it are sent one by one. In a line,
    `{last}` is the last legal move, and a line with `{seat}` is sent for each seat.
    """

    level: str
    title: str
    sentence: str
    position: str
    lines: tuple[str, ...]
    expected: Expected


STEPS = (
    Step("plays", "uciok in time", "#times-and-guarantees: `uciok` within 0.1 s of the start of the process",
         "", ("uci",), expected.starts(0.1)),
    Step("plays", "identity and options",
         "#commands: `uci`: `id name`, `id author`, every option, `info string protocol-version 2`, `uciok`",
         "", ("uci",), expected.identity),
    Step("plays", "readyok",
         "#times-and-guarantees: `readyok` within 0.1 s, when every command before it is carried out",
         "", ("isready",), expected.heard("readyok", 1, 0.1)),
    Step("plays", "a game in partner visibility",
         "#plays: the engine keeps the board; it answers with a legal move of docs/rules.md or with `resign:SEAT`",
         "partner-games", (GO,), expected.legal_move),
    Step("plays", "a dark game", "#plays: in siguo the viewer is a team with two line-ups, in `dark` games a seat",
         "dark-games", (GO,), expected.legal_move),
    Step("plays", "a game with every suffix",
         "#plays: after `#` and `resign:` a seat has neither pieces nor turns; `!` shows a flag",
         "eventful-games", (GO,), expected.legal_move),
    Step("plays", "the ends of games",
         "#plays: it can tell its legal moves by docs/rules.md, in partner, `dark` and `open` games",
         "late-games", (GO,), expected.legal_move),
    Step("plays", "bestmove without a suffix", "#go: `bestmove` has no suffix, because only a referee knows it",
         "startpos viewer *", (GO,), expected.bare_moves()),
    Step("plays", "go depth", "#go: `go` + `depth N`", "startpos", ("go depth 1",), expected.bare_moves(1.0)),
    Step("plays", "movetime", "#go: `movetime MS`",
         "startpos", ("go movetime 200",), expected.one_bestmove(0.05, after_s=0.2)),
    Step("plays", "the teams' clocks", "#go: `wtime/winc` are the clock of South's team",
         "startpos", ("go wtime 400 btime 9000 winc 0 binc 0",), expected.bare_moves(0.4)),
    Step("plays", "the mover's clock", "#go: `time`, `inc`: the clock of the seat",
         "startpos", ("go time 400 inc 0",), expected.bare_moves(0.4)),
    Step("plays", "movestogo", "#go: `movestogo N`",
         "startpos", ("go wtime 400 btime 400 winc 0 binc 0 movestogo 1",), expected.bare_moves(0.4)),
    Step("plays", "a clock that has run out", "#go: clocks may be negative, which means 0: move at once",
         "startpos", ("go wtime 0 btime 0 winc 0 binc 0", "go time 0 inc 0"), expected.bare_moves(0.1)),
    Step("plays", "line-ups", "#go: `go setup [SEAT]`: `bestmove @<25 letters>`",
         "startpos", ("go setup {seat}",), expected.legal_lineups),
    Step("plays", "quit", "#commands: `quit`, end of input: [...] exits with status 0 within 1 s",
         "", ("quit",), expected.exits(0)),
    Step("analyses", "isready three times", "#commands: `readyok`: always",
         "", ("isready",) * 3, expected.heard("readyok", 3)),
    Step("analyses", "blank lines, comments, tabs and CR",
         "#lines: CRLF, tabs, blank lines and lines that begin with `#` are accepted",
         "", ("\r", "", "   ", "\t", "# a comment", "\tisready \t\r"), expected.heard("readyok", 1)),
    Step("analyses", "a comment with a command in it", "#lines: lines that begin with `#` are accepted",
         "", ("# go", "#quit"), expected.all_of(expected.no_answer, expected.heard("readyok", 0))),
    Step("analyses", "go without a limit", "#go: Without any limit, `go` searches for 1 s in Junqi",
         "startpos", ("go",), expected.bare_moves(1.1)),
    Step("analyses", "infinite, isready, stop",
         "#commands: During a search `readyok` comes within 0.1 s, and the search goes on",
         "startpos", ("go infinite", "isready", "stop"),
         expected.all_of(expected.heard("readyok", 1, 0.1), expected.one_bestmove(0.1))),
    Step("analyses", "ponder", "#go: `go ponder` searches until `ponderhit` or `stop`",
         "startpos", ("go ponder nodes 100", "ponderhit"), expected.one_bestmove(GO_PATIENCE_S)),
    Step("analyses", "ponder without limits", "#go: `go ponder` searches until `ponderhit` or `stop`",
         "startpos", ("go ponder", "ponderhit"), expected.one_bestmove(1.0)),
    Step("analyses", "ponderhit does not end an infinite search", "#go: `ponderhit`: as in UCI",
         "startpos", ("go infinite", "ponderhit", "stop"), expected.one_bestmove()),
    *(Step("analyses", "commands during a search",
           "#commands: `position`, `ucinewgame` and `go` stop a search without a limit (its `bestmove` is printed)",
           "startpos", ("go infinite", line), expected.bestmoves(count))
      for line, count in (("position startpos", 1), ("ucinewgame", 1), (GO, 2))),
    Step("analyses", "nonsense during a search", "#errors: A rejected command changes nothing",
         "startpos", ("go infinite", "xyzzy", "position_", "stop"), expected.one_bestmove()),
    Step("analyses", "searchmoves", "#go: `searchmoves M...`",
         "startpos viewer *", (f"{GO} searchmoves {{last}}",), expected.only_searchmove),
    *(Step("analyses", "chances after a score", "#info: `UCI_ShowWDL` (`wdl W D L` in permille in `info` lines)",
           "startpos", (f"setoption name UCI_ShowWDL value {value}", GO), expected.chances(total))
      for value, total in (("true", 1000), ("false", 0))),
    Step("analyses", "a go that is rejected",
         "#go: Every `go` gets exactly one `bestmove` (a rejected `go` gets `bestmove (none)`, [...])",
         "startpos", ("go depth banana", "go nodes x", "go depth", "go sideways"), expected.no_moves),
    Step("analyses", "a finished game", "#errors: Every `go` gets exactly one `bestmove` [...] `game-over`",
         "finished-games", (GO,), expected.legal_move),
    Step("analyses", "stop and ponderhit when idle", "#commands: `stop`, `ponderhit`: as in UCI; ignored when idle",
         "", ("stop", "ponderhit"), expected.no_answer),
    Step("analyses", "quit during a search",
         "#commands: `quit` [...] stops the search (its `bestmove` is printed) and exits with status 0 within 1 s",
         "startpos", ("go infinite", "quit"), expected.exits(0, 1)),
    Step("analyses", "end of input",
         "#commands: at the end of input a `go infinite` is answered as after `stop`; then exit with status 0 [...]",
         "startpos", ("go infinite", END_OF_INPUT), expected.exits(0, 1)),
)  # fmt: skip
"""A match depends on the steps of the level `plays`, a program that shows a search on those of `analyses` too."""
Titles = Mapping[str, tuple[Step, ...]]


def _by_title(*levels: str) -> Titles:
    titles = dict.fromkeys(step.title for step in STEPS if step.level in levels)
    return {title: tuple(step for step in STEPS if step.title == title) for title in titles}


LEVELS: dict[str, Titles] = {"plays": _by_title("plays"), "analyses": _by_title("plays", "analyses")}
"""The steps of each level by title, with those of the levels before it."""
