"""Games on disk: the record of a game, the file of records, replay, and the contest's record format."""
