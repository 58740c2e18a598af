"""YAML text to nodes with spans: chunked, incremental, and never raising on what a user wrote."""
