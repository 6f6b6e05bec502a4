"""How games were played: `play` counts moves, `attacks` who attacks what; `command` prints and draws the counts."""
