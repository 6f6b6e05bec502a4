"""How games were played: `play` counts, `command` prints and draws the counts."""
