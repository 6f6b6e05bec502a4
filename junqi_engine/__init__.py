"""Junqi: rules, hidden information, evaluation, search and players. `ARCHITECTURE.md` has the map.

This module imports nothing, so that a process can print its name and version before any heavy import.
"""

__version__ = "0.1.0"
