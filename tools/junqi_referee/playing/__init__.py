"""Games, matches and tournaments: engine processes, clocks, adjudication, many games at a time, standings."""
