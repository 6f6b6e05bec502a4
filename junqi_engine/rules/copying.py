"""Copies and pickles of objects that hold records, such as positions."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np


def unpickled(state: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes of an unpickled object, whose records are copied: numpy loses what is assigned to the fields of an
    unpickled one.
    """
    return {name: value.copy() if isinstance(value, np.void) else value for name, value in state.items()}


class Copyable:
    """A copy by the module `copy` is one by the method."""

    def copy(self) -> Self:
        """An independent copy."""
        raise NotImplementedError

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        vars(self).update(unpickled(state))
