"""Providers: how a model or a command is asked, for answers under test and for judgements alike."""
