"""The domain of eval files: text, syntax, rules, fixes, models. Knows nothing of any editor protocol."""

__version__ = "0.1.0"
