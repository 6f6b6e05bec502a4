"""Finding and checking the numbers that players use.

Each folder lists its commands: `python -m junqi_training.belief`. `games` reads the games of records, `command` has
menus, numbers and the ways to end.
"""

COMMANDS = {
    "selfplay": "play games of players against each other, stored as moves, to learn from",
    "value": "what a position and a piece are worth: fit, network, tune",
    "belief": "what hidden pieces are: calibration, styles, policy",
    "openings": "balanced positions to play matches from",
    "quiz": "questions for the puzzles of the board, from records of games",
}
