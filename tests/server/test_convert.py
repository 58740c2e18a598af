"""Positions, ranges and diagnostics, without a process: they agree with Python's own codecs for any text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import editor
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lsprotocol import types

from rubric_core.analysis.check import analyse
from rubric_core.rules.problem import Problem, Related, Severity
from rubric_core.syntax.document import Document
from rubric_core.text.spans import Edit, Span, apply_edits
from rubric_server import convert
from rubric_server.encoded import Encoder, template_of
from rubric_server.protocol.converter import converter, to_json, to_json_text

if TYPE_CHECKING:
    from rubric_core.text.encodings import PositionEncoding

ENCODINGS: list[PositionEncoding] = ["utf-8", "utf-16", "utf-32"]
TEXTS = st.lists(
    st.sampled_from(
        ["evalcases:", "  - id: a", "    rubrics: [🎉]", "\n", "\r\n", "\r", "é", "🧪", "\u2028", "# c", "---"]
    ),
    max_size=30,
).map("".join)


def sound_offsets(text: str) -> list[int]:
    """Return the offsets that an editor can name: all but the one inside of a CRLF."""
    return [at for at in range(len(text) + 1) if text[at - 1 : at + 1] != "\r\n"]


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(text=TEXTS)
def test_every_offset_has_its_position_and_comes_back(encoding: PositionEncoding, text: str) -> None:
    """The way there agrees with an independent count, and the way back is its inverse."""
    document = Document(text)
    for offset in sound_offsets(text):
        position = convert.position_of(document, offset, encoding)
        assert position == editor.position_of(text, offset, encoding)
        assert convert.offset_of(document, position, encoding) == offset


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(text=TEXTS, line=st.integers(-3, 60), character=st.integers(-3, 60))
def test_a_position_outside_of_the_text_is_moved_into_it(
    encoding: PositionEncoding, text: str, line: int, character: int
) -> None:
    """A client that counts wrongly never gets us out of the text."""
    position = converter().structure({"line": line, "character": character}, types.Position)
    assert 0 <= convert.offset_of(Document(text), position, encoding) <= len(text)


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(text=TEXTS, new=TEXTS, data=st.data())
def test_a_change_is_the_edit_that_it_says(
    encoding: PositionEncoding, text: str, new: str, data: st.DataObject
) -> None:
    """A change with a range replaces just that; one without replaces all."""
    document = Document(text)
    start, end = sorted(data.draw(st.tuples(*[st.sampled_from(sound_offsets(text))] * 2)))
    place = types.Range(editor.position_of(text, start, encoding), editor.position_of(text, end, encoding))
    part = types.TextDocumentContentChangePartial(place, new)
    assert convert.edit_of(document, part, encoding) == Edit(start, end, new)
    whole = convert.edit_of(document, types.TextDocumentContentChangeWholeDocument(new), encoding)
    assert apply_edits(text, [whole]) == new


def test_a_range_that_runs_backwards_is_empty() -> None:
    """A selection has two ends; a range has a start."""
    wanted = types.Range(types.Position(0, 3), types.Position(0, 1))
    assert convert.span_of(Document("abcd"), wanted, "utf-8") == Span(3, 3)


@pytest.mark.parametrize(
    ("severity", "expected"),
    [
        (Severity.ERROR, types.DiagnosticSeverity.Error),
        (Severity.WARNING, types.DiagnosticSeverity.Warning),
        (Severity.HINT, types.DiagnosticSeverity.Hint),
    ],
)
def test_a_client_that_promises_nothing_gets_the_least(severity: Severity, expected: types.DiagnosticSeverity) -> None:
    """Related places and tags are left out, severities are kept."""
    related = (Related(Span(0, 1), "Here."),)
    problem = Problem("RB999", "x", severity, Span(0, 1), "Say.", related=related, deprecated=True)
    found = convert.diagnostic_of(problem, "u", convert.Ranges(Document("ab"), "utf-16"), convert.client_of({}))
    assert found.severity is expected
    assert found.tags is found.related_information is None


def test_what_is_no_kind_of_judge_is_ignored() -> None:
    """Whatever a client sends there, the server starts."""
    client = convert.client_of({"experimental": {"rubric": {"judges": ["manual", {}, 1, "other"]}}})
    assert client.judges == {"manual"}


def test_a_message_that_looks_like_json_keeps_its_numbers() -> None:
    """Only the lines of positions move with the chunk."""
    message = 'Write "line": 3, or \\"line": 4, or 100 %d.'
    place = types.Range(types.Position(1, 2), types.Position(3, 4))
    moved = json.loads(template_of(to_json_text(types.Diagnostic(place, message))).below(10))
    assert moved["message"] == message
    assert (moved["range"]["start"]["line"], moved["range"]["end"]["line"]) == (11, 13)


CASE = """\
  - id: {id}
    expected_outcome: Answers 🎉 in {id} words
    input_messages:
      - {{content: 🎉, role: {role}}}
    rubrics: [Says 🎉, Says 🎉]
"""
CLIENT = convert.Client(encoding="utf-16", related=True, tags=True)


@settings(max_examples=min(30, settings.default.max_examples))  # Each example checks a file several times over.
@given(
    edits=st.lists(
        st.tuples(st.integers(0, 900), st.integers(0, 12), st.sampled_from(["", "x", "🎉", "\n", "  - id: a\n", "#"])),
        max_size=8,
    )
)
def test_kept_diagnostics_are_those_that_would_be_made_anew(edits: list[tuple[int, int, str]]) -> None:
    """After any edits, what is kept with the chunks equals what a fresh look at the text gives."""
    text = "evalcases:\n" + "".join(CASE.format(id=name, role="usr") for name in "abcab")
    analysis = analyse(text, path="a.eval.yaml")
    encoder = Encoder("u", CLIENT)
    analysis.refresh()
    encoder.encode(analysis)
    for start, length, new in edits:
        analysis.edit([Edit(start, start + length, new)])
        analysis.refresh()
        kept = json.loads(f"[{', '.join(encoder.encode(analysis))}]")
        ranges = convert.Ranges(Document(analysis.document.text), "utf-16")
        assert kept == to_json([convert.diagnostic_of(found, "u", ranges, CLIENT) for found in analysis.problems()])
