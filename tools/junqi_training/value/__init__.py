"""What a position is worth: worths of pieces, and a network."""

COMMANDS = {
    "fit": "fit the worths of pieces to stored games",
    "network": "fit the network beside the terms to stored games",
    "tune": "tune the worths by play",
}
