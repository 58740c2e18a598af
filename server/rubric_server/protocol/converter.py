"""From JSON to lsprotocol's types and back: strict where values would be coerced, tolerant where nothing is lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import attr
import attrs
from cattrs import AttributeValidationNote, BaseValidationError, Converter, IterableValidationNote
from cattrs.gen import make_dict_structure_fn, override
from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.protocol import default_converter

T = TypeVar("T")


class JsonText(str):
    """JSON text, all of it ASCII, that is sent as it is."""

    __slots__ = ()


_CONTENT_CHANGE = types.TextDocumentContentChangePartial | types.TextDocumentContentChangeWholeDocument
_NOUNS: dict[type, str] = {str: "a string", int: "an integer", bool: "true or false", list: "a list", dict: "an object"}


class RequestError(JsonRpcException):
    """A request that cannot be answered, with a sentence for the user, and data for the client."""

    CODE = types.LSPErrorCodes.RequestFailed.value


class _UnexpectedTypeError(TypeError):
    """A value of another type than the protocol has there; the message names the right one."""


@cache
def converter() -> Converter:
    """Return the one converter of the server."""
    # A version or a position out of the protocol's range must not lose an edit; documents move positions into the text.
    attr.set_run_validators(False)
    made: Converter = default_converter()  # type: ignore[no-untyped-call]
    for kind in (str, int, bool):
        made.register_structure_hook(kind, _read_plain)
    for token in (int | str, int | str | None):
        made.register_structure_hook(token, _read_token)
    made.register_structure_hook_factory(attrs.has, lambda kind: _object_reader(kind, made))
    made.register_structure_hook(_CONTENT_CHANGE, lambda value, _: made.structure(value, _kind_of_change(value)))
    return made


def structure(value: Any, kind: type[T], name: str) -> T:
    """Return a JSON value as a type. Raise JsonRpcInvalidParams with a sentence about the error."""
    try:
        return converter().structure(value, kind)
    except Exception as error:
        raise JsonRpcInvalidParams(_complaint(error, value, name)) from error


def structured_or_none(value: Any, kind: type[T]) -> T | None:
    """Return a JSON value as a type; None where it is none."""
    try:
        return structure(value, kind, "")
    except JsonRpcInvalidParams:
        return None


def to_json(value: Any) -> Any:
    """Return a value of lsprotocol's types as a JSON value."""
    return converter().unstructure(value)


def to_json_text(value: Any) -> str:
    """Return a value of lsprotocol's types as JSON text, all of it ASCII."""
    return json.dumps(converter().unstructure(value))


def members(value: Any, *names: str) -> dict[str, Any]:
    """Return some attributes of an object as members of a JSON object."""
    return {camel_case(name): getattr(value, name) for name in names}


def _expect(value: Any, kind: type) -> Any:
    # In Python, true is also an integer.
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise _UnexpectedTypeError(_NOUNS[kind])
    return value


def _read_plain(value: Any, kind: type) -> Any:
    base = next(plain_type for plain_type in (bool, int, str) if issubclass(kind, plain_type))
    return _expect(value, base) if kind is base else kind(_expect(value, base))


def _read_token(value: Any, kind: Any) -> int | str | None:
    if value is None and type(None) in kind.__args__:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        raise _UnexpectedTypeError("an integer or a string")
    return value


def _kind_of_change(value: Any) -> type:
    """Return the type of a change of a text: one without a range brings the whole text."""
    has_range = isinstance(value, dict) and value.get("range") is not None
    return types.TextDocumentContentChangePartial if has_range else types.TextDocumentContentChangeWholeDocument


def _object_reader(kind: type, made: Converter) -> Callable[[Any, Any], Any]:
    readers = _TOLERATED.get(kind, {})
    if kind is types.InitializeParams:
        # Invalid members are treated as missing, so that the server starts.
        readers = {field.name: _if_right(field.type) for field in attrs.fields(kind)} | readers
    members = {
        field.name: override(rename=camel_case(field.name), struct_hook=readers.get(field.name))
        for field in attrs.fields(kind)
    }
    read: Callable[[Any, Any], Any] = make_dict_structure_fn(kind, made, **members)  # type: ignore[arg-type]
    defaults = _DEFAULTS.get(kind, {})

    def read_object(value: Any, _: Any) -> Any:
        _expect(value, dict)
        return read({**defaults, **value} if defaults else value, kind)

    return read_object


def _if_right(kind: Any) -> Callable[[Any, Any], Any]:
    """Return a reader of an optional member that treats an invalid value as missing."""

    def read(value: Any, _: Any) -> Any:
        try:
            return converter().structure(value, kind)
        except Exception:  # noqa: BLE001 - whatever a client sends there, the server starts.
            return None

    return read


def _places_of_diagnostics(value: Any) -> list[types.Diagnostic]:
    """Return the diagnostics of a client that have a valid range; those of other servers may be invalid."""
    if not isinstance(value, list):
        return []
    diagnostics: list[types.Diagnostic] = []
    for entry in value:
        place = structured_or_none(entry.get("range"), types.Range) if isinstance(entry, dict) else None
        if place is not None:
            code = entry.get("code")
            diagnostics.append(types.Diagnostic(place, "", code=code if isinstance(code, str) else None))
    return diagnostics


# Members that the protocol requires, and their values if a client omits them.
_DEFAULTS: dict[type, dict[str, Any]] = {
    types.TextDocumentItem: {"languageId": "yaml"},
    types.CodeActionContext: {"diagnostics": []},
    types.CompletionContext: {"triggerKind": types.CompletionTriggerKind.Invoked.value},
}
# Members that are read differently from their types.
_TOLERATED: dict[type, dict[str, Callable[[Any, Any], Any]]] = {
    # Some clients send no versions.
    types.VersionedTextDocumentIdentifier: {
        "version": lambda value, _: value if value is None else _expect(value, int),
    },
    # Plain strings: an enumeration that is a string has another hash, and another text in each Python.
    types.TextDocumentItem: {"language_id": lambda value, _: _expect(value, str)},
    types.CodeActionContext: {
        "only": lambda value, _: None if value is None else [_expect(kind, str) for kind in _expect(value, list)],
        "diagnostics": lambda value, _: _places_of_diagnostics(value),
    },
    # The capabilities stay JSON, which `convert.client_of` reads.
    types.InitializeParams: {"capabilities": lambda value, _: _expect(value, dict)},
}


def camel_case(name: str) -> str:
    """Return a name of Python as the protocol writes it."""
    first, *others = name.removesuffix("_").split("_")
    return first + "".join(map(str.title, others))


def _complaint(error: BaseException, value: Any, path: str) -> str:
    """Return the first error of cattrs about a value as a sentence."""
    while isinstance(error, BaseValidationError):
        error = error.exceptions[0]
        for note in getattr(error, "__notes__", ()):
            if isinstance(note, IterableValidationNote):
                if not isinstance(value, list):
                    return f"`{path}` must be a list."
                path, value = f"{path}[{note.index}]", value[int(note.index)]
            elif isinstance(note, AttributeValidationNote):
                name = camel_case(note.name)
                path = f"{path}.{name}"
                if name not in value:
                    return f"`{path}` is missing."
                value = value[name]
    return f"`{path}` must be {error}." if isinstance(error, _UnexpectedTypeError) else f"`{path}` is not valid."
