"""What a page can ask the server: one file per view, with the messages that belong to it; `registry.py` lists them."""
