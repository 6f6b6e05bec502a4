"""Internal errors of the board: logged with a traceback and counted. Rejected requests raise `Refused`."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

log = logging.getLogger("junqi-board")


@dataclass
class InternalErrors:
    count: int = 0

    @contextmanager
    def handled(self, action: str, tell: Callable[[str], None]) -> Iterator[None]:
        """Log and count an exception of an action, then call `tell` with a text for the pages."""
        try:
            yield
        except Exception:
            self.count += 1
            log.exception("internal error %d: %s", self.count, action)
            tell(f"internal error {self.count} of the board; its log says more")
