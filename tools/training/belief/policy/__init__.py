"""A fast policy, fitted to the choices of searches in recorded games."""
