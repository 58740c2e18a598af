"""Providers: connections to models and commands, both for answers under test and for judgements."""
