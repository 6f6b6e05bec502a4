"""The public library: `Game`, `View`, `Move`, with text where the folders below have numbers. No rule is written here.

`junqi_engine/__init__.py` names what is public; docs/library.md describes it.
"""
