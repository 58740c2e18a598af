"""Nunjucks, the template language, as a library of its own that imports nothing else of this project.

`markup` has what is in a template and what is wrong with it, `rendering` what it becomes. Only `rendering` and the
modules that it imports need jinja2, which takes long to import. docs/nunjucks.md describes both.
"""
