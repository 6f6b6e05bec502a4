"""Data sets and fits: calibration of the belief, the values of line-up places."""
