"""Every defect of the table of rules, each written once in the notation of `suite_styles`.

`«…»` is the exact place of the problem, `⟦…⟧` a place that must be given as related; two marks around each other mean
two problems at one place. A defect says in which kind of place it stands; `HOMES` has all places of a kind.
"""

# ruff: noqa: E501 - a table reads best with one defect on each line.
from __future__ import annotations

import re
from dataclasses import dataclass

from suite_styles import Part, insert, read

# Severities of the rules, as the format's table has them.
ERRORS = [
    "RB001",
    "RB002",
    "RB004",
    "RB005",
    "RB008",
    "RB101",
    "RB102",
    "RB103",
    "RB104",
    "RB105",
    "RB106",
    "RB107",
    "RB108",
    "RB111",
    "RB201",
    "RB202",
    "RB203",
    "RB204",
    "RB207",
    "RB501",
    "RB502",
    "RB505",
    "RB601",
    "RB602",
    "RB603",
    "RB604",
    "RB605",
    "RB606",
]
WARNINGS = [
    "RB003",
    "RB007",
    "RB110",
    "RB205",
    "RB210",
    "RB206",
    "RB208",
    "RB209",
    "RB302",
    "RB503",
    "RB504",
    "RB506",
    "RB901",
    "RB902",
]
HINTS = ["RB006", "RB109", "RB301", "RB303", "RB304", "RB401", "RB402", "RB403", "RB404", "RB507", "RB607"]
SEVERITIES = {
    **dict.fromkeys(ERRORS, "error"),
    **dict.fromkeys(WARNINGS, "warning"),
    **dict.fromkeys(HINTS, "hint"),
}


@dataclass(frozen=True)
class Defect:
    """One defect. `fixes` are patterns that titles of its fixes match, those that the format lists for the rule."""

    code: str
    kind: str
    notation: str
    fixes: tuple[str, ...] = ()
    severity: str = ""
    # Whether JSON can hold it, and whether it means the same there.
    in_json: bool = True

    @property
    def stays_at_text(self) -> bool:
        """Tell whether the defect is a matter of the text, reported where that stands and not where it is used."""
        return self.code == "RB002"

    @property
    def expected_severity(self) -> str:
        """Return the severity that the problem must have."""
        return self.severity or SEVERITIES[self.code]

    @property
    def is_absence(self) -> bool:
        """Tell whether a mapping lacks something, so that its first key is the place; that may be a merge key."""
        return self.code in {"RB005", "RB201", "RB502", "RB505"} and bool(re.match(r"{«\w+»: (?!∅)", self.notation))

    def __str__(self) -> str:
        return f"{self.code}-{self.kind}-{self.notation}"


# fmt: off

# Places

_CASE = "id: open-port, expected_outcome: Names the port 🎉, input_messages: [{role: user, content: Which port?}]"
_SUITES = {
    "criteria": {
        "inline": f"{{evalcases: [{{{_CASE}, rubrics: $}}]}}",
        "evaluator of the case": f"{{evalcases: [{{{_CASE}, execution: {{evaluators: [{{name: ports 🎉, type: llm_judge, "
        "rubrics: $}]}}]}",
        "evaluator beside": f"{{evalcases: [{{{_CASE}, evaluators: [{{name: ports, type: rubric, rubrics: $}}]}}]}}",
        "evaluator of the suite": "{execution: {evaluators: [{name: ports, type: llm_judge, rubrics: $}]}, "
        f"evalcases: [{{{_CASE}}}]}}",
        "under another name": f"{{tests: [{{{_CASE}, rubrics: $}}]}}",
    },
    # A mapping with the key `rubrics`.
    "rubrics": {
        "inline": f"{{evalcases: [{{{_CASE}, $}}]}}",
        "evaluator of the case": f"{{evalcases: [{{{_CASE}, execution: {{evaluators: [{{name: ports, type: llm_judge, "
        "$}]}}]}",
    },
    "case": {"list": f"{{evalcases: [$, {{{_CASE}}}]}}", "other name": f"{{cases: [{{{_CASE}}}, $]}}"},
    "evaluators": {
        "execution": f"{{evalcases: [{{{_CASE}, execution: {{evaluators: $}}}}]}}",
        "beside": f"{{evalcases: [{{{_CASE}, evaluators: $}}]}}",
        "suite": f"{{execution: {{evaluators: $}}, evalcases: [{{{_CASE}}}]}}",
    },
    "execution": {
        "case": f"{{evalcases: [{{{_CASE}, execution: $}}]}}",
        "suite": f"{{execution: $, evalcases: [{{{_CASE}}}]}}",
    },
    "messages": {
        "input_messages": "{evalcases: [{id: open-port, expected_outcome: Names 🎉, input_messages: $}]}",
        "input": "{evalcases: [{id: open-port, expected_outcome: Names 🎉, input: $, rubrics: [Names port 8080]}]}",
        "expected_messages": f"{{evalcases: [{{{_CASE}, expected_messages: $}}]}}",
        "expected_output": f"{{evalcases: [{{{_CASE}, expected_output: $}}]}}",
    },
    "scorecard": {
        "inline": f"{{evalcases: [{{{_CASE}, scorecard: $}}]}}",
        "named": f"{{scorecards: {{network: $}}, evalcases: [{{{_CASE}, scorecard: network}}]}}",
    },
    "suite": {"itself": "$"},
}
# What stands in something larger: its kind, and how it stands there.
_WITHIN = {
    "criterion": ("criteria", "[Shows the command 🎉, Links the manual, $]"),
    "ranges": (
        "criterion",
        "{id: quality, expected_outcome: Explains the choice 🎉, weight: 0.25, score_ranges: $}",
    ),
    "evaluator": ("evaluators", "[{name: first 🎉, type: llm_judge, rubrics: [Names port 8080]}, $]"),
    "message": ("messages", "[{role: system, content: Be brief 🎉}, $]"),
    "content part": ("message", "{role: user, content: [{type: text, value: Which port 🎉}, $]}"),
    "weights": ("scorecard", "{skill: ports 🎉, weights: $}"),
    "red flags": ("scorecard", "{skill: ports 🎉, red_flags: $}"),
    "bonuses": ("scorecard", "{skill: ports 🎉, bonuses: $}"),
}


def _homes(kind: str) -> dict[str, Part]:
    if kind in _SUITES:
        return {name: read(notation) for name, notation in _SUITES[kind].items()}
    outer, notation = _WITHIN[kind]
    return {name: insert(suite, read(notation)) for name, suite in _homes(outer).items()}


HOMES = {kind: _homes(kind) for kind in (*_SUITES, *_WITHIN)}

# Score ranges

_TEXTS = ("No port is named", "Another service is named", "Port 8080 is named", "The port is explained")


def _array(*bounds: str, texts: tuple[str, ...] = _TEXTS) -> str:
    items = (f"{{score_range: {each}, expected_outcome: {text}}}" for each, text in zip(bounds, texts, strict=False))
    return f"[{', '.join(items)}]"


def _map(*keys: str, texts: tuple[str, ...] = _TEXTS) -> str:
    return f"{{{', '.join(f'{key}: {text}' for key, text in zip(keys, texts, strict=False))}}}"


def _ranges(code: str, notation: str, *fixes: str, in_json: bool = True) -> Defect:
    return Defect(code, "ranges", notation, fixes, in_json=in_json)


_GAP = (r"Extend .* to", r"Extend .* down to", r"Insert a range for")
_SOUND = _map("0", "5", "8")

RANGES = (
    _ranges("RB101", _array("⟦[0, 4]⟧", "«[4, 7]»", "[8, 10]"), "Shrink 0-4 to 0-3", "Shrink 4-7 to 5-7"),
    _ranges("RB101", _array("⟦[0, 10]⟧", "«[3, 5]»")),
    _ranges("RB101", _array("[0, 4]", "⟦[5, 8]⟧", "«[7, 10]»")),
    _ranges("RB101", _array("[0, 5]", "«[4, 7]»", "«[7, 10]»")),
    _ranges("RB101", _array("[0, 6]", "«[5, 8]»", "««[6, 10]»»")),
    _ranges("RB102", _array("[«-1», 4]", "[5, 7]", "[8, 10]"), "Change -1 to 0"),
    _ranges("RB102", _array("[0, 4]", "[5, 7]", "[8, «11»]"), "Change 11 to 10"),
    _ranges("RB102", _array("[0, 4]", "[5, 10]", "[«11», «12»]")),
    _ranges("RB102", _map("«-1»", "5", "8"), 'Change "?-1"? to 0'),
    _ranges("RB102", _map("0", "5", "«11»"), 'Change "?11"? to 10'),
    _ranges("RB103", _array("[0, 2]", "«[5, 7]»", "[8, 10]"), *_GAP),
    _ranges("RB103", _array("[0, 4]", "[5, 7]", "«[9, 10]»"), *_GAP),
    _ranges("RB103", _array("«[2, 4]»", "[5, 7]", "[8, 10]"), _GAP[1], _GAP[2]),
    _ranges("RB103", _array("[0, 4]", "[5, 7]", "«[8, 9]»"), _GAP[0], _GAP[2]),
    _ranges("RB103", _array("«[1, 2]»", "«[5, 6]»", "««[8, 9]»»")),
    _ranges("RB104", _array("«[4, 0]»", "[5, 7]", "[8, 10]"), "Swap"),
    _ranges("RB105", _array("[0, «4.5»]", "[5, 7]", "[8, 10]"), "Round 4.5 to 4"),
    _ranges("RB105", _array("[0, 4]", "[«4.5», 7]", "[8, 10]"), "Round 4.5 to 5"),
    _ranges("RB105", _array("[0, 4]", '[«"5"», 7]', "[8, 10]")),
    _ranges("RB105", _array("[0, «4.5»]", "[3, 4]", "[8, 10]")),
    _ranges("RB105", _map("0", "«4.5»", "8"), 'Round "?4.5"? to 5'),
    _ranges("RB106", _map("«2»", "5", "8"), "Change 2 to 0", "Insert a range for 0-1"),
    _ranges("RB106", _map('«"2"»', '"5"', '"8"'), "Change .* to 0", "Insert a range for 0-1"),
    _ranges("RB107", _map("0", "«5»", "8", texts=("None", "∅", "All")), "Insert a text"),
    _ranges("RB107", _map("0", "5", "8", texts=("Nothing", '«""»', "All")), "Insert a text"),
    _ranges("RB107", "[{score_range: [0, 4], expected_outcome: Nothing}, {«score_range»: [5, 10]}]", "Insert a text"),
    _ranges("RB107", '[{score_range: [0, 4], expected_outcome: «" "»}, {score_range: [5, 10], expected_outcome: All}]', "Insert a text"),
    _ranges("RB107", "[{score_range: [0, 4], «expected_outcome»: ∅}, {score_range: [5, 10], expected_outcome: All}]", "Insert a text"),
    _ranges("RB108", _array("«0-4»", "[5, 7]", "[8, 10]"), r"\[0, 4\]"),
    _ranges("RB108", _array("[0, 4]", '«"5-7"»', "[8, 10]"), r"\[5, 7\]"),
    _ranges("RB108", _array("[0, 4]", "[5, 9]", "«[10]»"), r"\[10, 10\]"),
    _ranges("RB108", _array("[0, 4]", "«{min: 5, max: 7}»", "[8, 10]"), r"\[5, 7\]"),
    _ranges("RB108", _array("[0, 4]", "«[5, 6, 7]»", "[8, 10]")),
    _ranges("RB108", "[{score_range: [0, 4], expected_outcome: Nothing}, {«expected_outcome»: All}]"),
    _ranges("RB108", "[{score_range: [0, 4], expected_outcome: Nothing}, «All»]"),
    _ranges("RB108", _map("«0-4»", "5", "8")),
    _ranges("RB109", _array("[5, 7]", "«[0, 4]»", "[8, 10]"), "Sort"),
    _ranges("RB109", _map("8", "«0»", "5"), "Sort"),
    _ranges("RB110", _array("[0, 4]", "[5, 7]", "[8, 10]", texts=("Nothing", "⟦Some of it⟧", "«Some of it»"))),
    _ranges("RB110", _map("0", "5", "8", texts=("⟦Nothing⟧", "Some of it", "«nothing»"))),
    _ranges("RB111", "«[]»", "Insert four ranges"),
    _ranges("RB111", "«{}»", "Insert four ranges"),
    _ranges("RB002", _map("0", "⟦5⟧", "«5»", "8"), "Remove", in_json=True),
    _ranges("RB003", "[{score_range: [0, 4], expected_outcome: Nothing, «scoer»: 1}, {score_range: [5, 10], expected_outcome: All}]"),
    _ranges("RB006", "[{score_range: [0, 4], «description»: Nothing}, {score_range: [5, 10], expected_outcome: All}]", "Rename to `expected_outcome`"),
    _ranges("RB007", "[{score_range: [0, 4], ⟦expected_outcome⟧: Nothing, «description»: Little}, {score_range: [5, 10], expected_outcome: All}]", "Remove `description`"),
    _ranges("RB403", _array("[0, 4]", "[5, 7]", "[8, 10]", texts=("Nothing", "⟦Names the port⟧", "«Names a port»"))),
)


def _criterion(code: str, notation: str, *fixes: str, severity: str = "", in_json: bool = True) -> Defect:
    return Defect(code, "criterion", notation, fixes, severity, in_json)


def _criteria(code: str, notation: str, *fixes: str, severity: str = "") -> Defect:
    return Defect(code, "criteria", notation, fixes, severity)


_NAMED = "id: names-port, expected_outcome: Names port 8080"
_SCORED = "id: quality, expected_outcome: Explains the choice, weight: 0.25"

CRITERIA = (
    _criterion("RB002", f"{{{_NAMED}, ⟦weight⟧: 1, «weight»: 3}}", "Remove"),
    _criterion("RB003", f"{{{_NAMED}, «weigth»: 2}}", "Rename to `weight`"),
    _criterion("RB003", f"{{{_NAMED}, «owner»: me}}"),
    *(
        _criterion("RB003", f"{{{_NAMED}, «{key}»: {_SOUND}}}", "Rename to `score_ranges`", severity="error")
        for key in ("score_rubric", "score_rubrics", "score-rubric", "scoreRubric")
    ),
    _criterion("RB004", f"{{{_NAMED}, weight: 0.1, required: «no»}}", "Write `false`"),
    _criterion("RB004", f"{{{_NAMED}, required: «yes»}}", "Write `true`"),
    _criterion("RB004", f'{{{_NAMED}, weight: «"2"»}}', "Write `2`"),
    _criterion("RB004", f"{{{_NAMED}, weight: «heavy»}}"),
    _criterion("RB004", f"{{{_NAMED}, «weight»: [2]}}"),
    _criterion("RB004", "{id: names-port, «expected_outcome»: [Names port 8080]}"),
    _criterion("RB006", "{id: names-port, «description»: Names port 8080}", "Rename to `expected_outcome`"),
    _criterion("RB007", "{id: names-port, ⟦expected_outcome⟧: Names port 8080, «description»: Names it}", "Remove `description`"),
    _criterion("RB007", "{id: names-port, ⟦description⟧: Names it, «expected_outcome»: Names port 8080}", "Remove `description`"),
    _criterion("RB111", f"{{{_SCORED}, «score_ranges»: ∅}}", "Insert four ranges"),
    _criterion("RB201", "{«id»: names-the-port}", "Insert `Names the port`"),
    _criterion("RB201", "{«weight»: 1}", "Insert"),
    _criterion("RB201", "{id: names-the-port, «expected_outcome»: ∅}", "Insert `Names the port`"),
    _criterion("RB201", '{id: names-the-port, expected_outcome: «""»}', "Insert `Names the port`"),
    _criterion("RB201", '«""»', "Insert"),
    _criterion("RB204", f"{{{_NAMED}, weight: «-1»}}"),
    _criterion("RB204", f"{{{_NAMED}, weight: «.nan»}}", in_json=False),
    _criterion("RB204", f"{{{_NAMED}, weight: «.inf»}}", in_json=False),
    _criterion("RB204", f"{{{_NAMED}, weight: «-.inf»}}", in_json=False),
    _criterion("RB204", f"{{{_NAMED}, weight: «0»}}", severity="warning"),
    _criterion("RB205", f"{{{_SCORED}, «required»: true, score_ranges: {_SOUND}}}", "required_min_score"),
    _criterion("RB206", f"{{{_NAMED}, «required_min_score»: 5}}", "required: true", "Remove"),
    _criterion("RB207", f"{{{_SCORED}, required_min_score: «11», score_ranges: {_SOUND}}}"),
    _criterion("RB207", f"{{{_SCORED}, required_min_score: «-1», score_ranges: {_SOUND}}}"),
    _criterion("RB207", f"{{{_SCORED}, required_min_score: «0.8», score_ranges: {_SOUND}}}", "8"),
    _criterion("RB207", f"{{{_SCORED}, required_min_score: «high», score_ranges: {_SOUND}}}"),
    _criterion("RB207", f'{{{_SCORED}, required_min_score: «"5"», score_ranges: {_SOUND}}}'),
    _criterion("RB207", f"{{{_SCORED}, «required_min_score»: ∅, score_ranges: {_SOUND}}}", "Remove"),
    _criterion("RB210", "«TODO»"),
    _criterion("RB210", '{id: names-the-port, expected_outcome: «"TODO: what the answer must do"»}'),
    _criterion("RB302", f"{{{_SCORED}, required_min_score: «0», score_ranges: {_SOUND}}}"),
    _criterion("RB304", f"{{{_SCORED}, required_min_score: «6», score_ranges: {_SOUND}}}", "to 5", "to 8"),
    _criterion("RB304", f"{{{_SCORED}, required_min_score: «3», score_ranges: {_array('⟦[0, 4]⟧', '[5, 10]')}}}", "to 5"),
    _criterion("RB401", "«The answer is good»"),
    _criterion("RB401", "{id: names-port, expected_outcome: «Good quality»}"),
    _criterion("RB402", "«Names the port and shows the command»", "Split"),
    _criterion("RB402", "{id: names-port, expected_outcome: «Names the port and shows the command»}", "Split"),
    _criteria("RB202", "[{id: ⟦port⟧, expected_outcome: Names port 8080}, {id: «port», expected_outcome: Shows the command}]", "Rename to `(port|rubric-2)-2`"),
    _criteria("RB202", "[{id: «rubric-2», expected_outcome: Names port 8080}, ⟦Shows the command⟧]", "Rename to `(port|rubric-2)-2`"),
    _criteria("RB208", "[Shows the command, ⟦Names port 8080⟧, «Names port 8080»]", "Remove"),
    _criteria("RB208", "[Shows the command, {id: a-port, expected_outcome: ⟦Names port 8080⟧}, {id: b-port, expected_outcome: «Names port 8080»}]", "Remove"),
    _criteria("RB209", "«[]»", "Insert"),
    _criteria("RB303", "[Shows the command, {id: names-port, expected_outcome: Names port 8080, required: «false»}]"),
    _criteria("RB404", "[{id: shows, expected_outcome: Shows the command, required: false}, {id: names-port, expected_outcome: Names port 8080, weight: «8», required: false}]"),
    Defect("RB209", "rubrics", "{«rubrics»: ∅}", ("Insert",)),
    Defect("RB301", "rubrics", "{«rubrics»: [{id: shows, expected_outcome: Shows the command, required: true}, {id: names-port, expected_outcome: Names port 8080, required: true}]}"),
    Defect("RB204", "rubrics", "{«rubrics»: [{id: shows, expected_outcome: Shows the command, weight: 0}, {id: names-port, expected_outcome: Names port 8080, weight: 0}]}"),
    Defect("RB004", "rubrics", "{«rubrics»: {id: shows, expected_outcome: Shows the command}}"),
    Defect("RB004", "rubrics", "{rubrics: «Shows the command»}"),
)


def _case(code: str, notation: str, *fixes: str, kind: str = "case") -> Defect:
    return Defect(code, kind, notation, fixes)


_ASKED = "input_messages: [{role: user, content: Which port?}]"

CASES = (
    _case("RB002", f"{{id: port, ⟦expected_outcome⟧: Names it 🎉, {_ASKED}, «expected_outcome»: Shows it}}", "Remove"),
    _case("RB002", f"{{id: port, expected_outcome: Names it, {_ASKED}, metadata: {{⟦a⟧: 1, b: 2, «a»: 3}}}}", "Remove"),
    _case("RB003", f"{{id: port, expected_outcome: Names it 🎉, {_ASKED}, «rubrcs»: [Names port 8080]}}", "Rename to `rubrics`"),
    _case("RB004", f"{{id: port, expected_outcome: Names it 🎉, {_ASKED}, execution: «fast»}}"),
    _case("RB004", "{id: port, expected_outcome: Names it 🎉, «input_messages»: {role: user, content: Which port?}}"),
    _case("RB005", f"{{«expected_outcome»: Names it, {_ASKED}}}", "Insert `id`"),
    _case("RB005", f"{{«id»: port, {_ASKED}}}", "Insert `expected_outcome`"),
    _case("RB005", "{«id»: port, expected_outcome: Names it}", "Insert `input_messages`"),
    _case("RB005", f"{{«id»: ∅, expected_outcome: Names it, {_ASKED}}}", "Fill in"),
    _case("RB005", f'{{id: «""», expected_outcome: Names it, {_ASKED}}}', "Fill in"),
    _case("RB005", f'{{id: port, expected_outcome: «"  "», {_ASKED}}}', "Fill in"),
    _case("RB005", "{id: port, expected_outcome: Names it, «input_messages»: ∅}", "Fill in"),
    _case("RB006", f"{{id: port, «outcome»: Names it 🎉, {_ASKED}}}", "Rename to `expected_outcome`"),
    _case("RB007", f"{{id: port, ⟦expected_outcome⟧: Names it 🎉, «criteria»: Shows it, {_ASKED}}}", "Remove `criteria`"),
    _case("RB007", f"{{id: port, expected_outcome: Names it 🎉, ⟦{_ASKED[:14]}⟧{_ASKED[14:]}, «input»: Which one?}}", "Remove `input`"),
    _case("RB606", f"{{id: port, expected_outcome: Names it 🎉, {_ASKED}, scorecard: «network»}}"),
    _case("RB503", "{id: port, expected_outcome: Names it 🎉, input_messages: [{role: user, content: [{type: file, value: «missing.md»}]}]}"),
    # The suite.
    _case("RB002", f"{{⟦description⟧: Ports 🎉, evalcases: [{{{_CASE}}}], «description»: More}}", "Remove", kind="suite"),
    _case("RB003", f"{{«descripton»: Ports 🎉, evalcases: [{{{_CASE}}}]}}", "Rename to `description`", kind="suite"),
    _case("RB004", f"{{evalcases: [{{{_CASE}}}, «port»]}}", kind="suite"),
    _case("RB004", f"{{«description»: [Ports], evalcases: [{{{_CASE}}}]}}", kind="suite"),
    _case("RB007", f"{{⟦evalcases⟧: [{{{_CASE}}}], «tests»: [{{id: other, expected_outcome: Names it, {_ASKED}}}]}}", kind="suite"),
    _case("RB203", f"{{evalcases: [{{id: ⟦port⟧, expected_outcome: Names it 🎉, {_ASKED}}}, {{id: «port», expected_outcome: Shows it, {_ASKED}}}]}}", "Rename to `port-2`", kind="suite"),
    _case("RB203", f"{{evalcases: [{{id: ⟦port⟧, expected_outcome: Names it 🎉, {_ASKED}}}, {{id: «port», expected_outcome: Shows it, {_ASKED}}}, {{id: «port», expected_outcome: Links it, {_ASKED}}}]}}", "Rename to `port-2`", kind="suite"),
    _case("RB606", f"{{scorecards: {{network: {{skill: ports}}}}, evalcases: [{{{_CASE}, scorecard: «netwrok»}}]}}", "network", kind="suite"),
    _case("RB506", f"{{target: «defualt», evalcases: [{{{_CASE}}}]}}", "default", kind="suite"),
    _case("RB506", "{target: «defualt»}", "default", kind="execution"),
)

EVALUATORS = (
    Defect("RB002", "evaluator", "{⟦name⟧: ports, type: llm_judge, prompt: Judge it, «name»: other}", ("Remove",)),
    Defect("RB003", "evaluator", "{name: ports, type: llm_judge, prompt: Judge it, «modle»: small}", ("Rename to `model`",)),
    Defect("RB003", "execution", "{«evalutors»: [{name: ports, type: latency}]}", ("Rename to `evaluators`",)),
    Defect("RB004", "evaluator", '{name: ports, type: llm_judge, prompt: Judge it, weight: «"2"»}', ("Write `2`",)),
    Defect("RB005", "evaluator", "{«type»: llm_judge, prompt: Judge it}", ("Insert `name`",)),
    Defect("RB005", "evaluator", "{«name»: ports, prompt: Judge it}", ("Insert `type`",)),
    Defect("RB005", "evaluator", "{«name»: ∅, type: llm_judge, prompt: Judge it}", ("Fill in",)),
    Defect("RB005", "evaluator", '{name: ports, type: «""», prompt: Judge it}', ("Fill in",)),
    Defect("RB204", "evaluator", "{name: ports, type: llm_judge, prompt: Judge it, weight: «-2»}"),
    Defect("RB204", "evaluator", "{name: ports, type: llm_judge, prompt: Judge it, weight: «0»}", severity="warning"),
    Defect("RB501", "evaluator", "{name: ports, type: «llm_jugde», whatever: [1]}", ("llm_judge",)),
    Defect("RB501", "evaluator", "{name: ports, type: «oracle»}"),
    Defect("RB502", "evaluator", "{«name»: ports, type: code_judge}", ("Insert",)),
    Defect("RB502", "evaluator", "{name: ports, type: code_judge, «script»: ∅}", ("Insert",)),
    Defect("RB502", "evaluator", '{name: ports, type: code, script: «""»}', ("Insert",)),
    Defect("RB503", "evaluator", "{name: ports, type: code_judge, script: [uv, run, «missing.py»]}"),
    Defect("RB503", "evaluator", "{name: ports, type: code_judge, script: uv run «./missing.py» --strict}"),
    Defect("RB503", "evaluator", "{name: ports, type: llm_judge, prompt: «prompts/missing.md»}"),
    Defect("RB504", "evaluators", "[{name: ⟦ports⟧, type: llm_judge, prompt: Judge it}, {name: «ports», type: latency}]", ("Rename to `ports-2`",)),
    Defect("RB507", "evaluator", "{name: ports, type: code_judge, script: «uv run mypy --strict»}", ("Append",)),
    Defect("RB507", "evaluator", "{name: ports, type: code_judge, script: «[ruff, check]»}", ("Append",)),
    Defect("RB506", "evaluator", "{name: ports, type: llm_judge, prompt: Judge it, target: «defualt»}", ("default",)),
)

MESSAGES = (
    Defect("RB002", "message", "{⟦role⟧: user, content: Which port?, «role»: system}", ("Remove",)),
    Defect("RB003", "message", "{role: user, content: Which port?, «nmae»: Ada}", ("Rename to `name`",)),
    Defect("RB505", "message", "{role: «usr», content: Which port?}"),
    Defect("RB505", "message", "{«content»: Which port?}"),
    Defect("RB505", "message", "{«role»: user}"),
    Defect("RB505", "message", "{role: user, «content»: ∅}"),
    Defect("RB505", "message", "{role: user, content: «8080»}"),
    Defect("RB505", "content part", "{type: «txt», value: Which port?}"),
    Defect("RB505", "content part", "{«type»: text}"),
    Defect("RB505", "content part", "{«value»: Which port?}"),
    Defect("RB505", "content part", "«Which port?»"),
    Defect("RB503", "content part", "{type: file, value: «docs/missing.md»}"),
)

_SEVEN = "correctness: 0.4, completeness: 0.15, adherence: 0.15, actionability: 0.1, efficiency: 0.1, safety: 0.05, "
_FLAGS = ", ".join(f"Leaks secret {number}" for number in range(1, 5))

SCORECARDS = (
    Defect("RB002", "weights", f"{{{_SEVEN}⟦consistency⟧: 0.05, «consistency»: 0.05}}", ("Remove",)),
    Defect("RB003", "scorecard", "{skill: ports, «bonusses»: [Explains it]}", ("Rename to `bonuses`",)),
    Defect("RB003", "red flags", "[{id: leaks, expected_outcome: Leaks a secret, «deducton»: 1}]", ("Rename to `deduction`",)),
    Defect("RB204", "weights", "{correctness: 0.6, completeness: 0.15, adherence: 0.15, actionability: 0.1, efficiency: 0.1, safety: «-0.15», consistency: 0.05}"),
    Defect("RB601", "scorecard", f"{{«weights»: {{{_SEVEN}consistency: 0.15}}}}", ("Scale",)),
    Defect("RB602", "weights", "{correctness: 0.4, completeness: 0.15, adherence: 0.15, actionability: 0.1, efficiency: 0.1, safety: 0.05, consistency: 0.05, «charm»: 0.1}"),
    Defect("RB603", "scorecard", "{skill: ports, weights: {«correctness»: 0.4, completeness: 0.6}}", ("Insert",)),
    Defect("RB604", "red flags", "[⟦Leaks a secret⟧, «Leaks a secret»]"),
    Defect("RB604", "red flags", "[{id: ⟦leak⟧, expected_outcome: Leaks a secret}, {id: «leak», expected_outcome: Prints a key}]"),
    Defect("RB604", "bonuses", "[⟦Explains it well⟧, «Explains it well»]"),
    Defect("RB605", "red flags", "[{id: leak, expected_outcome: Leaks a secret, deduction: «0»}]"),
    Defect("RB605", "red flags", "[{id: leak, expected_outcome: Leaks a secret, deduction: «-0.5»}]"),
    Defect("RB605", "red flags", "[{id: leak, expected_outcome: Leaks a secret, deduction: «2.5»}]"),
    Defect("RB605", "red flags", "[{id: leak, expected_outcome: Leaks a secret, deduction: «lots»}]"),
    Defect("RB607", "red flags", f"[{_FLAGS}, «Leaks one more»]"),
    Defect("RB607", "bonuses", "[Explains it, Measures it, Links it, Draws it, «Sings it»]"),
    Defect("RB607", "red flags", "[{id: leak, expected_outcome: Leaks a secret, deduction: 2.0}, {id: «loud», expected_outcome: Shouts}]"),
)

DEFECTS = (*RANGES, *CRITERIA, *CASES, *EVALUATORS, *MESSAGES, *SCORECARDS)

# For each kind of place what is sound there.
SOUND = {
    "criteria": "[Names port 8080, Shows the command]",
    "rubrics": "{rubrics: [Names port 8080]}",
    "case": f"{{id: port, expected_outcome: Names it, {_ASKED}}}",
    "evaluators": "[{name: ports, type: llm_judge, prompt: Judge it}, {name: time, type: latency}]",
    "execution": "{target: default, evaluators: [{name: ports, type: llm_judge, prompt: Judge it}]}",
    "messages": "[{role: user, content: Which port?}]",
    "scorecard": f"{{skill: ports, weights: {{{_SEVEN}consistency: 0.05}}, bonuses: [Explains it]}}",
    "suite": f"{{evalcases: [{{{_CASE}}}]}}",
    "criterion": f"{{{_SCORED}, required_min_score: 5, score_ranges: {_SOUND}}}",
    "ranges": _SOUND,
    "evaluator": "{name: ports, type: code_judge, script: uv run python -m judge}",
    "message": "{role: user, content: Which port?}",
    "content part": "{type: text, value: Which port?}",
    "weights": f"{{{_SEVEN}consistency: 0.05}}",
    "red flags": "[{id: leak, expected_outcome: Leaks a secret, deduction: 0.5}, Shouts]",
    "bonuses": "[Explains it, Links it]",
}

# Defects of the text itself: each is the end of a case that is sound so far. Limits are given where they matter.
CASE_ABOVE = "evalcases:\n  - id: port\n    expected_outcome: Names it 🎉\n    input: Which port?\n"
_CASE_BELOW = "  - id: other\n    expected_outcome: Names it\n    input: Which port?\n"


@dataclass(frozen=True)
class TextDefect:
    """A defect of the text, which can be written in one style only."""

    code: str
    marked: str
    limits: tuple[tuple[str, int], ...] = ()
    fixes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.code}-{self.marked}"


TEXT_DEFECTS = (
    TextDefect("RB001", "    rubrics: «[»Names port 8080, Shows it\n"),
    TextDefect("RB001", "    rubrics: «[»Names port 8080, Shows it\n" + _CASE_BELOW),
    TextDefect("RB001", '    note: «"»open 🎉\n'),
    TextDefect("RB001", "    metadata: {🎉: 1, a: «*nowhere»}\n" + _CASE_BELOW),
    TextDefect("RB001", "   «note»: Too far left\n" + _CASE_BELOW),
    TextDefect("RB001", "    note: 🎉 a«:» b\n" + _CASE_BELOW),
    TextDefect("RB001", "«\t»note: A tab\n"),
    TextDefect("RB001", "    note: [🎉]«]»\n" + _CASE_BELOW),
    TextDefect("RB001", "    note: «@home»\n" + _CASE_BELOW),
    TextDefect("RB001", "    «note»\n" + _CASE_BELOW),
    TextDefect("RB008", "  - «id»: other\n    expected_outcome: Names it\n    input: Which port?\n", (("cases", 1),)),
    TextDefect("RB008", "    metadata: {🎉: {b: «{»c: {d: 1}}}}\n", (("depth", 4),)),
    TextDefect("RB901", "    rubrics: [Names port 🎉]  # rubric: ignore[«RB101»]\n", (), ("Remove the comment",)),
    TextDefect("RB901", "    rubrics: [Names port 🎉]  # rubric: ignore[«uncovered-scores»]\n", (), ("Remove the comment",)),
    TextDefect("RB901", "    # rubric: ignore[«RB101», «RB205»]\n    rubrics: [Names port 8080]\n", (), ("Remove `RB101`", "Remove `RB205`")),
    TextDefect("RB901", "    rubrics: [Names port 8080]  «# rubric: ignore»\n", (), ("Remove the comment",)),
    TextDefect("RB901", "    rubrcs: [Names port 🎉]  # rubric: ignore[RB003, «RB101»]\n", (), ("Remove `RB101`",)),
    TextDefect("RB902", "    rubrics: [Names port 🎉]  # rubric: ignore[«RB1O1»]\n", (), ("Change to `RB101`",)),
    TextDefect("RB902", "    rubrics: [Names port 🎉]  # rubric: ignore[«uncoverd-scores»]\n", (), ("Change to `uncovered-scores`",)),
)
