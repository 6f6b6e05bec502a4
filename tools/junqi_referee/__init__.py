"""The referee: matches and tournaments between engines that speak the text protocol.

It holds the true position, gives each engine process only what its seats may see, and keeps the record. It knows the
rules and how to talk to engines; apart from `review`, it knows nothing of players and searches.

The files of this folder serve all the others: `exit_codes` (`ExitCode` and `RefereeError`), `jobs` (work in threads,
processes or on Dask), `revisions` (builds git revisions), `endings`, `time_control`, `readers` (of arguments),
`full_game` (a game with all pieces known), `sprt` (Elo and the sequential test, from counts of pairs), `machine` (its
name and its load).
`cli` has the arguments of the subcommands, `review` is what each move of a game was worth. Each folder below imports
only from these files and from the folders before it:

| folder | contents |
|---|---|
| `settings` | what the command line asks for; which games are played, from which line-ups and openings |
| `records` | games on disk: written, read, replayed, converted |
| `playing` | engine processes, clocks, many games, what they amount to; `match`, `tournament`, `ci` |
| `check` | whether an engine conforms to the protocol |
"""
