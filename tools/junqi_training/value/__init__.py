"""What a position is worth: worths of pieces, and a network."""
