"""One module for each variant: a `game_interface.Game` that implements the commands for it. Nothing else."""
