"""The language server for eval files: the only place that knows the language server protocol."""
