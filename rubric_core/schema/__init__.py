"""The one table of fields: what may stand where, of which type, under which names, and what it means.

The unknown-key rule, completion, hover, the JSON Schema and the field reference all read this table.
"""
