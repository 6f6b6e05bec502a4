"""The messages that the server sends, and their parts, by subject.

The page's `types.d.ts` has the same names and fields. A field that may be absent is `T | UnsetType` here and `field?`
there.
"""

from msgspec import UNSET, Struct, UnsetType

Targets = dict[str, dict[str, str]]
"""By from-point, by to-point, the move."""
Chances = dict[str, float]
"""By letter, the probability of a hidden piece."""


class Sent(Struct, kw_only=True, tag_field="type"):
    """A message. An answer has the `id` of its request."""

    id: int | UnsetType = UNSET
