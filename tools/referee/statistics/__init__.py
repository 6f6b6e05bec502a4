"""Pure mathematics on results and games.

`sprt` computes from the counts of pairs. `play` counts how games were played; `play_report` and `heat_map`
show these counts.
"""
