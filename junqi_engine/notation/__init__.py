"""Text and pictures: moves, FEN, starting positions, line-up files, and a position as text or SVG."""
