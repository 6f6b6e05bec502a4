"""A review as one HTML file that needs nothing else: the board's view of a recorded game, with its script and texts.

A program: stdin has pairs of a record's line and the table of its review, as JSON; stdout gets the file.
"""

import base64
import gzip
import json
import re
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from junqi_board.page_files import page_sources, script, texts_of
from junqi_board.views.replay import Steps, described
from junqi_engine.notation.moves import OPEN_VIEWER
from junqi_referee.records.game_record import GameRecord

HEAD = """  <meta http-equiv="Content-Security-Policy"
    content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:">
  <link rel="icon" href="data:,">
  <style>{style}</style>
  <script id="data" type="application/json">{data}</script>
"""
OMITTED = ("lineups", "rules")
"""Parts of a review that the page does not show."""


def review_file(games: Iterable[tuple[GameRecord, Mapping[str, Any]]]) -> str:
    """The file for some games, each with the table of its review."""
    sources = page_sources()
    found = list(games)
    data = {
        "texts": texts_of(sources),
        "boards": list(json.loads(sources["boards.json"]).values()),
        "lines": [_title(number, record) for number, (record, _) in enumerate(found)],
        "games": [_packed(record, review) for record, review in found],
    }
    # Inside a script element, only `<` could end the element.
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    main = script(sources | {"socket.js": sources["file_socket.js"]}, "file_main.js")
    page = re.sub(r"  <(link|script)\b.*\n", "", sources["index.html"])
    begin, rest = page.split("</head>")
    body, end = rest.split("</body>")
    head = HEAD.format(style=sources["style.css"], data=text)
    return f'{begin}{head}</head>{body}<script type="module">\n{main}</script>\n</body>{end}'


def _title(number: int, record: GameRecord) -> str:
    """The line of a record as far as its title needs it; the number tells it from others."""
    names = {seats: {"name": engine.get("name", "")} for seats, engine in record.engines.items()}
    return json.dumps({"number": number, "game": record.game, "engines": names, "result": record.result})


def _packed(record: GameRecord, review: Mapping[str, Any]) -> str:
    """A game as everyone may see it afterwards, with all its scenes, which are much alike: compressed, in base64."""
    steps = Steps(record, OPEN_VIEWER)
    scenes = [steps.scene(ply) for ply in range(len(record.moves) + 1)]
    shown = {key: value for key, value in review.items() if key not in OMITTED}
    about = described(record) | {"eyes": [OPEN_VIEWER], "review": shown}
    data = json.dumps({"record": about, "scenes": scenes}).encode()
    return base64.b64encode(gzip.compress(data, mtime=0)).decode()


if __name__ == "__main__":
    sys.stdout.write(review_file((GameRecord.from_line(line), table) for line, table in json.load(sys.stdin)))
