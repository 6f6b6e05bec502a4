"""What a player knows: `SeatView`, what a ply proves, and exact deduction. What is likely is in `belief`."""
