"""The knowledge of a player: views, exact deduction from each ply, the public record. Probabilities are in `belief`."""
