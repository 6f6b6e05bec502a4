"""One module for each variant: a `protocol.game.Game` that implements the commands for it. Nothing else."""
