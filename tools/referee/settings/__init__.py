"""What is to be played: reads TOML files and command-line words into checked, frozen settings."""
