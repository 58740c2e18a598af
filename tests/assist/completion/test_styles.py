"""Whatever is proposed gives text that parses, with the key where it belongs, in every style of indentation."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import pytest
from completions import accept, complete_at
from suite_styles import Style, read, write

from rubric_core.analysis.check import analyse
from rubric_core.assist.completion.insert_text import TabStop
from rubric_core.assist.completion.proposals import ProposalKind
from rubric_core.assist.completion.snippets import continuation
from rubric_core.dialects.registry import DEFAULT_DIALECT
from rubric_core.schema.fields import Field, FieldType
from rubric_core.syntax.edits import column_of
from rubric_core.syntax.limits import DEFAULT_LIMITS
from rubric_core.syntax.nodes import Mapping, Node, Sequence, walk
from rubric_core.syntax.parse import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

_STYLES = [
    Style(step=step, is_flush=is_flush, line_break=line_break)
    for step, is_flush, line_break in product((2, 4), (False, True), ("\n", "\r\n"))
]
_FORMS = {
    "map": "{0: Nothing at all, 4: Some of it}",
    "list": "[{score_range: [0, 3], expected_outcome: Nothing}, {score_range: [4, 6], expected_outcome: Some}]",
}
_SUITE = """{
  description: Ports,
  scorecards: {support: {skill: mail, weights: {correctness: 0.5}, red_flags: [{id: rude, deduction: 1.0}]}},
  evalcases: [
    {id: port, input_messages: [{role: user}, {role: system, content: [{type: text, value: Hello}]}],
     rubrics: [Names it, {id: range, score_ranges: %s}],
     execution: {target: default, evaluators: [{name: judge, type: llm_judge}, {name: code, type: code_judge}]}},
    {id: other, expected_outcome: Works}
  ]
}"""
_PATH = "a.eval.yaml"


class Slot(NamedTuple):
    """A line to type on: `at` is where it is put in, `column` where the cursor is, `path` what it belongs to."""

    at: int
    column: int
    path: tuple[str | int, ...]
    is_list: bool
    count: int


def _tree(text: str) -> Node:
    tree = parse(text, lookup=lambda _name: None, limits=DEFAULT_LIMITS)
    assert tree.root is not None, text
    assert not tree.problems, f"{text}\n{tree.problems}"
    return tree.root


def _paths(node: Node, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Node]]:
    yield path, node
    if isinstance(node, Mapping):
        for pair in node.pairs:
            yield from _paths(pair.value, (*path, pair.name or ""))
    elif isinstance(node, Sequence):
        for number, item in enumerate(node.items):
            yield from _paths(item, (*path, number))


def _slots(text: str) -> Iterator[Slot]:
    """Give a slot behind each entry of each collection in block style, in the column of its keys or dashes."""
    for path, node in _paths(_tree(text)):
        if isinstance(node, Mapping) and not node.flow:
            for number, pair in enumerate(node.pairs, start=1):
                end = max(pair.key.end, pair.value.end)
                yield Slot(_line_after(text, end), column_of(text, node.pairs[0].key.start), path, False, number)
        elif isinstance(node, Sequence) and not node.flow:
            for number, item in enumerate(node.items, start=1):
                yield Slot(_line_after(text, item.end), column_of(text, node.start), path, True, number)


def _line_after(text: str, offset: int) -> int:
    return text.index("\n", offset) + 1


def _at(root: Node, path: tuple[str | int, ...]) -> Node:
    return dict(_paths(root))[path]


def _texts(style: Style, form: str) -> str:
    written = write(read(_SUITE % _FORMS[form]), style)
    assert written is not None
    return written.text


def _typed(text: str, slot: Slot, style: Style, word: str = "", shift: int = 0) -> str:
    line = " " * max(slot.column + shift, 0) + word + "$0" + style.line_break
    return text[: slot.at] + line + text[slot.at :]


_CASES = [pytest.param(style, form, id=f"{style}-{form}") for style in _STYLES for form in _FORMS]


@pytest.mark.parametrize(("style", "form"), _CASES)
@pytest.mark.parametrize("word", [pytest.param("", id="blank"), pytest.param("re", id="word", marks=pytest.mark.slow)])
def test_every_proposal_on_a_line_of_its_own_lands_where_the_column_says(style: Style, form: str, word: str) -> None:
    """A key goes to the mapping whose keys are in the cursor's column, an item to the list with its dashes there."""
    text = _texts(style, form)
    before = _tree(text)
    kinds: set[ProposalKind] = set()
    for slot in _slots(text):
        typed, found = complete_at(_typed(text, slot, style, word), _PATH)
        for item in found.items if found is not None else ():
            starts_item = item.text.lstrip(" ").startswith("- ")
            if starts_item is not slot.is_list:
                # In a flush list both are in one column; the other slot looks at these.
                continue
            kinds.add(item.kind)
            for snippet in (False, True):
                after = _tree(accept(typed, found, item, snippet=snippet))
                _assert_grown(before, after, slot, item.text)
    assert kinds >= {ProposalKind.KEY, ProposalKind.SNIPPET}


def _assert_grown(before: Node, after: Node, slot: Slot, inserted: str) -> None:
    """Hold that one entry came to the right collection and that nothing else moved."""
    old, new = _at(before, slot.path), _at(after, slot.path)
    if isinstance(old, Sequence):
        assert isinstance(new, Sequence), inserted
        assert len(new.items) == len(old.items) + 1, inserted
        return
    assert isinstance(old, Mapping)
    assert isinstance(new, Mapping)
    key = inserted.lstrip(" ").partition(":")[0]
    names = [pair.name for pair in old.pairs]
    assert [pair.name for pair in new.pairs if pair.name not in names or pair.name == key].count(key) == 1, inserted
    assert [name for pair in new.pairs if (name := pair.name) != key] == names, inserted


@pytest.mark.parametrize(("style", "form"), _CASES)
def test_every_proposal_behind_a_fresh_dash_makes_an_item(style: Style, form: str) -> None:
    """Behind a dash that was just typed, keys and snippets become the new item of that list."""
    text = _texts(style, form)
    before = _tree(text)
    seen = 0
    for slot in _slots(text):
        if not slot.is_list:
            continue
        for dash in ("- ", "-", "-".ljust(style.step)):
            typed, found = complete_at(_typed(text, slot, style, dash), _PATH)
            assert found is not None
            for item in found.items:
                seen += 1
                new = _at(_tree(accept(typed, found, item, snippet=True)), slot.path)
                old = _at(before, slot.path)
                assert isinstance(new, Sequence)
                assert isinstance(old, Sequence)
                assert len(new.items) == len(old.items) + 1
                fresh = new.items[slot.count]
                key = item.text.lstrip(" ").partition(":")[0]
                assert not isinstance(fresh, Mapping) or key in fresh.index
    assert seen > 50


@pytest.mark.parametrize(("style", "form"), _CASES)
def test_what_is_inserted_is_set_in_like_its_neighbours(style: Style, form: str) -> None:
    """The style is read from the text: each new line is in a column that is one step away from another."""
    text = _texts(style, form)
    slot = next(slot for slot in _slots(text) if slot.path == ("evalcases", 1))
    typed, found = complete_at(_typed(text, slot, style), _PATH)
    assert found is not None
    with_list, with_mapping = (
        accept(typed, found, next(item for item in found.items if item.label == label))
        for label in ("input_messages", "inline scorecard")
    )
    scorecard = _at(_tree(with_mapping), ("evalcases", 1, "scorecard"))
    assert column_of(with_mapping, scorecard.start) == slot.column + style.step
    messages = _at(_tree(with_list), ("evalcases", 1, "input_messages"))
    assert isinstance(messages, Sequence)
    dash = column_of(with_list, messages.start)
    assert dash == slot.column + (0 if style.is_flush else style.step)
    assert column_of(with_list, messages.items[0].start) == dash + style.step
    assert with_list.count("\n") == with_list.count(style.line_break)


@pytest.mark.parametrize(("style", "form"), _CASES)
@pytest.mark.parametrize(
    "shift", [pytest.param(1, id="one deeper"), pytest.param(3, id="three deeper", marks=pytest.mark.slow)]
)
def test_a_cursor_that_is_too_deep_still_gets_the_keys_of_the_mapping(style: Style, form: str, shift: int) -> None:
    """The spaces that are too many go."""
    text = _texts(style, form)
    before = _tree(text)
    slot = next(slot for slot in _slots(text) if slot.path == ("evalcases", 1) and slot.count == 2)
    typed, found = complete_at(_typed(text, slot, style, shift=shift), _PATH)
    assert found is not None
    for item in found.items:
        _assert_grown(before, _tree(accept(typed, found, item)), slot, item.text)


@pytest.mark.parametrize(("style", "form"), _CASES)
def test_values_and_lists_behind_a_key_parse(style: Style, form: str) -> None:
    """Behind each key that could have a value, every proposal gives text that parses, also directly at the colon."""
    text = _texts(style, form)
    before = _tree(text)
    seen = 0
    for node in walk(before):
        for pair in node.pairs if isinstance(node, Mapping) and not node.flow else ():
            line_end = text.index(style.line_break, pair.key.end)
            if pair.value.end > line_end:
                continue
            for space in (" ", ""):
                marked = text[: pair.key.end] + ":" + space + "$0" + text[line_end:]
                typed, found = complete_at(marked, _PATH)
                for item in found.items if found is not None else ():
                    seen += 1
                    _tree(accept(typed, found, item, snippet=True))
    assert seen > 10


def test_a_text_with_every_proposal_stays_ours() -> None:
    """The snippets of cases, criteria and evaluators bring no error of their own."""
    text = _texts(_STYLES[0], "map")
    for slot in _slots(text):
        typed, found = complete_at(_typed(text, slot, _STYLES[0]), _PATH)
        for item in found.items if found is not None else ():
            if item.kind is not ProposalKind.SNIPPET:
                continue
            known = {problem.code for problem in analyse(text, path=_PATH).problems()}
            fresh = {problem.code for problem in analyse(accept(typed, found, item), path=_PATH).problems()}
            assert fresh - known <= {"RB103", "RB301", "RB303", "RB404", "RB504", "RB601", "RB603"}, item.label


def test_a_list_of_strings_starts_with_an_item() -> None:
    """Also one that the snippets have never heard of; a single word behind its key would be a wrong type."""
    labels = Field("labels", FieldType.SEQUENCE, "Labels.", items=FieldType.STRING)
    assert continuation(labels, "labels", DEFAULT_DIALECT) == [TabStop()]
