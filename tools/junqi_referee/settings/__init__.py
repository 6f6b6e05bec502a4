"""Settings of a match, checked and frozen, and the schedule of its games."""
