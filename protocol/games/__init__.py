"""One module for each variant: a `protocol.game_interface.Game` that implements the commands for it. Nothing else."""
