"""Hostile input for everything that reads text: `python -m tools.proof.fuzz`.

`samples` holds good inputs and damages them, `checks` tests what a reader does with an input, and `runner` combines
them to targets, which `names` lists. The tests run them on damaged samples, the command under libFuzzer (`guided`).
"""
