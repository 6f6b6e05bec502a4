"""The evaluation of a position, in hundredths of a Lieutenant.

    score = sum over pieces of piece_square[piece, point] + sum over seats of seat_value + network score

`evaluator.refresh` fills the record at the root of each world. `terms` and `flag_safety` add what rules of thumb say of
every piece on every point (material, approach, flag safety, mop-up), with the numbers of `parameters`; `linear` adds a
fitted weight for each feature. Below the root these are constant: a ply changes the sum only by the pieces that move or
are removed (`evaluator.push_ply`). The `network` is updated with every ply.

A piece moves from its square to its share of the score like this: `features` numbers (owner, kind, public class,
point) in the perspective of each seat; `linear` looks up its weight, and `network` adds its row to the accumulator of
the seat; the clipped accumulator times the output weights is the output for the seat. `record` names all fields.
"""
