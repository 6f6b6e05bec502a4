"""Games on disk: the record of a game, the file of records, replay, and `.jgs` files as records."""
