"""Migration between dialects: tables of steps, and the engine that applies them as small edits."""
