"""Nunjucks, the template language, as a library of its own that imports nothing else of this project.

`markup` finds the parts and the mistakes of a template, `rendering` renders it. Only `rendering` and the modules that
it imports need jinja2, which is slow to import. docs/nunjucks.md describes both.
"""
