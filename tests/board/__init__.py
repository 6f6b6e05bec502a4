"""The web board: its server and its pages in a browser."""
