"""What a player knows and what is likely: `SeatView`, exact deduction, belief, and worlds drawn from the belief."""
