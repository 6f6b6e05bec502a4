"""Long runs of games and of protocol commands: `python -m tools.proof.soak`.

`games` plays matches with bounds checks in all kernels, `orders` sends commands in random order to one process, and
`findings` collects what both find.
"""
