"""Hostile conversations with one engine process: `python -m tools.proof.law`.

`lines` makes what is sent, `conversation` sends it and checks the guarantees of the protocol, which docs/testing.md
lists.
"""
