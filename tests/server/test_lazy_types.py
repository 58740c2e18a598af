"""Classes of the protocol that are built at their first use are those that lsprotocol builds at once."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from editor import ENVIRONMENT
from waiting import TIMEOUT

pytestmark = pytest.mark.slow  # They describe all classes of the protocol twice.

# Describes every class of `lsprotocol.types`: its fields, how it is made, compared and shown.
DESCRIBE = r"""
import inspect, json, re, sys
import attrs

if "lazy" in sys.argv:
    from rubric_server.protocol.lazy_types import import_types
    import_types()
from lsprotocol import converters, types
converters.get_converter()
classes = {name: each for name, each in vars(types).items() if inspect.isclass(each) and name != "object"}
delayed = sum(not isinstance(each.__dict__.get("__attrs_attrs__", ()), tuple) for each in classes.values())

def described(cls):
    fields = [
        [field.name, field.alias, repr(field.type), repr(field.default), field.init, field.kw_only, repr(field.eq),
         re.sub(" at 0x[0-9a-f]+", "", repr(field.validator))]
        for field in attrs.fields(cls)
    ]
    methods = {name: cls.__dict__.get(name) is not None for name in ("__init__", "__eq__", "__ne__", "__repr__")}
    return [fields, str(inspect.signature(cls.__init__)), methods, cls.__hash__ is None, cls.__module__, cls.__doc__]

found = {name: described(each) for name, each in classes.items() if attrs.has(each)}
position = types.Position(1, 2)
found["a position"] = [repr(position), position == types.Position(1, 2), position < types.Position(1, 3)]
print(json.dumps({"delayed": delayed, "classes": found}))
"""


def described(*arguments: str) -> dict[str, Any]:
    """Return the description of all classes, from a process of their own."""
    command = [sys.executable, "-c", DESCRIBE, *arguments]
    done = subprocess.run(command, capture_output=True, check=True, env=ENVIRONMENT, timeout=TIMEOUT)
    assert done.stderr == b""
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_every_class_is_as_if_it_had_been_built_at_once() -> None:
    """The same fields with the same types, defaults and checks, the same parameters, the same methods."""
    eager, lazy = described(), described("lazy")
    assert eager["delayed"] == 0
    assert lazy["delayed"] > 500
    assert lazy["classes"] == eager["classes"]


BROKEN = """
import sys, types
from lsprotocol import _hooks
del sys.modules["lsprotocol.types"]
_hooks._resolved_forward_references = None
import rubric_server.protocol.lazy_types as lazy
lazy.import_types()
from lsprotocol import types
assert isinstance(types.Position.__dict__["__attrs_attrs__"], tuple)
assert isinstance(types.Range.__dict__["__attrs_attrs__"], tuple)
"""


def test_types_that_cannot_be_built_later_are_built_at_once() -> None:
    """A version of lsprotocol in which something is called differently only takes longer to start."""
    done = subprocess.run(
        [sys.executable, "-c", BROKEN], capture_output=True, check=False, env=ENVIRONMENT, timeout=TIMEOUT
    )
    assert done.returncode == 0, done.stderr.decode()
    assert b"imported at once" in done.stderr
