"""The table of fields: where each is allowed, its type, its names, and its meaning.

The unknown-key rule, completion, hover, the JSON Schema and the field reference all read this table.
"""
