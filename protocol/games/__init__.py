"""One module for each variant: a `protocol.game.Game` that puts the variant behind the protocol. Nothing else."""
