"""Executes a notebook without Jupyter: its code cells in order, in one namespace.

`python -m tests.helpers.notebook FILE` writes the results into the file, where tests/library/test_docs.py expects them.
"""

import ast
import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any


def code_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def run(notebook: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """The outputs of the code cells: what they print, and the value of the last expression as text and SVG."""
    names: dict[str, Any] = {}
    return [_run_cell("".join(cell["source"]), names, number) for number, cell in enumerate(code_cells(notebook), 1)]


def _run_cell(source: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    printed = io.StringIO()
    value = None
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), f"cell {number}", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": printed.getvalue().splitlines(True)})
    if value is not None:
        data = {"text/plain": repr(value).splitlines(True)}
        if hasattr(value, "_repr_svg_"):
            data["image/svg+xml"] = value._repr_svg_().splitlines(True)
        outputs.append({"output_type": "execute_result", "execution_count": number, "data": data, "metadata": {}})
    return outputs


def main() -> None:
    path = Path(sys.argv[1])
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for number, (cell, outputs) in enumerate(zip(code_cells(notebook), run(notebook), strict=True), 1):
        cell["execution_count"], cell["outputs"] = number, outputs
    path.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
