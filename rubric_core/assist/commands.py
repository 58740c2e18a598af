"""The names of the commands that are offered: what an editor sends back to have one of them done."""

from __future__ import annotations

FIX_ALL = "rubric.fixAll"
APPLY_ACTION = "rubric.applyAction"
