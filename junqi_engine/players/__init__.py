"""The players: one recipe for each version, the registry of all recipes, events and flag paths, own line-ups."""
