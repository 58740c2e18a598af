"""Text on a terminal: columns, colours, tables, and texts cut to a width."""
