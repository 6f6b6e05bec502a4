"""Every figure that the project states, measured again: `python -m tools.bench [SECTION ...]`.

One module a section, each with a function `measure(report)`; what it prints is figures and ratios, never a verdict.
"""
