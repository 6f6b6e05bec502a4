"""The contest's dialect of the protocol, for the two-player game."""
