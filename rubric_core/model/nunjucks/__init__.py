"""Nunjucks, the template language of AgentV 5: its syntax and values, compiled and run by jinja2 in its sandbox.

Only `rubric_core.model.render` imports this package, and only when a text has more of a template than names.
"""
