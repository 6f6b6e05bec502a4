"""How strong a player is, and what it throws away."""

COMMANDS = {
    "safety": "how often a player throws away a high piece or its flag",
    "elo": "the Elo of the levels of Skill Level",
}
