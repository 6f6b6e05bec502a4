"""What theorems say about knight's tours, with the reason where there is none.

A. J. Schwenk, "Which rectangular chessboards have a knight's tour?" (1991), for closed tours; P. Cull and
J. De Curtins, "Knight's tour revisited" (1978), for open ones; A. Conrad, T. Hindrichs, H. Morsy and I. Wegener,
"Solution of the knight's Hamiltonian path problem on chessboards" (1994), for given ends.
"""

from puzzles.knights_tour.board import Place


def why_impossible(rows: int, columns: int, start: Place | None, end: Place | None, closed: bool) -> str | None:
    """Why there is no such tour, in words; None if no theorem says so."""
    reason = _why_no_closed(rows, columns) if closed else _why_no_open(rows, columns)
    if reason is None and not closed:
        reason = _why_not_between(rows, columns, start, end)
    return reason


def _why_no_closed(rows: int, columns: int) -> str | None:
    board = f"no closed tour of {rows} x {columns}"
    less, more = sorted((rows, columns))
    if less * more % 2 == 1:
        return f"{board}: every move changes the colour, and the number of squares is odd (Schwenk)"
    if less in (1, 2, 4):
        return f"{board}: none exists with {less} rows or columns (Schwenk)"
    if less == 3 and more in (4, 6, 8):
        return f"{board}: none exists for 3 x 4, 3 x 6 and 3 x 8 (Schwenk)"
    return None


def _why_no_open(rows: int, columns: int) -> str | None:
    less, more = sorted((rows, columns))
    has_one = more == 1 or (less == 3 and (more == 4 or more >= 7)) or (less == 4 and more >= 5) or less >= 5
    if has_one:
        return None
    known = "1 x 1, 3 x 4, 3 x 7 and larger, 4 x 5 and larger, 5 x 5 and larger"
    return f"no tour of {rows} x {columns}: there are tours of {known}"


def _why_not_between(rows: int, columns: int, start: Place | None, end: Place | None) -> str | None:
    ends = [square for square in (start, end) if square is not None]
    if rows * columns % 2 == 1:
        if any((row + column) % 2 for row, column in ends):
            return "an odd number of squares: both ends must have the colour of the corners"
    elif len(ends) == 2 and (sum(ends[0]) + sum(ends[1])) % 2 == 0:
        return "an even number of squares: the ends must have opposite colours"
    if min(rows, columns) == 4:
        for row, column in ends:
            if (row if rows == 4 else column) in (1, 2):
                return "on a board with four rows both ends are in the outer rows"
    return None
