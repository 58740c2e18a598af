"""The language server for eval files: the only package that uses the language server protocol."""
