"""Settings that may be secret, as a name that tells only whether they are the same."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def hash_of(value: str | Mapping[str, str]) -> str | None:
    """Return a hash of a text or of named texts in any order, or None where there is nothing."""
    if not value:
        return None
    text = value if isinstance(value, str) else json.dumps(dict(value), sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
