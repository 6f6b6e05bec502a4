"""Slow, plain twins of the product's fast code, for tests to compare with."""
