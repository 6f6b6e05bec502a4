"""Text and pictures: moves, FEN, `.jgs` files, and a position as text or SVG."""
