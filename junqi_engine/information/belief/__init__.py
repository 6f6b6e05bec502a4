"""What is likely: the chances of what each hidden piece is, from styles of line-ups and from moves, and worlds drawn by
them.
"""
