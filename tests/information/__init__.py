"""Tests of knowledge and belief of a seat, and that hidden pieces stay hidden."""
