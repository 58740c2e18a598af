"""The elements of JUnit XML, for problems and for results, in which no text breaks the XML or commands a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, indent, tostring

from rubric_core.report.portable import harmless_lines

if TYPE_CHECKING:
    from collections.abc import Iterable


def element(name: str, /, *children: Element, text: object = "", **attributes: object) -> Element:
    """Return an element. An attribute that is None is left out."""
    given = {key: harmless_lines(str(value)) for key, value in attributes.items() if value is not None}
    made = Element(name, given)
    made.text = harmless_lines(str(text)) or None
    made.extend(children)
    return made


def document(suites: Iterable[Element], **attributes: object) -> str:
    """Return the whole XML document."""
    root = element("testsuites", *suites, **attributes)
    indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(root, encoding="unicode")}\n'
