"""All pairs of ends on all boards up to 7 x 7, or up to LARGEST: `python -m tools.proof.tour_pairs [LARGEST]`.

Every tour is verified. Where two ends have the right colours but no tour is found, the textbook search, which shares no
code with the frontier method, must confirm it.
"""

import argparse
import sys

LARGEST = 7


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.proof.tour_pairs", description="Check the tour of every pair of squares of small boards."
    )
    parser.add_argument(
        "largest", type=int, nargs="?", default=LARGEST, help="most rows and columns, default %(default)s"
    )
    largest = parser.parse_args().largest
    from tools.proof.tour_pairs.check import check

    wrong = 0
    for rows in range(3, largest + 1):
        for columns in range(rows, largest + 1):
            wrong += check(rows, columns)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
