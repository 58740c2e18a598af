"""Diagnostics over the real process: right places, right versions, and silence where nothing is ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from lsprotocol import types

if TYPE_CHECKING:
    from editor import Editor

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_problems_are_at_the_right_place_behind_emoji(editor: Editor, inverted: str) -> None:
    """An emoji is two units of utf-16, four of utf-8 and one of utf-32; the range covers the same text in each."""
    text = inverted.replace(
        "- score_range: [5, 0]  # kept", "- {expected_outcome: Héllo 🎉🎉 there, score_range: [5, 0]}"
    )
    text = text.replace("            expected_outcome: There is no greeting at all\n", "")
    published = await editor.open(text)
    assert editor.under(published.diagnostics) == [("RB104", "[5, 0]")]
    assert published.version == 1
    assert published.diagnostics[0].source == "rubric"
    assert published.diagnostics[0].severity is types.DiagnosticSeverity.Error


async def test_typing_beside_emoji_keeps_text_and_ranges_right(editor: Editor, good: str) -> None:
    """Edits are counted in the client's units too, so the server's text never drifts from the editor's."""
    message = "      - role: user\n        content: Hello\n"
    await editor.open(good.replace(message, "      - {content: Hello 🎉 wörld, role: user}\n"))
    await editor.change(" wörld", "🎉 wörld 🧪")
    await editor.change("Hello 🎉", "é")
    published = await editor.change("role: user", "role: us🎉r")
    assert editor.under(published.diagnostics) == [("RB505", "us🎉r")]
    assert "`us🎉r`" in published.diagnostics[0].message
    published = await editor.change("us🎉r", "user")
    assert (published.version, list(published.diagnostics)) == (5, [])


async def test_every_change_is_answered_with_its_version(plain_editor: Editor, good: str) -> None:
    """What is published says for which version it holds, and a repaired problem is gone."""
    assert not (await plain_editor.open(good)).diagnostics
    broken = await plain_editor.change("[0, 5]", "[5, 0]")
    assert (broken.version, [found.code for found in broken.diagnostics]) == (2, ["RB104"])
    repaired = await plain_editor.change("[5, 0]", "[0, 5]")
    assert (repaired.version, list(repaired.diagnostics)) == (3, [])


async def test_several_changes_in_one_message_are_applied_in_order(plain_editor: Editor, good: str) -> None:
    """Each change names the text that the one before it left."""
    await plain_editor.open(good)
    start = types.Position(0, 0)
    plain_editor.send_changes(
        [
            types.TextDocumentContentChangeWholeDocument(good.replace("[0, 5]", "[5, 0]")),
            types.TextDocumentContentChangePartial(types.Range(start, start), "# a line in front\n"),
        ]
    )
    published = await plain_editor.next_published()
    assert [found.range.start.line for found in published.diagnostics] == [11]


async def test_line_breaks_of_windows_count_once(editor: Editor, inverted: str) -> None:
    """CRLF ends a line like LF does."""
    published = await editor.open(inverted.replace("\n", "\r\n"))
    assert [found.range.start.line for found in published.diagnostics] == [10]
    published = await editor.change("id: greeting\r\n", "id: greeting\r\n\r\n")
    assert editor.under(published.diagnostics) == [("RB104", "[5, 0]")]


async def test_characters_that_only_look_like_line_breaks_are_none(editor: Editor, inverted: str) -> None:
    """The protocol knows LF, CRLF and CR; U+2028 and U+0085 are ordinary characters."""
    published = await editor.open(inverted.replace("Hello", '"Hello \u2028 \u0085 there"'))
    assert [found.range.start.line for found in published.diagnostics] == [10]


async def test_other_yaml_is_left_alone(plain_editor: Editor, good: str) -> None:
    """A file that is not ours is never named, whatever is typed into it."""
    plain_editor.send_open("services:\n  web: {image: nginx\n", "compose.yaml")
    plain_editor.send_change("nginx", "nginx: [", "compose.yaml")
    plain_editor.send_close("compose.yaml")
    published = await plain_editor.open(good)
    assert published.uri == plain_editor.uri("a.eval.yaml")


async def test_other_yaml_that_becomes_an_eval_file_is_checked(plain_editor: Editor, inverted: str) -> None:
    """The content decides, not only the name."""
    plain_editor.send_open("services: {}\n", "new.yaml")
    published = await plain_editor.change("services: {}\n", inverted, "new.yaml")
    assert [found.code for found in published.diagnostics] == ["RB104"]


async def test_a_text_without_a_file_is_checked_with_the_default_configuration(
    plain_editor: Editor, inverted: str
) -> None:
    """An editor's new and unsaved text has no path."""
    item = types.TextDocumentItem("untitled:Untitled-1", "yaml", 7, inverted)
    plain_editor.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    published = await plain_editor.next_published()
    assert (published.uri, published.version) == ("untitled:Untitled-1", 7)
    assert [found.code for found in published.diagnostics] == ["RB104"]
    plain_editor.client.text_document_did_save(
        types.DidSaveTextDocumentParams(types.TextDocumentIdentifier("untitled:Untitled-1"))
    )
    assert (await plain_editor.open(inverted)).uri == plain_editor.uri("a.eval.yaml")


async def test_a_closed_file_is_cleared(plain_editor: Editor, inverted: str, good: str) -> None:
    """Closing takes the problems off the screen; a file that showed none says nothing."""
    await plain_editor.open(inverted)
    plain_editor.send_close()
    assert not (await plain_editor.next_published()).diagnostics
    await plain_editor.open(good)
    plain_editor.send_close()
    assert (await plain_editor.open(good, "b.eval.yaml")).uri == plain_editor.uri("b.eval.yaml")


async def test_related_places_and_tags_are_shown(plain_editor: Editor, good: str) -> None:
    """A repeated id points at its first use in another case, and an old name is struck through."""
    second = good.partition("\n")[2].replace("expected_outcome: There", "description: There")
    published = await plain_editor.open(good + second)
    # On a busy machine what is found first is shown before the rest.
    while len(published.diagnostics) < 2:
        published = await plain_editor.next_published()
    assert [found.code for found in published.diagnostics] == ["RB203", "RB006"]
    repeated, old_name = published.diagnostics
    assert repeated.related_information is not None
    (related,) = repeated.related_information
    assert (related.location.uri, related.location.range.start.line) == (published.uri, 1)
    assert list(old_name.tags or ()) == [types.DiagnosticTag.Deprecated]
    moved = await plain_editor.change("evalcases", "# above\nevalcases")
    (related,) = moved.diagnostics[0].related_information or ()
    assert related.location.range.start.line == 2


async def test_json_lines_are_read_as_json(plain_editor: Editor) -> None:
    """The name tells that each line is a case of its own."""
    message = '{"content": "🎉", "role": "usr"}'
    case = f'{{"id": "a", "expected_outcome": "Says what was asked", "input_messages": [{message}]}}\n'
    published = await plain_editor.open(case, "cases.jsonl")
    assert ("RB505", '"usr"') in plain_editor.under(published.diagnostics, "cases.jsonl")


async def test_a_changed_configuration_counts_at_once(plain_editor: Editor, inverted: str) -> None:
    """The server asked to be notified of configurations, and looks at the open files again."""
    await plain_editor.open(inverted)
    assert plain_editor.registered == ["workspace/didChangeWatchedFiles"]
    settings = plain_editor.folder / "rubric.toml"
    settings.write_text('ignore = ["RB104"]\n')
    event = types.FileEvent(settings.as_uri(), types.FileChangeType.Created)
    plain_editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    published = await plain_editor.next_published()
    assert (published.version, list(published.diagnostics)) == (1, [])
    settings.unlink()
    identifier = types.TextDocumentIdentifier(settings.as_uri())
    plain_editor.client.text_document_did_save(types.DidSaveTextDocumentParams(identifier))
    assert [found.code for found in (await plain_editor.next_published()).diagnostics] == ["RB104"]


async def test_a_file_that_a_case_refers_to_is_looked_for_again(plain_editor: Editor, good: str) -> None:
    """Writing the missing file takes the problem away; a save that changes nothing publishes nothing."""
    content = "content:\n          - type: file\n            value: data.txt"
    missing = await plain_editor.open(good.replace("content: Hello", content))
    assert plain_editor.under(missing.diagnostics) == [("RB503", "data.txt")]
    saved = types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(plain_editor.uri("a.eval.yaml")))
    plain_editor.client.text_document_did_save(saved)
    (plain_editor.folder / "data.txt").write_text("here")
    plain_editor.client.text_document_did_save(saved)
    assert not (await plain_editor.next_published()).diagnostics
