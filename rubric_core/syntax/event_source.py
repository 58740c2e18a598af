"""The events of a YAML parser: of the compiled one where it is installed, else of the one in pure Python.

Importing ruamel.yaml takes tens of milliseconds and most texts never need it, so the first call imports it.
"""

import importlib
from collections.abc import Callable
from functools import cache, partial
from typing import Any

# An event is an object of a library without types.
Event = Any


def event_classes() -> Any:
    """Return the module with the event classes of both parsers."""
    return importlib.import_module("ruamel.yaml.events")


@cache
def compiled_parser() -> Callable[[str], Any] | None:
    """Return the class of the compiled parser, or None where the extension is not installed."""
    try:
        module = importlib.import_module("_ruamel_yaml")
    except ImportError:
        return None
    parser: Callable[[str], Any] = module.CParser
    return parser


def open_events(text: str, *, compiled: bool) -> Callable[[], Event | None]:
    """Return a function that returns the next event of a text, and None after the last one."""
    parser = compiled_parser() if compiled else None
    if parser is not None:
        next_event: Callable[[], Event | None] = parser(text).get_event
        return next_event
    # With an empty list ruamel.yaml does not search the disk for plug-ins.
    reader = importlib.import_module("ruamel.yaml").YAML(typ="base", pure=True, plug_ins=[])
    return partial(next, reader.parse(text), None)
