"""Nodes read as what they mean: records, criteria, bands, evaluators, messages, scorecards. Plain and fast.

A view never copies text and never judges it: it finds the nodes that a rule, a hover or a model wants to look at.
"""
