"""Whether a path stays inside of a folder."""

from __future__ import annotations

import os


def is_within(path: str, folder: str) -> bool:
    """Tell whether a path is a folder or lies below it. Both are normal paths: no `..`, no slash at the end."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
