"""A game in the running server, and the subscribers to its events: engines, advisers, pages, the file on the disk."""
