"""The error of a request that the board refuses, and internal errors: logged with a traceback and counted."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass


class RequestError(ValueError):
    """A refused request: `code` is for programs, the text says in one line what is wrong and what is expected."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


log = logging.getLogger("junqi-board")


@dataclass
class InternalErrors:
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
