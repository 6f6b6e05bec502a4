"""The options that tell an engine what is played."""

from collections.abc import Mapping

from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.options import Rules


def match_options(variant: str, rules: Rules) -> Mapping[str, str]:
    """The options of every engine in a match: the variant, and the rules that differ from the variant's own."""
    own, rules = Rules.of(BOARDS[variant]), Rules.of(BOARDS[variant], rules)
    options = {"UCI_Variant": variant}
    if rules.no_contact != own.no_contact:
        options["NoContactLimit"] = str(rules.no_contact)
    if rules.no_contact_loses != own.no_contact_loses:
        options["NoContactResult"] = "loss" if rules.no_contact_loses else "draw"
    if rules.max_plies != own.max_plies:
        options["MaxPlies"] = str(rules.max_plies)
    return options
