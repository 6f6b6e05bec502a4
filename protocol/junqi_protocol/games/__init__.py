"""One module for each variant: a `variant_game.VariantGame` that implements the commands for it. Nothing else."""
