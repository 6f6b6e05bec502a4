"""Whether reviews are right: their losses beside those of a search a hundred times as long, in positions of records."""
