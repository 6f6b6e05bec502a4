"""`junqi-referee benchmark`: one command says how good a player is, whatever it is.

`command` plays its matches, `measures` says what they tell, `python_engine` makes an engine of a function of Python.
"""
