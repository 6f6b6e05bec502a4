"""The players: their versions, the player that searches, the players that answer events, the choice of line-ups."""
