"""Grid puzzles and their exact solvers, each independent of Junqi."""
