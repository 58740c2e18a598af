"""Typed views of nodes: records, criteria, bands, evaluators, messages, scorecards. Plain and fast.

A view never copies text and never checks it: it finds the nodes that rules, hovers and models read.
"""
