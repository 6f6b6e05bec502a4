"""Positions of Junqi and of brain teasers as data to draw. A page knows no rules, so legal moves come along."""
