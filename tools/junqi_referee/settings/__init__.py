"""What is to be played: TOML files and command-line words as checked, frozen settings, and the schedule of games."""
