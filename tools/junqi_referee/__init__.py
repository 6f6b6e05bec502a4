"""The referee: matches and tournaments between engines that speak the text protocol.

It holds the true position, sends each engine process only what its seats may see, and keeps the record. It knows the
rules and how to talk to engines; only `review` knows players and searches.

The files of this folder serve all the others: `exit_codes` (`ExitCode` and `RefereeError`), `jobs` (work in threads,
processes or on Dask), `revisions` (builds git revisions), `endings`, `time_control`, `readers` (of arguments),
`full_game` (a game with all pieces known), `sprt` (Elo and the sequential test, from counts of pairs), `machine` (its
name and its load).
`cli` parses the arguments of the subcommands, `review` rates each move of a game. Each folder below imports
only from these files and from the folders before it:

| folder | contents |
|---|---|
| `settings` | settings of a match, its engines, its schedule, its line-ups |
| `records` | writing, reading, replaying and converting games on disk |
| `playing` | engine processes, games, standings, openings; `match`, `tournament`, `ci` |
| `check` | tests of an engine against the protocol |
"""
