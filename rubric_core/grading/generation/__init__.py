"""Generating rubrics: finding the cases that have none, and writing what a judge proposes into the file."""
