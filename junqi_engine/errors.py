"""The errors of the rules and the notation."""


class JunqiError(ValueError):
    """Something that the rules or the notation refuse.

    `code` is one of the error codes of the text protocol (`bad-position`, `illegal-move`, ...); the text says what is
    wrong and names the field, rank, square or move.
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class ParseError(JunqiError):
    """Text that does not parse, or that parses into what cannot be."""
