"""Source text: spans and edits in code points, lines, and the units that editors count in."""
