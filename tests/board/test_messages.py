"""The messages of the server, compared with the types that the page declares for them."""

import importlib
import inspect
import re
from typing import get_args, get_type_hints

from msgspec import Struct, UnsetType

from junqi_board.lessons import PAGE

SENT, _ = PAGE.joinpath("types.d.ts").read_text("utf-8").split("// ---- Of the page ")
"""The first part: what the server sends."""
MODULES = [
    importlib.import_module(f"junqi_board.messages.{name}")
    for name in ("connection", "scenes", "game", "records", "learning")
]
INTERFACE = re.compile(r"^interface (\w+)(?: extends (\w+))? \{(.*?)\}$", re.MULTILINE | re.DOTALL)
TUPLE = re.compile(r"^type (\w+) = \[(.*?)\];$", re.MULTILINE)
WITHOUT_FIELDS = {"Done", "Gone", "RematchAsked"}
ENVELOPE = {"type", "id"}
"""Fields of every message, which the socket handles."""


def page_types() -> dict[str, dict[str, bool]]:
    """By interface or tuple, its fields; True if a field may be absent."""
    found = {name: _fields(body.split(",")) for name, body in TUPLE.findall(SENT)}
    for name, base, body in INTERFACE.findall(re.sub(r"/\*\*.*?\*/", "", SENT, flags=re.DOTALL)):
        found[name] = {**found.get(base, {}), **_fields(body.split(";"))}
    return found


def _fields(declarations: list[str]) -> dict[str, bool]:
    heads = [re.match(r"(\w+)(\??): ", declaration.strip()) for declaration in declarations]
    return {head[1]: head[2] == "?" for head in heads if head is not None and head[1] not in ENVELOPE}


def structs() -> dict[str, dict[str, bool]]:
    """The same of the server's messages and their parts."""
    found = {}
    for module in MODULES:
        for name, struct in inspect.getmembers(module, lambda one: inspect.isclass(one) and issubclass(one, Struct)):
            if struct.__module__ == module.__name__:
                types = get_type_hints(struct)
                names = zip(struct.__struct_fields__, struct.__struct_encode_fields__, strict=True)
                found[name] = {
                    sent: UnsetType in get_args(types[field]) for field, sent in names if sent not in ENVELOPE
                }
    return found


def test_page_declares_the_fields_that_the_server_sends() -> None:
    ours = {name: fields for name, fields in structs().items() if name not in WITHOUT_FIELDS}
    assert page_types() == ours
