"""The contest's dialect of the protocol, for the two-player game: its words, one game, the translator."""
