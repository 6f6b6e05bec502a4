"""The error that every part of the board raises for a request that it refuses."""


class RequestError(ValueError):
    """A refused request: `code` is for programs, the text says in one line what is wrong and what is expected."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
