"""The names of the targets."""

from protocol.catalogue import CATALOGUE, JUNQI_VARIANTS

NAMES = (
    *("grammar", "contest", "contest-record", "jql", "jgs", "jqg", "book", "record", "settings"),
    *("library-record", "engine-line", "message"),
    *(f"position-{entry.variant}" for entry in CATALOGUE),
    *(f"{kind}-{variant}" for kind in ("fen", "moves") for variant in JUNQI_VARIANTS),
)
