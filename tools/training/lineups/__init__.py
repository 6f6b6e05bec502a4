"""How to set up: the worth of line-ups, and what beats them."""

COMMANDS = {
    "worth": "fit the value of each piece in each place to game results",
    "response": "what other line-ups score against those of go setup",
}
