"""Score ranges are checked and repaired in whatever form they are written.

The tables below are multiplied: map or array; block style, flow style on one line, flow style with a line for each
range; two or four spaces; lists indented or flush with their key; both line breaks; inline rubrics, rubrics of an
evaluator, and ranges under an anchor that another criterion uses.
"""

from __future__ import annotations

import json
import re
from itertools import product
from typing import NamedTuple

import pytest
from ruamel.yaml import YAML

from rubric_core.analysis.check import check_text, fix_text
from rubric_core.rules.problem import Severity
from rubric_core.text.spans import apply_edits

pytestmark = pytest.mark.slow  # Together these take longer than the quick run has.

PATH = "suite.eval.yaml"


class Form(NamedTuple):
    """One way to write a file."""

    style: str
    step: int
    is_flush: bool
    line_break: str
    home: str

    def __str__(self) -> str:
        lists = "flush" if self.is_flush else "indented"
        return (
            f"{self.style}-{self.step}-{lists}-{'crlf' if self.line_break == chr(13) + chr(10) else 'lf'}-{self.home}"
        )


FORMS = [
    Form(*each)
    for each in product(
        ("block", "flow", "lines"), (2, 4), (False, True), ("\n", "\r\n"), ("inline", "evaluator", "anchor")
    )
]
# The opposite corners of the table, for what has less to do with white space.
FEW_FORMS = [
    form for form in FORMS if (form.step, form.is_flush, form.line_break) in {(2, False, "\n"), (4, True, "\r\n")}
]


class Ranges(NamedTuple):
    """Score ranges as pairs of what is written for the bounds and for the text; `gate` is a bound to gate at."""

    kind: str
    bands: tuple[tuple[str, str], ...]
    gate: int = 5


# Writing a file


def _indented(lines: list[str], by: int) -> list[str]:
    return [" " * by + line for line in lines]


def _item(lines: list[str], form: Form) -> list[str]:
    return ["-".ljust(form.step) + lines[0], *_indented(lines[1:], form.step)]


def _list(key: str, items: list[list[str]], form: Form) -> list[str]:
    lines = [line for item in items for line in _item(item, form)]
    return [f"{key}:", *_indented(lines, 0 if form.is_flush else form.step)]


def _entry(ranges: Ranges, bounds: str, text: str) -> str:
    return f"{bounds}: {text}" if ranges.kind == "map" else f"{{score_range: {bounds}, expected_outcome: {text}}}"


def _remark(where: str, text: str) -> str:
    return f"# {where} {text.strip(chr(34)).lower()}".rstrip()


def _ranges(ranges: Ranges, form: Form) -> list[str]:
    """Write `score_ranges`. Where there is room, each range has a comment above it and one at the end of its line."""
    key = "score_ranges: &bands" if form.home == "anchor" else "score_ranges:"
    opening, closing = "{}" if ranges.kind == "map" else "[]"
    entries = [(_entry(ranges, *band), band[1]) for band in ranges.bands]
    if form.style == "flow":
        return [f"{key} {opening}{', '.join(entry for entry, _ in entries)}{closing}"]
    if form.style == "lines":
        commas = [","] * (len(entries) - 1) + [""]
        pairs = [
            (_remark("above", text), f"{entry}{comma}  {_remark('behind', text)}")
            for (entry, text), comma in zip(entries, commas, strict=True)
        ]
        return [f"{key} {opening}", *_indented([line for pair in pairs for line in pair], form.step), closing]
    lines: list[str] = []
    for bounds, text in ranges.bands:
        lines.append(_remark("above", text))
        if ranges.kind == "map":
            lines.append(f"{bounds}: {text}  {_remark('behind', text)}")
        else:
            lines += _item([f"score_range: {bounds}", f"expected_outcome: {text}  {_remark('behind', text)}"], form)
    is_flush = form.is_flush and ranges.kind == "array"
    return [key, *_indented(lines, 0 if is_flush else form.step)]


def _write(ranges: Ranges, form: Form) -> str:
    gate = f"required_min_score: {ranges.gate}"
    criterion = ["id: quality", gate, *_ranges(ranges, form)]
    criteria = [criterion]
    if form.home == "anchor":
        criteria.append(["id: other", gate, "score_ranges: *bands"])
    rubrics = _list("rubrics", criteria, form)
    if form.home == "evaluator":
        evaluators = _list("evaluators", [["name: judge", "type: llm_judge", *rubrics]], form)
        rubrics = ["execution:", *_indented(evaluators, form.step)]
    case = [
        "id: port",
        "expected_outcome: Names the port that the server listens on",
        "input_messages: [{role: user, content: Name the port}]",
        *rubrics,
    ]
    lines = [*_list("evalcases", [case], form), "description: The end of the file", ""]
    return form.line_break.join(lines)


# Reading what came of it


def _found(text: str, path: str = PATH) -> list[tuple[str, int]]:
    """Return all problems but the placeholders, which fixes insert."""
    problems = check_text(text, path=path).problems
    return sorted((problem.code, problem.span.start) for problem in problems if problem.code != "RB210")


def _expected(text: str, form: Form, code: str, token: str) -> list[tuple[str, int]]:
    places = [text.index(token)]
    if form.home == "anchor":
        # The ranges are wrong wherever they are used.
        places.append(text.index("*bands"))
    return sorted((code, place) for place in places)


def _fixed_texts(text: str, code: str, path: str = PATH) -> dict[str, str]:
    problems = [problem for problem in check_text(text, path=path).problems if problem.code == code]
    fixes = [fix for problem in problems if problem.fixes is not None for fix in problem.fixes()]
    return {fix.title: apply_edits(text, fix.edits) for fix in fixes}


def _criterion(text: str) -> dict[str, object]:
    suite = YAML(typ="safe", pure=True).load(text)
    case = suite["evalcases"][0]
    owner = case if "rubrics" in case else case["execution"]["evaluators"][0]
    return owner["rubrics"][0]


def _coverage(ranges: object) -> list[int]:
    """Return every score as often as a range covers it."""
    if isinstance(ranges, dict):
        keys = sorted(ranges)
        return [score for low, above in zip(keys, [*keys[1:], 11], strict=True) for score in range(low, above)]
    assert isinstance(ranges, list)
    bounds = sorted(each["score_range"] for each in ranges)
    return [score for low, high in bounds for score in range(low, high + 1)]


def _owners_of_comments(text: str) -> list[tuple[str, str]]:
    """Return each comment with the text of the range that it stands above or behind."""
    lines = re.split(r"\r?\n", text)
    owners: list[tuple[str, str]] = []
    for number, line in enumerate(lines):
        comment = re.search(r"# (above|behind).*", line)
        if comment is None:
            continue
        words = "\n".join(lines[number + 1 :] if comment.group(1) == "above" else [line])
        name = re.search(r"\b(weak|fair|good)\b(?=[^\n]*# behind)", words)
        owners.append((comment.group(), name.group() if name else ""))
    return owners


def _assert_sound(before: str, after: str) -> None:
    problems = check_text(after, path=PATH).problems
    assert [problem.message for problem in problems if problem.code.startswith("RB1")] == []
    assert [problem.message for problem in problems if problem.severity is Severity.ERROR] == []
    assert _coverage(_criterion(after)["score_ranges"]) == list(range(11))
    assert _owners_of_comments(after) == _owners_of_comments(before)
    assert after.count("\n") - after.count("\r\n") == (0 if "\r" in before else after.count("\n"))


# Gaps

GAPS = {
    "start": (Ranges("array", (("[2, 4]", "weak"), ("[5, 7]", "fair"), ("[8, 10]", "good"))), "[2, 4]", "0-1"),
    "middle": (Ranges("array", (("[0, 2]", "weak"), ("[5, 7]", "fair"), ("[8, 10]", "good"))), "[5, 7]", "3-4"),
    "one-score": (Ranges("array", (("[0, 3]", "weak"), ("[5, 7]", "fair"), ("[8, 10]", "good"))), "[5, 7]", "4"),
    "end": (Ranges("array", (("[0, 4]", "weak"), ("[5, 6]", "fair"), ("[7, 8]", "good"))), "[7, 8]", "9-10"),
}
GAP_TITLES = {
    "start": ["Extend 2-4 down to 0-4", "Insert a range for 0-1"],
    "middle": ["Extend 0-2 to 0-4", "Extend 5-7 down to 3-7", "Insert a range for 3-4"],
    "one-score": ["Extend 0-3 to 0-4", "Extend 5-7 down to 4-7", "Insert a range for 4"],
    "end": ["Extend 7-8 to 7-10", "Insert a range for 9-10"],
}


@pytest.mark.parametrize("form", FORMS, ids=str)
@pytest.mark.parametrize("where", GAPS)
def test_a_gap_in_an_array_is_found_and_closed(where: str, form: Form) -> None:
    """The problem is at the range above the gap, and each fix leaves ranges without any problem and every comment."""
    ranges, token, scores = GAPS[where]
    text = _write(ranges, form)
    assert _found(text) == _expected(text, form, "RB103", token)
    message = next(problem.message for problem in check_text(text, path=PATH).problems)
    assert re.match(rf"Scores? {scores} (is|are) not covered by any range; extend .*\.$", message)
    fixed = _fixed_texts(text, "RB103")
    at_anchor = [f"{title}, at the anchor `&bands`" for title in GAP_TITLES[where] if form.home == "anchor"]
    assert list(fixed) == [*GAP_TITLES[where], *at_anchor]
    for after in fixed.values():
        _assert_sound(text, after)


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_a_gap_at_the_start_of_a_map_is_found_and_closed(form: Form) -> None:
    """The problem is at the smallest key, which becomes 0 or gets a key 0 in front of it."""
    text = _write(Ranges("map", (("2", "weak"), ("5", "fair"), ("8", "good"))), form)
    assert _found(text) == _expected(text, form, "RB106", "2: weak")
    fixed = _fixed_texts(text, "RB106")
    assert list(fixed) == ["Change 2 to 0", "Insert a range for 0-1"]
    for after in fixed.values():
        _assert_sound(text, after)


@pytest.mark.parametrize("form", FEW_FORMS, ids=str)
def test_several_gaps_are_closed_one_by_one(form: Form) -> None:
    """Each gap is a problem of its own; a fix closes its gap and leaves the others."""
    text = _write(Ranges("array", (("[1, 2]", "weak"), ("[5, 6]", "fair"), ("[8, 8]", "good"))), form)
    alias = [("RB103", text.index("*bands"))] * 4 if form.home == "anchor" else []
    own = [("RB103", text.index(token)) for token in ("[1, 2]", "[5, 6]", "[8, 8]", "[8, 8]")]
    assert _found(text) == sorted([*own, *alias])
    for after in _fixed_texts(text, "RB103").values():
        assert len(_found(after)) == len(_found(text)) * 3 // 4
        assert _owners_of_comments(after) == _owners_of_comments(text)
    _assert_sound(text, fix_text(text, path=PATH, unsafe=True).text)


# Order

UNSORTED = {
    "array": (Ranges("array", (("[8, 10]", "good"), ("[0, 4]", "weak"), ("[5, 7]", "fair"))), "[0, 4]"),
    "map": (Ranges("map", (("8", "good"), ("0", "weak"), ("5", "fair"))), "0: weak"),
}


@pytest.mark.parametrize("form", FEW_FORMS, ids=str)
@pytest.mark.parametrize("kind", UNSORTED)
def test_unsorted_ranges_are_sorted_with_their_comments(kind: str, form: Form) -> None:
    """The fix is safe, moves every comment with its range, and changes nothing else."""
    ranges, token = UNSORTED[kind]
    text = _write(ranges, form)
    assert _found(text) == _expected(text, form, "RB109", token)
    sorted_ranges = ranges._replace(
        bands=tuple(sorted(ranges.bands, key=lambda band: int(band[0].strip("[").split(",")[0])))
    )
    assert fix_text(text, path=PATH).text == _write(sorted_ranges, form)


# Every other defect

ARRAY = (("[0, 4]", "weak"), ("[5, 7]", "fair"), ("[8, 10]", "good"))
MAP = (("0", "weak"), ("5", "fair"), ("8", "good"))


def _planted(kind: str, place: int, bounds: str | None = None, text: str | None = None) -> Ranges:
    """Put a defect into sound ranges."""
    bands = list(ARRAY if kind == "array" else MAP)
    old_bounds, old_text = bands[place]
    bands[place] = (old_bounds if bounds is None else bounds, old_text if text is None else text)
    return Ranges(kind, tuple(bands))


DEFECTS = {
    "RB101-endpoint": (_planted("array", 1, "[4, 7]"), "[4, 7]"),
    "RB101-inside": (_planted("array", 2, "[7, 10]"), "[7, 10]"),
    "RB102-array-below": (_planted("array", 0, "[-1, 4]"), "-1, 4"),
    "RB102-array-above": (_planted("array", 2, "[8, 11]"), "11]"),
    "RB102-map-below": (_planted("map", 0, "-1"), "-1: weak"),
    "RB102-map-above": (_planted("map", 2, "12"), "12: good"),
    "RB104": (_planted("array", 0, "[4, 0]"), "[4, 0]"),
    "RB105-array": (_planted("array", 0, "[0, 4.5]"), "4.5"),
    "RB105-quoted": (_planted("array", 1, '["5", 7]'), '"5"'),
    "RB105-map": (_planted("map", 1, "4.5"), "4.5"),
    "RB107-array": (_planted("array", 1, text='""'), '""'),
    "RB107-map": (_planted("map", 1, text='""'), '""'),
    "RB108-dash": (_planted("array", 0, "0-4"), "0-4"),
    "RB108-quoted": (_planted("array", 0, '"0-4"'), '"0-4"'),
    "RB108-single": (_planted("array", 0, "[0]"), "[0]"),
    "RB108-mapping": (_planted("array", 0, "{min: 0, max: 4}"), "{min"),
    "RB108-map": (_planted("map", 0, "0-4"), "0-4"),
    "RB110-array": (_planted("array", 2, text="Fair"), "Fair"),
    "RB110-map": (_planted("map", 2, text="Fair"), "Fair"),
}


@pytest.mark.parametrize("form", FEW_FORMS, ids=str)
@pytest.mark.parametrize("name", DEFECTS)
def test_a_planted_defect_is_found_at_its_place_and_nothing_else(name: str, form: Form) -> None:
    """One defect gives one problem, at the number, the key or the text, and each fix leaves sound ranges."""
    ranges, token = DEFECTS[name]
    code = name[:5]
    text = _write(ranges, form)
    assert _found(text) == _expected(text, form, code, token)
    for after in _fixed_texts(text, code).values():
        _assert_sound(text, after)
    assert bool(_fixed_texts(text, code)) == (code != "RB110")


EMPTY = {"null": "", "list": " []", "mapping": " {}"}


@pytest.mark.parametrize("form", [each for each in FORMS if each.style == "block" and each.home != "anchor"], ids=str)
@pytest.mark.parametrize("name", EMPTY)
def test_empty_ranges_get_a_template_in_the_style_of_the_file(name: str, form: Form) -> None:
    """Four ranges are inserted, indented as the rest of the file is, and the comment behind the key stays."""
    sound = _write(Ranges("map", MAP), form)
    start = sound.index("score_ranges:")
    stop = sound.index("description: The end")
    text = f"{sound[:start]}score_ranges:{EMPTY[name]}  # later{form.line_break}{sound[stop:]}"
    place = start if name == "null" else text.index(EMPTY[name].strip(), start)
    assert _found(text) == [("RB111", place)]
    (after,) = _fixed_texts(text, "RB111").values()
    assert _coverage(_criterion(after)["score_ranges"]) == list(range(11))
    assert [code for code, _ in _found(after) if code.startswith("RB1")] == []
    key = next(line for line in after.splitlines() if "score_ranges:" in line)
    below = after.splitlines()[after.splitlines().index(key) + 1]
    assert key.endswith("score_ranges:  # later")
    assert below.index("0:") - key.index("score_ranges") == form.step


# JSON lines


def _json_line(score_ranges: object) -> str:
    messages = [{"role": "user", "content": "Name the port"}]
    rubrics = [{"id": "quality", "score_ranges": score_ranges}]
    case = {"id": "port", "expected_outcome": "Names the port", "input_messages": messages, "rubrics": rubrics}
    return json.dumps(case) + "\n"


def _json_bands(*bounds: object) -> list[dict[str, object]]:
    return [
        {"score_range": each, "expected_outcome": text} for each, text in zip(bounds, ("weak", "fair"), strict=True)
    ]


JSON_DEFECTS: dict[str, tuple[object, str, int]] = {
    "RB101": (_json_bands([0, 5], [5, 10]), "[5, 10]", 2),
    "RB102": (_json_bands([0, 4], [5, 11]), "11]", 1),
    "RB103": (_json_bands([0, 2], [5, 10]), "[5, 10]", 3),
    "RB104": (_json_bands([4, 0], [5, 10]), "[4, 0]", 1),
    "RB105": (_json_bands([0, 4], [4.5, 10]), "4.5", 1),
    "RB106": ({"2": "weak", "5": "fair"}, '"2"', 2),
    "RB107": ({"0": "weak", "5": None}, '"5"', 1),
    "RB108": (_json_bands("0-4", [5, 10]), '"0-4"', 1),
    "RB109": (_json_bands([5, 10], [0, 4]), "[0, 4]", 1),
    "RB111": ([], "[]", 1),
}


@pytest.mark.parametrize("code", JSON_DEFECTS)
def test_json_lines_stay_json(code: str) -> None:
    """A fix of a dataset in JSON lines leaves a line of JSON whose ranges cover every score once."""
    ranges, token, fixes = JSON_DEFECTS[code]
    text = _json_line(ranges)
    assert _found(text, "suite.jsonl") == [(code, text.index(token, text.index("score_ranges")))]
    fixed = _fixed_texts(text, code, "suite.jsonl")
    assert len(fixed) == fixes
    for after in fixed.values():
        repaired = json.loads(after)["rubrics"][0]["score_ranges"]
        if isinstance(repaired, dict):
            repaired = {int(key): value for key, value in repaired.items()}
        assert _coverage(repaired) == list(range(11))
        assert _found(after, "suite.jsonl") == []
