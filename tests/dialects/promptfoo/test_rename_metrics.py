"""Rename of metrics in promptfoo: every use is renamed, or the rename is refused with the reason."""

from __future__ import annotations

import pytest
from assistance import cut_cursor, finished

from rubric_core.analysis.check import analyse
from rubric_core.assist.names.rename import RenameError, renamable_at, rename
from rubric_core.text.spans import apply_edits

HEAD = 'prompts: ["{{ q }}"]\nproviders: [echo]\n'
TEST = "tests:\n  - vars: {q: x}\n    assert: [{type: is-json, metric: $0polite}]\n"
PLACES = {
    "in a formula in quotes": 'derivedMetrics:\n  - {name: d, value: "polite / 2"}\n',
    "in a formula of several lines": "derivedMetrics:\n  - name: d\n    value: >-\n      polite / 2 +\n      polite\n",
    "behind a part of a longer word": "derivedMetrics:\n  - name: d\n    value: |\n      polite_2 + 3 * polite\n",
    "in the default test": "defaultTest:\n  assert:\n    - {type: is-json, metric: polite}\n",
    "in a set": (
        "defaultTest:\n  assert:\n    - {type: assert-set, metric: polite, assert: [{type: is-json, metric: polite}]}\n"
    ),
    "in a scenario": (
        "scenarios:\n  - config:\n      - assert: [{type: is-json, metric: polite}]\n"
        "    tests:\n      - assert: [{type: is-json, metric: polite}]\n"
    ),
    "below a key that is referred to": "assertionTemplates:\n  a: {type: is-json, metric: polite}\n",
    "below a key that is repeated": "x-all: &all\n  assert: [{type: is-json, metric: polite}]\ndefaultTest: *all\n",
}


def _renamed(marked: str, new: str, path: str = "promptfooconfig.yaml") -> str:
    text, at = cut_cursor(marked)
    analysis = analyse(text, path=path)
    name = renamable_at(analysis, at)
    assert name is not None
    return apply_edits(text, finished(rename(analysis, name, new)))


def test_a_metric_is_renamed_wherever_it_is_used() -> None:
    """From an assertion."""
    for place, text in PLACES.items():
        expected = (HEAD + text + TEST).replace("$0", "").replace("polite_2", "WORD").replace("polite", "kind")
        assert _renamed(HEAD + text + TEST, "kind") == expected.replace("WORD", "polite_2"), place


def test_a_metric_is_renamed_in_json() -> None:
    """On one line."""
    text = '{"prompts": ["a"], "derivedMetrics": [{"name": "d", "value": "polite / 2"}], "tests": [%s]}'
    text %= '{"assert": [{"type": "is-json", "metric": "$0polite"}]}'
    assert _renamed(text, "kind", "promptfooconfig.json") == text.replace("$0", "").replace("polite", "kind")


def test_a_derived_metric_is_renamed_where_others_are_computed_from_it() -> None:
    """From its own name."""
    text = HEAD + "derivedMetrics:\n  - {name: $0half, value: polite / 2}\n  - {name: d, value: half + 1}\n" + TEST
    plain = text.replace("polite}]", "$polite}]").replace("$0$", "")
    assert _renamed(text.replace("$0polite", "polite"), "mean") == plain.replace("$0", "").replace("half", "mean")


@pytest.mark.parametrize(
    ("place", "new", "reason"),
    [
        ("derivedMetrics:\n  - {name: d, value: &f polite / 2}\n  - {name: e, value: *f}\n", "kind", "with an anchor"),
        ('derivedMetrics:\n  - {name: d, value: "\\x20polite / 2"}\n', "kind", "or escapes; rename it by hand"),
        ("derivedMetrics:\n  - {name: d, value: polite / 2}\n", "d", "is used for a metric of this file already"),
        (
            'defaultTest: {assert: [{type: is-json, metric: "{{ q }}"}]}\n',
            "kind",
            "may be called `polite` in some tests",
        ),
        ("defaultTest: {assert: [{type: is-json, metric: &m polite}]}\n", "kind", "has an anchor"),
    ],
)
def test_a_rename_that_would_leave_a_use_is_refused(place: str, new: str, reason: str) -> None:
    """With the reason."""
    with pytest.raises(RenameError, match=reason):
        _renamed(HEAD + place + TEST, new)


def test_the_variable_in_a_metric_is_renamed() -> None:
    """The metric itself has a name for each value."""
    text = HEAD + TEST.replace("$0polite", '"{{ $0q }}"')
    assert _renamed(text, "word") == text.replace("$0", "").replace("{{ q }}", "{{ word }}").replace("{q:", "{word:")
    with pytest.raises(RenameError, match="is a template, which may have several names"):
        _renamed(HEAD + TEST.replace("$0polite", '$0"{{ q }}"'), "word")
