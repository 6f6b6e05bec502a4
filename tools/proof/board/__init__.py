"""The web board under attack: hostile engines, and SIGKILL at random moments.

`engine.py` is an engine that follows a plan, `plans.py` makes hostile plans, `conversations.py` lets the board play
with such engines, `kills.py` kills boards and looks at what remains.
"""
