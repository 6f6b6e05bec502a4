"""Junqi: rules, hidden information and players. See `board` for the house's ground floor.

This module imports nothing, so that a process can say its name and version before any heavy import.
"""

__version__ = "0.1.0"
