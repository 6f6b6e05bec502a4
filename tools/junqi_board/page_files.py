"""The files of the page as they are served: all modules as one, all texts as one, all style sheets within the HTML.

A first visit needs few requests, each compressed, and one before the page is visible. The modules import each other
without circles, so each becomes a function that is called once, after those that it imports.
"""

import base64
import gzip
import hashlib
import html
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import PurePath

PAGE = resources.files("junqi_board").joinpath("page")
MEDIA_TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
LANGUAGES = ("en", "zh")
_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w.]+)";$', re.M)
_EXPORT = re.compile(r"^export ((?:async )?(?:function|class|const) ([\w$]+))", re.M)
_LINE_COMMENT = re.compile(r"^ *//[^\n]*\n", re.M)
_BLOCK_COMMENT = re.compile(r"^ */\*(?:(?!\*/).)*\*/ *\n", re.M | re.S)
_STYLE_IMPORT = re.compile(r'^@import "([\w.]+)";\n', re.M)
_STYLE_LINK = '<link rel="stylesheet" href="style.css">'
_TEXT = re.compile(r'<[^<>]* data-text="([\w.]+)"[^<>]*>(?=</)')


@dataclass(frozen=True)
class PageFile:
    """A file as it is sent, and compressed."""

    media_type: str
    data: bytes
    packed: bytes


def page_sources() -> dict[str, str]:
    """By name, the texts of all files of the page; `style.css` has all style sheets."""
    sources = {
        file.name: file.read_text("utf-8") for file in PAGE.iterdir() if PurePath(file.name).suffix in MEDIA_TYPES
    }
    return sources | {"style.css": _STYLE_IMPORT.sub(lambda line: sources[line[1]], sources["style.css"])}


def page_files() -> dict[str, PageFile]:
    """By name, all that is served; `index.html` in Chinese is `zh`."""
    sources = page_sources()
    texts = texts_of(sources)
    index = sources.pop("index.html").replace(_STYLE_LINK, f"<style>{sources['style.css']}</style>")
    found = {name: text for name, text in sources.items() if PurePath(name).suffix not in (".js", ".css")}
    found = {name: text for name, text in found.items() if not name.startswith("texts")}
    found |= {
        "index.html": with_texts(index, texts["en"]),
        "zh": with_texts(index, texts["en"] | texts["zh"]).replace('<html lang="en"', '<html lang="zh-CN"'),
        "main.js": script(sources, "main.js"),
        "service_worker.js": sources["service_worker.js"],
        "texts.json": json.dumps(texts, ensure_ascii=False, separators=(",", ":")),
    }
    return {name: _file(name, text) for name, text in found.items()}


def style_hash(files: Mapping[str, PageFile]) -> str:
    """What the Content Security Policy calls the style sheet within the HTML."""
    style = files["index.html"].data.split(b"<style>")[1].split(b"</style>")[0]
    return "sha256-" + base64.b64encode(hashlib.sha256(style).digest()).decode()


def _file(name: str, text: str) -> PageFile:
    data = text.encode()
    return PageFile(MEDIA_TYPES[PurePath(name).suffix or ".html"], data, gzip.compress(data, mtime=0))


def texts_of(sources: dict[str, str]) -> dict[str, dict[str, str]]:
    """By language, by key, the texts of all files of texts."""
    files = [json.loads(text) for name, text in sources.items() if PurePath(name).match("texts*.json")]
    return {language: {key: text for file in files for key, text in file[language].items()} for language in LANGUAGES}


def with_texts(index: str, texts: dict[str, str]) -> str:
    """The page with its texts, so that it can be read before its script has come."""
    return _TEXT.sub(lambda tag: tag[0] + html.escape(texts[tag[1]]), index)


def script(modules: Mapping[str, str], main: str) -> str:
    """One module that does what the module `main` does with all that it imports; it exports them as `modules`."""
    parts: dict[str, str] = {}

    def add(name: str) -> None:
        if name in parts:
            return
        source = modules[name]
        for _, needed in _IMPORT.findall(source):
            add(needed)
        body = _IMPORT.sub(lambda line: f"const {{{line[1].replace(' as ', ': ')}}} = modules[{line[2]!r}];", source)
        exported = ", ".join(found for _, found in _EXPORT.findall(source))
        body = _BLOCK_COMMENT.sub("", _LINE_COMMENT.sub("", _EXPORT.sub(r"\1", body)))
        parts[name] = f"modules[{name!r}] = (() => {{\n{body}return {{ {exported} }};\n}})();\n"

    add(main)
    return "export const modules = {};\n" + "".join(parts.values())
