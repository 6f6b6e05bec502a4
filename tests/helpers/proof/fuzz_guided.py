"""One target under libFuzzer, which looks for inputs that reach new code.

`python -m tests.helpers.proof.fuzz_guided TARGET WORD ...`; the words are libFuzzer's: options, folders of inputs. The
inputs of the target are added to the first folder. The process ends at the first input that makes the reader fail, or
when libFuzzer's time is over.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType

import atheris

from tests.helpers.proof.fuzz_samples import TROUBLE
from tests.helpers.proof.fuzz_targets import attempt, targets

PACKAGES = ("junqi_", "tomllib.")
"""Whose Python code is observed. Kernels are not: their code is the machine's."""
LONGEST_WORD = 64
"""libFuzzer's limit for a word of its dictionary."""


def functions() -> Iterator[FunctionType]:
    """The functions and methods of the modules that have been imported."""
    for name, module in list(sys.modules.items()):
        if name.startswith(PACKAGES):
            scopes = [vars(module), *(vars(each) for each in vars(module).values() if isinstance(each, type))]
            for found in [getattr(each, "__func__", each) for scope in scopes for each in scope.values()]:
                if isinstance(found, FunctionType) and found.__module__ == name:
                    yield found


def write_inputs(folder: Path, name: str) -> None:
    """Write the samples of a target, also with awkward texts that are too long for a dictionary, and a dictionary."""
    pieces = [each if isinstance(each, bytes) else each.encode() for each in TROUBLE]
    inputs = list(targets()[name].samples)
    inputs += [inputs[0] + piece for piece in pieces if len(piece) > LONGEST_WORD]
    for number, data in enumerate(inputs):
        (folder / f"sample-{number}").write_bytes(data)
    words = ["".join(f"\\x{byte:02x}" for byte in piece) for piece in pieces if len(piece) <= LONGEST_WORD]
    (folder.parent / f"{folder.name}.words").write_text("".join(f'"{word}"\n' for word in words))


def main() -> None:
    name, *words = sys.argv[1:]
    target = targets()[name]
    folder = Path(next(word for word in words if not word.startswith("-")))
    write_inputs(folder, name)
    for function in set(functions()):
        atheris.instrument_func(function)
    atheris.Setup([sys.argv[0], *words, f"-dict={folder}.words"], lambda data: attempt(target, data))
    atheris.Fuzz()
    os._exit(0)


if __name__ == "__main__":
    main()
