"""What a position is worth: worths of pieces, and what a value says about the result."""

COMMANDS = {
    "fit": "fit the worths of pieces to stored games",
    "network": "fit the network beside the terms to stored games",
    "tune": "tune the worths by play",
    "wdl": "fit the chances of a win, a draw and a loss behind a score",
}
