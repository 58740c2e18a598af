"""The TOML parser of the standard library, or tomli for versions of Python without one."""

import sys

if sys.version_info >= (3, 11):
    from tomllib import loads
else:  # pragma: no cover - only on Python 3.10.
    from tomli import loads  # type: ignore[import-not-found, unused-ignore]  # Absent where it is not needed.

__all__ = ["loads"]
