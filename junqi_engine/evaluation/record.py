"""The record of an evaluation: one for each world, filled at the root and updated with every ply of the search.

`EVALUATION`:

| field | shape | meaning |
|---|---|---|
| piece_value | (4, 12) | by seat and kind: the value of a piece on any point |
| piece_square | (128, 129) | by piece and point: the value of the piece there, with all terms and linear weights |
| seat_value | (4,) | the value of a seat as long as it is not eliminated |
| battle_gain | (4, 12, 12) | the gain of a battle: by defending seat, attacking kind, defending kind |
| scores | (98,) | by ply of the line: the sum of the above for team 0 less team 1 |
| ply | scalar | the last ply of the line |
| network | `NETWORK` | the network beside it |

`NETWORK`:

| field | shape | meaning |
|---|---|---|
| accumulator | (98, 4, 16) | by ply of the line, seat and unit: the sum of the rows of all features and `bias` |
| scores | (98,) | by ply of the line: the outputs for the seats of team 0 less those of team 1 |
| keys | (98,) | by ply of the line: a hash of the classes of the pieces on the board |
| classes | (128,) | by piece: its `PublicClass` |
| changed, before | (98, 2) | by ply: the two pieces whose class it may have changed, and their classes before it |
| base_row | (4, 128) | by seat and piece: the number of its row for class 0 and point 0 |
| features | `FEATURES` | the perspectives of the board |
| is_mirrored | (4,) | by seat: 1 if its flag is on its right |
| rows | scalar | the address of the table of rows, (rows, 16), whose last row is zero; 0 without a network |
| zero_row | scalar | the number of that last row |
| bias, output_weights | (16,) | the weights beside the rows |

Scores are in hundredths of a Lieutenant.
"""

import numpy as np

from junqi_engine.evaluation.features import FEATURES
from junqi_engine.evaluation.vectors import UNITS
from junqi_engine.kernels import record_type
from junqi_engine.rules.board import MAX_POINTS
from junqi_engine.rules.layout import PIECES, SEATS
from junqi_engine.rules.pieces import KINDS

MAX_EVAL_PLIES = 97
"""Plies below the root that an evaluation can follow."""

NETWORK = np.dtype(
    [
        ("accumulator", np.int16, (MAX_EVAL_PLIES + 1, SEATS, UNITS)),
        ("scores", np.int64, MAX_EVAL_PLIES + 1),
        ("keys", np.uint64, MAX_EVAL_PLIES + 1),
        ("classes", np.uint8, PIECES),
        ("changed", np.uint8, (MAX_EVAL_PLIES + 1, 2)),
        ("before", np.uint8, (MAX_EVAL_PLIES + 1, 2)),
        ("base_row", np.int32, (SEATS, PIECES)),
        ("features", FEATURES),
        ("is_mirrored", np.uint8, SEATS),
        ("rows", np.int64),
        ("zero_row", np.int64),
        ("bias", np.int16, UNITS),
        ("output_weights", np.int16, UNITS),
    ],
    align=True,
)
NETWORK_TYPE = record_type(NETWORK)
EVALUATION = np.dtype(
    [
        ("piece_value", np.int16, (SEATS, KINDS)),
        ("piece_square", np.int16, (PIECES, MAX_POINTS)),
        ("seat_value", np.int16, SEATS),
        ("battle_gain", np.int16, (SEATS, KINDS, KINDS)),
        ("scores", np.int64, MAX_EVAL_PLIES + 1),
        ("ply", np.int64),
        ("network", NETWORK),
    ],
    align=True,
)
EVALUATION_TYPE = record_type(EVALUATION)
