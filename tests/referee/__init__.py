"""Matches, tournaments, records, statistics, reviews, revisions."""
