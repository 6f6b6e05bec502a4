"""Faults that must not break anything: kills, full disks, hostile bytes, files of the user."""
