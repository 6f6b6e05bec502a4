"""The command line: words into settings, settings into work, whatever happens into an exit code."""

import argparse
import json
import os
import shlex
import signal
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from tools.referee.exits import ExitCode, RefereeError
from tools.referee.settings.settings import ENGINE_KEYS, Format, Lineups, Settings, Visibility, overlay, read_file

SETTING_FLAGS = {
    "variant": "the game, by default siguo",
    "visibility": f"{', '.join(Visibility)}; by default partner",
    "rounds": "how many pairs each two engines play",
    "concurrency": "how many games at a time",
    "seed": "draws the line-ups",
    "lineups": f"{', '.join(Lineups)}; by default book",
    "book": "a file of line-ups, by default the packaged one",
    "record": "the file that games are appended to",
    "log": "the folder for what engines write to stderr; by default RECORD.logs",
    "no-contact": "plies without a battle that end a game, 0 = never; by default the variant's own",
    "no-contact-result": "variant, draw or loss",
    "max-plies": "plies that end a game, 0 = never",
    "scheduler": "the address of a Dask scheduler, to play on its workers",
}
ENCODINGS = ("utf-8", "gb18030")
ENGINE_HELP = (
    "cmd=COMMAND name=NAME option.NAME=VALUE dir=FOLDER dialect=contest tc=MINUTES:SECONDS+INCREMENT st=SECONDS "
    "nodes=N depth=N margin=MS patience=SECONDS"
)


def run(arguments: Sequence[str]) -> int:
    """Do what the arguments say; the exit code."""
    from tools.referee.running.tournament import Interrupted

    # Ended from outside is ended from outside, whether by Ctrl-C or by a supervisor.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        parsed = _parser().parse_args(arguments)
        return int(parsed.work(parsed))
    except RefereeError as error:
        print(f"junqi-referee: {error}", file=sys.stderr)
        return error.code
    except (KeyboardInterrupt, Interrupted):
        print("junqi-referee: interrupted", file=sys.stderr)
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        # Whoever read stdout has gone; a second complaint at the end of the process would help nobody.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return ExitCode.INTERNAL


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise RefereeError(f"{message} (try {self.prog} --help)")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="junqi-referee", description="Matches, tournaments and regressions between engines.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)
    match = commands.add_parser("match", help="two engines against each other")
    tournament = commands.add_parser("tournament", help="more engines, a round robin or a gauntlet")
    regress = commands.add_parser("regress", help="play what a file says, and see whether its bounds hold")
    for command in (match, tournament):
        command.add_argument("file", nargs="?", metavar="FILE.toml", help="settings; the command line overrides them")
        command.add_argument("--engine", nargs="+", action="append", metavar="KEY=VALUE", help=ENGINE_HELP)
        command.add_argument("--each", nargs="+", metavar="KEY=VALUE", help="the same for all engines")
        command.add_argument("--sprt", nargs="+", metavar="KEY=VALUE", help="elo0= elo1= alpha= beta= model=")
        command.add_argument("--resign", nargs="+", metavar="KEY=VALUE", help="adjudicate: movecount= score=")
        command.add_argument("--draw", nargs="+", metavar="KEY=VALUE", help="adjudicate: movenumber= movecount= score=")
    tournament.add_argument("--format", choices=[str(format) for format in Format])
    regress.add_argument("file", metavar="FILE.toml")
    for command in (match, tournament, regress):
        for name, text in SETTING_FLAGS.items():
            command.add_argument(f"--{name}", help=text)
        command.add_argument("--resume", action="store_true", help="go on where the record ends")
        command.add_argument("--json", action="store_true", help="end with one JSON object on stdout")
    match.set_defaults(work=_match)
    tournament.set_defaults(work=_tournament)
    regress.set_defaults(work=_regress)

    replay = commands.add_parser("replay", help="show the games of a record")
    replay.add_argument("file", metavar="FILE")
    replay.add_argument("game", nargs="?", type=int, metavar="N", help="the game's number; without it a list of all")
    replay.add_argument("--view", metavar="SEATS", help="show only what these seats may see")
    replay.add_argument("--ply", type=int, metavar="K", help="the position after K plies, by default the last")
    replay.set_defaults(work=_replay)

    check = commands.add_parser("check", help="test an engine's conformity to the protocol")
    check.add_argument("engine", nargs="+", metavar="KEY=VALUE", help="cmd=COMMAND option.NAME=VALUE dir=FOLDER")
    check.add_argument("--variant", default="siguo")
    check.add_argument("--strict", action="store_true", help="hold it to the times of the protocol, not ten times that")
    check.add_argument("--json", action="store_true", help="end with one JSON object on stdout")
    check.set_defaults(work=_check)

    book = commands.add_parser("book", help="print a book of sensible line-ups")
    book.add_argument("--count", type=int, default=200)
    book.add_argument("--seed", type=int, default=1)
    book.set_defaults(work=_book)

    convert = commands.add_parser("convert", help="print a record as contest records, or contest records as a record")
    convert.add_argument("file", metavar="FILE")
    convert.add_argument("game", nargs="?", type=int, metavar="N", help="the game's number; without it all")
    convert.add_argument("--side", choices=("S", "N"), default="S", help="whose contest record it is, by default S")
    convert.add_argument(
        "--encoding", choices=ENCODINGS, default=ENCODINGS[0], help="of contest records that are written"
    )
    convert.set_defaults(work=_convert)

    lineup = commands.add_parser("lineup", help="print the line-ups of .jql files as a book, or write such a file")
    lineup.add_argument("lineups", nargs="+", metavar="FILE.jql|LETTERS")
    lineup.add_argument("--write", metavar="FILE.jql", help="write the one line-up that is given")
    lineup.add_argument("--mirror", action="store_true", help="exchange left and right")
    lineup.set_defaults(work=_lineup)
    return parser


def _match(parsed: argparse.Namespace) -> ExitCode:
    settings = _settings(parsed)
    if len(settings.engines) != 2:
        raise RefereeError(f"a match has two engines, there are {len(settings.engines)}; more play a tournament")
    return _play(parsed, settings, [])


def _tournament(parsed: argparse.Namespace) -> ExitCode:
    return _play(parsed, _settings(parsed), [])


def _regress(parsed: argparse.Namespace) -> ExitCode:
    from tools.referee.results.bounds import read_bounds

    settings = _settings(parsed)
    names = [engine.name for engine in settings.engines]
    return _play(parsed, settings, read_bounds(read_file(parsed.file), names, parsed.file))


def _settings(parsed: argparse.Namespace) -> Settings:
    """The settings of the file, if any, under those of the command line."""
    given: dict[str, Any] = {}
    match = {
        name: getattr(parsed, name.replace("-", "_")) for name in [*SETTING_FLAGS, "format"] if _given(parsed, name)
    }
    for name in ("sprt", "resign", "draw"):
        if _given(parsed, name):
            match[name] = _pairs(getattr(parsed, name), f"--{name}")
    if match:
        given["match"] = match
    if _given(parsed, "each"):
        given["each"] = _engine_table(parsed.each, "--each")
    if _given(parsed, "engine"):
        given["engine"] = [_engine_table(words, f"--engine {n}") for n, words in enumerate(parsed.engine, 1)]
    if parsed.resume and "record" not in match and parsed.file is None:
        raise RefereeError("--resume needs --record")
    if parsed.file is None:
        return Settings.read(given, "command line")
    return Settings.read(overlay(read_file(parsed.file), given), parsed.file)


def _given(parsed: argparse.Namespace, name: str) -> bool:
    return getattr(parsed, name.replace("-", "_"), None) is not None


def _pairs(words: Sequence[str], where: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            raise RefereeError(f"{where}: {word!r} is not of the form key=value")
        if key in pairs:
            raise RefereeError(f"{where}: {key} is given twice")
        pairs[key] = value
    return pairs


def _engine_table(words: Sequence[str], where: str) -> dict[str, Any]:
    """The words behind `--engine` as the table that a file would hold."""
    table: dict[str, Any] = {}
    for key, value in _pairs(words, where).items():
        if key.startswith("option."):
            table.setdefault("option", {})[key.removeprefix("option.")] = value
        elif key == "option" or key not in ENGINE_KEYS:
            known = ", ".join(sorted(ENGINE_KEYS - {"option"} | {"option.NAME"}))
            raise RefereeError(f"{where}: unknown key {key!r}; known are {known}")
        else:
            table[key] = value
    return table


def _play(parsed: argparse.Namespace, settings: Settings, bounds: Sequence[Any]) -> ExitCode:
    from tools.referee.results.report import as_json, summary
    from tools.referee.running.progress import progress_for
    from tools.referee.running.tournament import Interrupted, Tournament

    tournament = Tournament(settings)
    with progress_for() as progress:
        try:
            tournament.run(progress, parsed.resume)
        except Interrupted:
            progress.say(_how_to_go_on(settings, len(tournament.finished), len(tournament.schedule)))
            return ExitCode.INTERRUPTED
    verdicts = [
        verdict
        for bound in bounds
        for verdict in bound.verdicts(tournament.standings.between(bound.engine, bound.against))
    ]
    out = sys.stderr if parsed.json else sys.stdout
    print(summary(tournament.standings), file=out)
    for verdict in verdicts:
        print(f"{'holds ' if verdict.holds else 'FAILS '} {verdict.text}", file=out)
    if parsed.json:
        found = as_json(tournament.standings)
        if bounds:
            found["bounds"] = [{"holds": verdict.holds, "text": verdict.text} for verdict in verdicts]
        print(json.dumps(found, ensure_ascii=False))
    sys.stdout.flush()
    return ExitCode.DONE if all(verdict.holds for verdict in verdicts) else ExitCode.FAILED


def _how_to_go_on(settings: Settings, played: int, total: int) -> str:
    if settings.record is None:
        return f"interrupted after {played} of {total} games; without --record none of them is kept"
    words = [word for word in sys.argv[1:] if word != "--resume"]
    command = shlex.join(["junqi-referee", *words, "--resume"])
    return f"interrupted; {played} of {total} games are in {settings.record}; go on with:\n{command}"


def _replay(parsed: argparse.Namespace) -> ExitCode:
    from tools.referee.records.replay import listing, show

    if parsed.game is None:
        return listing(parsed.file)
    return show(parsed.file, parsed.game, parsed.view, parsed.ply)


def _check(parsed: argparse.Namespace) -> ExitCode:
    from tools.referee.check.runner import check

    table = _engine_table(parsed.engine, "check")
    return check(table, parsed.variant, parsed.strict, parsed.json)


def _book(parsed: argparse.Namespace) -> ExitCode:
    from tools.referee.schedule.book import make_book

    if not 1 <= parsed.count <= 100_000:
        raise RefereeError(f"book: --count {parsed.count} is not from 1 to 100000")
    print(make_book(parsed.count, parsed.seed), end="")
    sys.stdout.flush()
    return ExitCode.DONE


def _convert(parsed: argparse.Namespace) -> ExitCode:
    from tools.referee.records.contest_conversion import convert

    sys.stdout.buffer.write(convert(parsed.file, parsed.game, parsed.side, parsed.encoding))
    sys.stdout.flush()
    return ExitCode.DONE


def _lineup(parsed: argparse.Namespace) -> ExitCode:
    from tools.referee.schedule.book import named_lineups, write_jql

    found = named_lineups(parsed.lineups, parsed.mirror)
    if parsed.write is None:
        for letters, name in found:
            print(f"{letters} ; {name}" if name else letters)
        sys.stdout.flush()
    elif len(found) > 1:
        raise RefereeError(f"lineup: --write takes one line-up, there are {len(found)}")
    else:
        write_jql(parsed.write, found[0][0])
    return ExitCode.DONE
