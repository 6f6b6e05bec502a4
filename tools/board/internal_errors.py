"""Internal errors of the board: each is logged with its traceback and counted, and a page is told its number."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tools.board.errors import RequestError

log = logging.getLogger("junqi-board")


@dataclass
class InternalErrors:
    """The internal errors of one server."""

    count: int = 0

    @contextmanager
    def handled(self, what: str, tell: Callable[[str], None]) -> Iterator[None]:
        """Log and count an exception, then call `tell` with a text for the pages. `what` could not be carried out.

        A `RequestError` is not an internal error and passes through.
        """
        try:
            yield
        except RequestError:
            raise
        except Exception:
            self.count += 1
            log.exception("internal error %d: %s", self.count, what)
            tell(f"internal error {self.count} of the board; its log says more")
