"""Words of the text protocol that engine, client and tools share. docs/protocol.md describes it."""

NO_MOVE_TEXT = "(none)"
"""The move after `bestmove` if the engine has none to play."""
