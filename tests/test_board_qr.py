"""QR codes of invitations: read back by an independent reader that accepts no wrong codeword."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.references import qr_reader
from tools.board.errors import RequestError
from tools.board.qr_code import MAX_BYTES, qr_code

ADDRESS = "http://192.168.178.123:54321/#Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4"


@pytest.mark.parametrize("length", [0, 1, 17, 18, 32, 33, 53, 54, 78, 79, MAX_BYTES])
def test_every_version_is_read_back(length: int) -> None:
    text = (ADDRESS * 2)[:length]
    rows = qr_code(text)
    assert len(rows) in (21, 25, 29, 33, 37) and {len(row) for row in rows} == {len(rows)}
    assert qr_reader.read(rows) == text


@settings(max_examples=25, deadline=None)
@given(st.text(st.characters(min_codepoint=33, max_codepoint=0x4FF), max_size=50))
def test_any_short_text_is_read_back(text: str) -> None:
    assert qr_reader.read(qr_code(text)) == text


def test_a_wrong_module_is_noticed() -> None:
    rows = qr_code(ADDRESS)
    broken = [rows[0], *rows[1:-1], ("1" if rows[-1][-1] == "0" else "0").join([rows[-1][:-1], ""])]
    with pytest.raises(AssertionError):
        qr_reader.read(broken)


def test_a_text_that_is_too_long_is_refused() -> None:
    with pytest.raises(RequestError, match="at most 106 bytes"):
        qr_code("x" * (MAX_BYTES + 1))
