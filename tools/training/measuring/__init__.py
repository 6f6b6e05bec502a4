"""How strong a player is, and how it can be beaten."""

COMMANDS = {
    "exploit": "what beats a player that stays as it is, and by how much",
    "informed": "what a player scores that knows hidden pieces",
    "safety": "how often a player throws away a high piece or its flag",
    "elo": "the Elo of the levels of Skill Level",
}
