"""Builds lsprotocol's classes when they are first used.

`lsprotocol.types` has 554 classes, which attrs builds in 240 to 360 ms; a session uses about sixty of them. This module
lets attrs build each class at its first use: when it is called, or when its fields are requested. If that fails, the
types are imported as usual. `tests/server/test_lazy_types.py` compares every class with the one that is built at once.
"""

from __future__ import annotations

import logging
import sys
import threading
from typing import Any

import attrs

_MODULE = "lsprotocol.types"
_FIELDS = "__attrs_attrs__"
_log = logging.getLogger("rubric")
# A class may be used by several threads at once.
_building = threading.RLock()


def import_types() -> None:
    """Import `lsprotocol.types` with classes that are built later, or at once if that fails."""
    if _MODULE in sys.modules:
        return
    try:
        _import_types()
    except Exception:  # noqa: BLE001 - whatever is different in another version, the server starts.
        _log.warning("The types of the protocol are imported at once.", exc_info=True)
        for name in [name for name in sys.modules if name.partition(".")[0] == "lsprotocol"]:
            del sys.modules[name]


def _import_types() -> None:
    define = attrs.define
    attrs.define = _define_later  # type: ignore[assignment]
    try:
        from lsprotocol import types  # noqa: PLC0415 - this is what is made quick.
    finally:
        attrs.define = define
    from lsprotocol import _hooks  # noqa: PLC0415

    # Resolving the annotations of all classes would build them all; each is resolved when it is built.
    if _hooks._resolved_forward_references is not False:  # noqa: SLF001 - the reason for this module.
        raise AttributeError("_resolved_forward_references")
    _hooks._resolved_forward_references = True  # noqa: SLF001
    attrs.fields(types.Position)


class _LaterFields:
    """A descriptor that builds the fields of a class when they are first read."""

    def __get__(self, _instance: object, owner: type) -> Any:
        _build(owner)
        return getattr(owner, _FIELDS)


def _define_later(cls: type) -> type:
    def build_and_initialise(self: Any, *arguments: Any, **members: Any) -> None:
        _build(cls)
        self.__init__(*arguments, **members)

    setattr(cls, _FIELDS, _LaterFields())
    cls.__init__ = build_and_initialise  # type: ignore[misc]
    return cls


def _build(cls: type) -> None:
    with _building:
        if not isinstance(cls.__dict__.get(_FIELDS), _LaterFields):
            return
        delattr(cls, _FIELDS)
        del cls.__init__  # type: ignore[misc]
        # Slots would need a new class, and other modules refer to this one.
        attrs.define(slots=False)(cls)
        attrs.resolve_types(cls, sys.modules[_MODULE].ALL_TYPES_MAP, {})
