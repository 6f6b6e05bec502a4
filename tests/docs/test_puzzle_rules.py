"""docs/puzzle-rules.md: its conversations are correct, and its table has all tiles."""

import pytest

from junqi_puzzles.submarine.tiles import ATTACHMENTS
from tests.helpers.engine import Engine
from tests.helpers.pages import ROOT, code_in, tables
from tests.helpers.transcripts import check_transcript, transcripts

PAGE = ROOT / "docs/puzzle-rules.md"
TEXT = PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("text", transcripts(PAGE))
def test_conversation_is_as_shown(text: str, engine: Engine) -> None:
    check_transcript(text, engine)


def test_table_has_every_tile_with_its_parts() -> None:
    [table] = [table for table in tables(TEXT) if table[0][0] == "tile"]
    tiles = {tile: parts for _, written, parts in table[2:] for tile in code_in(written)}
    assert tiles.keys() == ATTACHMENTS.keys()
    for tile, rectangles in ATTACHMENTS.items():
        if tile[0] in "Tm":
            assert all(",".join(map(str, rectangle)) in tiles[tile] for rectangle in rectangles)
        elif tile[0] == "b":
            assert "{},{}".format(*rectangles[0][:2]) in tiles[tile] and rectangles[0][2:] == (3, 3)
