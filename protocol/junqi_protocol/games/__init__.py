"""A module for each variant; its `GAME` is the `variant_game.VariantGame` of the variant."""
