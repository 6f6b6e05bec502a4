"""Hostile input for everything that reads text: `python -m tools.proof.fuzz`.

`samples` holds good inputs and damages them, `checks` tests what a reader does with an input, and `runner` combines
them to targets, which `names` lists, and runs them with hypothesis.
"""
