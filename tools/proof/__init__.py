"""Checks that run for hours: fuzzing, soak tests, soundness of the deduction, every pair of tour ends."""
