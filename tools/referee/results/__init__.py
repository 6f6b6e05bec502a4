"""What the games amount to: standings, reports as text and JSON, and the bounds of a regression."""
