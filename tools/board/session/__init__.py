"""A game in the running server: what subscribes to its events. Engine processes, advisers, pages, the file on the disk."""
