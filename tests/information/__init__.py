"""What a seat knows and may believe, and that hidden pieces stay hidden."""
