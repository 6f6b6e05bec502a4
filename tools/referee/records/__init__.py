"""Games on disk: the record of a game, the file of records, replay, and the contest's record format."""

from tools.referee.records.game_record import GameRecord as GameRecord  # until tools/board imports game_record
