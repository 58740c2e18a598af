"""Every refactor that is offered keeps its promises: in every style, with comments all around, in broken files too.

The meaning is compared through the models, which know nothing of refactors.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from refactoring import all_offered
from suite_styles import Part, Style, insert, read, write
from yaml_texts import documents, edits, mangled

from rubric_core.analysis.check import analyse, check_text
from rubric_core.analysis.verified import errors_of
from rubric_core.assist.actions import refactors_in
from rubric_core.assist.refactors.registry import REFACTORS
from rubric_core.model.load import load_text
from rubric_core.text.spans import Span, apply_edits
from tests.rules.planted_defects import DEFECTS, HOMES, SOUND, Defect
from tests.rules.planted_variants import COMMENTED_STYLES, PROJECT, STYLES, hard_styles, variants

if TYPE_CHECKING:
    from collections import Counter

    from rubric_core.assist.actions import OfferedRefactor

pytestmark = pytest.mark.slow  # Together these take longer than the quick run has.

EXAMPLES = sorted(path for path in (Path(__file__).parents[3] / "examples").glob("*.*") if path.suffix != ".json")
ALL_STYLES = (*STYLES, *COMMENTED_STYLES)
# Comments all around are the hardest, and JSON has rules of its own.
_COMMENT = re.compile(r"# (?:above|behind) \d+")
_TOUCHED = frozenset({"ranges", "criteria", "criterion", "rubrics", "scorecard", "weights", "red flags", "bonuses"})
_KEEP_ALL = {refactor.name for refactor in REFACTORS} - {"split-band", "distribute-bands"}
_SLOW_IS_FINE = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@lru_cache(maxsize=4)
def _meaning(text: str, path: str) -> Any:
    """Return what is loaded from a text; the order of score ranges means nothing."""
    return [_sorted(suite.model_dump(exclude={"path", "dataset"})) for suite in load_text(text, path)]


@lru_cache(maxsize=4)
def _errors(text: str, path: str) -> Counter[str]:
    return errors_of(check_text(text, path=path, project=PROJECT).problems)


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: sorted(each, key=str) if key == "score_ranges" else _sorted(each) for key, each in value.items()}
    return [_sorted(each) for each in value] if isinstance(value, list | tuple) else value


def _texts(value: Any) -> list[str]:
    """Return the texts of all score ranges in something that was loaded, from low to high."""
    if isinstance(value, dict):
        own = sorted(value.get("score_ranges", ()), key=lambda each: (each["minimum"], each["maximum"]))
        return [each["expected_outcome"] for each in own] + [
            text for key, each in value.items() if key != "score_ranges" for text in _texts(each)
        ]
    return [text for each in value for text in _texts(each)] if isinstance(value, list | tuple) else []


def _assert_kept(text: str, path: str, offered: OfferedRefactor) -> str:
    """The text parses, no error is new, no comment is lost, the line breaks stay, and it means what it meant."""
    wanted = offered.edits()
    said = f"{offered.refactor.name}: {offered.title}\n{text}\n{offered.proposal.edits}"
    assert wanted is not None, said
    after = apply_edits(text, wanted)
    said += f"\n{after}"
    assert after != text, said
    errors = _errors(text, path)
    assert not _errors(after, path) - errors, said
    is_copy = offered.refactor.name == "inline-scorecard"
    old, new = _COMMENT.findall(text), _COMMENT.findall(after)
    assert set(old) == set(new) if is_copy else sorted(old) == sorted(new), said
    if text.endswith("\r\n"):
        assert "\n" not in after.replace("\r\n", ""), said
    meanings = _meaning(text, path), _meaning(after, path)
    if offered.refactor.name in _KEEP_ALL:
        assert meanings[0] == meanings[1], said
    elif errors:
        # The models leave out ranges that are wrong, so that nothing can be notified of them.
        pass
    elif offered.refactor.name == "distribute-bands":
        assert _texts(meanings[0]) == _texts(meanings[1]), said
    else:
        assert set(_texts(meanings[0])) < set(_texts(meanings[1])), said
    return after


def _path_of(style: Style) -> str:
    return "suite.jsonl" if style.shape == "jsonl" else "suite.eval.yaml"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_in_the_examples(example: Path) -> None:
    """Whatever is offered anywhere in an example does what it says."""
    text = example.read_text(encoding="utf-8")
    offers = list(all_offered(analyse(text, path=example.name)))
    assert offers
    for offered in offers:
        _assert_kept(text, example.name, offered)


@pytest.mark.parametrize("kind", sorted(_TOUCHED))
def test_in_sound_files_of_every_style(kind: str) -> None:
    """Block and flow, any indentation, CRLF, JSON and JSON lines, with and without comments."""
    names: set[str] = set()
    for home in HOMES[kind].values():
        for style in ALL_STYLES:
            written = write(insert(home, read(SOUND[kind])), style)
            if written is not None:
                path = _path_of(style)
                for offered in all_offered(analyse(written.text, path=path, project=PROJECT)):
                    names.add(offered.refactor.name)
                    _assert_kept(written.text, path, offered)
    assert names


@pytest.mark.parametrize("defect", [each for each in DEFECTS if each.kind in _TOUCHED], ids=str)
def test_in_broken_files(defect: Defect) -> None:
    """Something is wrong in the file: what is offered all the same makes nothing worse."""
    for variant in variants(defect, hard_styles(defect)):
        for offered in all_offered(analyse(variant.text, path=variant.path, project=PROJECT)):
            _assert_kept(variant.text, variant.path, offered)


# Ranges of any number and any text

_TEXTS_OF_RANGES = st.sampled_from(
    ("No port", "a: b", "# none", "- dash", "it's", 'say "so"', "🎉 ünïcode", "trailing:", "{x}", "0", "true", "[a, b]")
)


@st.composite
def _scales(draw: st.DrawFn) -> Part:
    """Draw a map of score ranges that covers 0-10."""
    keys = sorted({0, *draw(st.sets(st.integers(1, 10), max_size=4))})
    texts = draw(st.lists(_TEXTS_OF_RANGES, min_size=len(keys), max_size=len(keys), unique=True))
    pairs = [(Part(str(key)), Part(text, is_quoted=True)) for key, text in zip(keys, texts, strict=True)]
    return Part(pairs=pairs)


_STYLES = st.sampled_from(ALL_STYLES)
_RANGE_HOMES = st.sampled_from(sorted(HOMES["ranges"]))


@settings(_SLOW_IS_FINE, max_examples=min(60, settings.default.max_examples))
@given(_scales(), _STYLES, _RANGE_HOMES)
def test_a_map_becomes_an_array_and_the_same_map_again(scale: Part, style: Style, home: str) -> None:
    """There and back it means the same, and a judge never notices the difference."""
    written = write(insert(HOMES["ranges"][home], scale), style)
    if written is None:
        return
    path = _path_of(style)
    text = written.text
    for name in ("map-to-array", "array-to-map"):
        at = text.index("score_ranges")
        offered = next(refactors_in(analyse(text, path=path), Span(at, at), name))
        text = _assert_kept(text, path, offered)
    assert _meaning(text, path) == _meaning(written.text, path)


# Anything at all


@st.composite
def _typed_into(draw: st.DrawFn) -> str:
    """Draw an example that somebody typed into without looking."""
    text = draw(st.sampled_from(EXAMPLES)).read_text(encoding="utf-8")
    for _ in range(draw(st.integers(0, 3))):
        text = apply_edits(text, [draw(edits(len(text)))])
    return text


@settings(_SLOW_IS_FINE)
@given(st.one_of(documents(), mangled(), _typed_into()), st.data())
def test_no_text_makes_a_refactor_fail(text: str, data: st.DataObject) -> None:
    """Whatever is in a file and wherever the cursor is, there is an answer; what is kept is good YAML."""
    start = data.draw(st.integers(0, len(text) + 2))
    end = data.draw(st.integers(start, len(text) + 2))
    path = data.draw(st.sampled_from(("suite.eval.yaml", "suite.jsonl")))
    for offered in refactors_in(analyse(text, path=path), Span(start, end)):
        wanted = offered.edits()
        if wanted is not None:
            after = check_text(apply_edits(text, wanted), path=path)
            assert not errors_of(after.problems) - errors_of(check_text(text, path=path).problems)
