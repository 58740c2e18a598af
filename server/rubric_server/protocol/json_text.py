"""Results and parameters that are encoded already."""

from __future__ import annotations


class JsonText(str):
    """JSON text, all of it ASCII, that is sent as it is."""

    __slots__ = ()
