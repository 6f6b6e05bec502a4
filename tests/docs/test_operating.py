"""The page for operators: its Dockerfile parses, builds where a builder is installed, and names what exists."""

import re
import shlex
import shutil
import subprocess

import pytest

from junqi_engine.user_folders import CACHE
from tests.helpers.pages import ROOT, read

PAGE = "docs/operating.md"
BUILDER = shutil.which("docker") or shutil.which("podman")
INSTRUCTIONS = ("FROM", "COPY", "RUN", "ENV", "USER", "ENTRYPOINT")


def dockerfile() -> str:
    found = re.findall(r"^```dockerfile\n(.*?)^```$", read(PAGE), flags=re.MULTILINE | re.DOTALL)
    assert len(found) == 1
    return str(found[0])


def instructions() -> list[tuple[str, str]]:
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in dockerfile().splitlines())]


def test_dockerfile_compiles_as_root_and_runs_as_another_user() -> None:
    lines = instructions()
    assert [word for word, _ in lines if word not in INSTRUCTIONS] == []
    assert lines[0][0] == "FROM" and lines[-1] == ("ENTRYPOINT", '["junqi-engine"]')
    order = [shlex.split(rest)[0] if word == "RUN" else word for word, rest in lines]
    assert order.index("COPY") < order.index("pip") < order.index("junqi-engine") < order.index("USER")
    table = dict(lines)
    assert table["ENV"].split("=")[0] == CACHE
    assert table["USER"] not in ("root", "0")
    assert shlex.split(table["RUN"]) == ["junqi-engine", "--compile"]


@pytest.mark.long
def test_dockerfile_builds_where_a_builder_runs(capsys: pytest.CaptureFixture[str]) -> None:
    if BUILDER is None or subprocess.run([BUILDER, "info"], capture_output=True, check=False).returncode != 0:
        with capsys.disabled():
            print("\nno docker and no podman runs here: the Dockerfile of docs/operating.md was parsed, not built")
        return
    built = subprocess.run([BUILDER, "build", "-q", "-f", "-", str(ROOT)], input=dockerfile(), text=True, check=False)
    assert built.returncode == 0
