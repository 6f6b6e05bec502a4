"""Exits before any output."""

import sys

sys.exit("no, thank you")
