"""`python -m junqi_board.lessons`: write the data of the tutorial and of the boards for the page."""

import json
from pathlib import Path
from typing import Any

from junqi_board.lessons.scenes import boards, lessons

PAGE = Path(__file__).parent.parent / "page"


def files() -> dict[str, str]:
    """By the name of a file of the page, its text."""
    return {"boards.json": _text(boards()), "lessons.json": _text(lessons())}


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


def main() -> None:
    for name, text in files().items():
        (PAGE / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
