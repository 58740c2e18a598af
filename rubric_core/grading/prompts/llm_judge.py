"""The questions of an `llm_judge`: about criteria, each met or not or with a score from 0 to 10, or for one score.

An evaluator's own prompt is a text with AgentV's placeholders, a file with one, or what a command printed.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rubric_core.dialects.registry import BY_NAME
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.judges.judge import Question
from rubric_core.grading.prompts.parts import (
    REASON_FIRST,
    TEXT,
    JsonSchema,
    Material,
    id_schema,
    integer_schema,
    list_schema,
    make_question,
    object_schema,
    quoted,
    section,
)
from rubric_core.grading.workspace import read_attachment
from rubric_core.model.criteria import Criterion, ScoreRange
from rubric_core.model.evaluators import LlmJudge, PromptScript, with_members
from rubric_core.model.suite import ContentPart, EvalCase, Message, grading_profile
from rubric_core.schema.scales import FILE_URL, HIGHEST, LOWEST
from rubric_core.text.patterns import lazily
from rubric_core.views.references import is_prompt_file

_PLACEHOLDER = lazily(r"\{\{[ \t\r\n]*([A-Za-z0-9_]+)[ \t\r\n]*\}\}")
_OF_THE_ANSWER = frozenset({"candidate_answer", "output_messages"})

_VERDICTS = {"checklist": ("satisfied", "true or false"), "score-range": ("score", "an integer from 0 to 10")}
# Not every provider takes every string as the name of a property.
_PROPERTY_NAME = lazily(r"[A-Za-z0-9_.\-]{1,64}\Z")
_BANDS = (
    f"A criterion with bands gets an integer from {LOWEST} to {HIGHEST}: find the band whose text fits the "
    "answer best, then choose a score inside of that band."
)
_OPERATORS = {
    "correctness": "A criterion for correctness is met only where the answer itself says or does what its text says; "
    "an answer that leaves it out does not meet it.",
    "contradiction": "A criterion against contradiction is met where nothing in the answer is incompatible with its "
    "text; the answer need not mention it.",
}
"""How a criterion with an operator is meant."""
_OPERATOR_LABELS = {"correctness": " (for correctness)", "contradiction": " (against contradiction)", None: ""}
_WHAT_TO_JUDGE = "Judge how far the answer achieves what a good answer achieves."
_SHAPE = """\
{
  "hits": ["what the answer achieves, a few words each", ...],
  "misses": ["what it does not achieve, a few words each", ...],
  "reasoning": "...",
  "score": <a number from 0, nothing is achieved, to 1, all of it is>
}"""


def rubric_question(
    case: EvalCase, evaluator: LlmJudge, criteria: Sequence[Criterion], answer: str, *, prompt_text: str | None = None
) -> Question:
    """Ask for a check of each of the criteria, which may be some of the evaluator's only.

    The evaluator's own prompt is added as further instructions; `prompt_text` is what its command printed. Weights
    and gates are not told: they are no reason for a judgement, and changing them asks nothing anew.
    Raises CannotGrade where a file that the case names cannot be read.
    """
    material = Material(case, answer)
    own = _own_prompt(evaluator, case, prompt_text)

    def write() -> list[str]:
        shown = material.sections()
        if own is not None:
            shown.append(section("Further instructions", _filled(own, evaluator, case, material)))
        return [*shown, *_criteria_sections(criteria)]

    return make_question(
        "rubric",
        case,
        evaluator.name,
        material,
        write,
        schema=rubric_schema(criteria),
        instructions="" if own is None else own.text,
        siblings=_siblings(case, evaluator),
        criteria=tuple(criteria),
        unasked=frozenset(each.id for each in evaluator.criteria) - {each.id for each in criteria},
    )


def free_form_question(case: EvalCase, evaluator: LlmJudge, answer: str, *, prompt_text: str | None = None) -> Question:
    """Ask for one score. An evaluator's own prompt says what counts; `prompt_text` is what its command printed.

    The task, the expected outcome, the reference and the answer are added, unless the prompt has a place for the
    answer: then it has for the others what its author wants.
    Raises CannotGrade where a file that the case names cannot be read.
    """
    material = Material(case, answer)
    own = _own_prompt(evaluator, case, prompt_text)

    def write() -> list[str]:
        parts = [] if own is not None and own.shows_answer else material.sections()
        text = _WHAT_TO_JUDGE if own is None else _filled(own, evaluator, case, material)
        parts.append(section("What to judge", text) if parts else text)
        return [*parts, section("Reply", REASON_FIRST, _SHAPE)]

    return make_question(
        "free-form",
        case,
        evaluator.name,
        material,
        write,
        schema=free_form_schema(),
        instructions="" if own is None else own.text,
        siblings=_siblings(case, evaluator),
    )


def rubric_schema(criteria: Sequence[Criterion]) -> JsonSchema:
    """Return the schema for a judgement of exactly these criteria, each in its own mode."""
    if _asks_by_id(criteria):
        checks = object_schema({criterion.id: object_schema(_verdict_schema(criterion)) for criterion in criteria})
    else:
        # A check in a list has one of a few shapes: one for each mode, with the ids of that mode.
        by_mode: dict[str, list[Criterion]] = {}
        for criterion in criteria:
            by_mode.setdefault(criterion.mode, []).append(criterion)
        shapes = [
            object_schema({"id": id_schema(each.id for each in group), **_verdict_schema(group[0])})
            for group in by_mode.values()
        ]
        checks = list_schema(shapes[0] if len(shapes) == 1 else {"anyOf": shapes})
    return object_schema({"checks": checks, "overall_reasoning": TEXT})


def free_form_schema() -> JsonSchema:
    """Return the schema for one score from 0 to 1. Its bounds are checked on reading: few providers can keep them."""
    texts = list_schema(TEXT)
    return object_schema({"hits": texts, "misses": texts, "reasoning": TEXT, "score": {"type": "number"}})


def _asks_by_id(criteria: Sequence[Criterion]) -> bool:
    """Return whether `checks` is asked for as an object by id, which alone makes a model judge each criterion once.

    Where an id cannot be the name of a property everywhere, `checks` is asked for as a list.
    """
    return all(_PROPERTY_NAME.match(criterion.id) for criterion in criteria)


def _verdict_schema(criterion: Criterion) -> JsonSchema:
    if criterion.mode == "checklist":
        return {"reasoning": TEXT, "satisfied": {"type": "boolean"}}
    return {"reasoning": TEXT, "score": integer_schema(LOWEST, HIGHEST)}


def _criteria_sections(criteria: Sequence[Criterion]) -> list[str]:
    has_bands = any(criterion.mode == "score-range" for criterion in criteria)
    used = {criterion.operator for criterion in criteria}
    guidance = [text for operator, text in _OPERATORS.items() if operator in used]
    about = ["Judge each criterion by itself.", *([_BANDS] if has_bands else []), *guidance]
    return [
        section("Criteria", *about, *map(_described, criteria)),
        section("Reply", f"Judge every criterion once. {REASON_FIRST}", _shape(criteria)),
    ]


def _described(criterion: Criterion) -> str:
    name, operator = quoted(criterion.id), _OPERATOR_LABELS[criterion.operator]
    if criterion.mode == "checklist":
        return f"- {name}, met or not{operator}: {_indented(criterion.expected_outcome)}"
    about = f": {_indented(criterion.expected_outcome)}" if criterion.expected_outcome else ""
    return "\n".join([f"- {name}, scored{operator}{about}", *map(_band, criterion.score_ranges)])


def _band(band: ScoreRange) -> str:
    bounds = str(band.minimum) if band.minimum == band.maximum else f"{band.minimum} to {band.maximum}"
    return f"  {bounds}: {_indented(band.expected_outcome)}"


def _indented(text: str) -> str:
    return text.strip().replace("\n", "\n    ")


def _shape(criteria: Sequence[Criterion]) -> str:
    """Return the form of the reply, as the schema has it."""
    by_id = _asks_by_id(criteria)
    checks = ",\n".join(f"    {_check_shape(criterion, by_id=by_id)}" for criterion in criteria)
    opening, closing = ("{", "}") if by_id else ("[", "]")
    return f'{{\n  "checks": {opening}\n{checks}\n  {closing},\n  "overall_reasoning": "..."\n}}'


def _check_shape(criterion: Criterion, *, by_id: bool) -> str:
    field, values = _VERDICTS[criterion.mode]
    verdict = f'"reasoning": "...", "{field}": <{values}>'
    name = quoted(criterion.id)
    return f"{name}: {{{verdict}}}" if by_id else f'{{"id": {name}, {verdict}}}'


def _siblings(case: EvalCase, evaluator: LlmJudge) -> tuple[str, ...]:
    """Return the names of the other evaluators of a case that ask for the same: for checks, or for one score."""
    asks_for_checks = bool(evaluator.criteria)
    sets = grading_profile(case).sets
    judges = [each for each in with_members(case.evaluators, sets) if isinstance(each, LlmJudge)]
    judges = [each for each in judges if each is not evaluator]
    return tuple(each.name for each in judges if bool(each.criteria) is asks_for_checks)


@dataclass(frozen=True, slots=True)
class _OwnPrompt:
    """The text of a prompt. What a command printed is no template: it may hold an answer with placeholders in it.

    `variables` are the names that it may use, each with the value that stands for it; `values` are those of the test.
    """

    text: str
    variables: Mapping[str, str]
    is_template: bool = True
    values: Mapping[str, str] = field(default_factory=dict)

    @property
    def shows_answer(self) -> bool:
        """Return whether the answer has a place of its own in the text."""
        used = map(self.variables.get, _PLACEHOLDER.findall(self.text))
        return self.is_template and any(name in _OF_THE_ANSWER for name in used)


def _own_prompt(evaluator: LlmJudge, case: EvalCase, printed: str | None = None) -> _OwnPrompt | None:
    """Return an evaluator's own prompt; None where it has none. `printed` is what its command printed.

    Raises CannotGrade where the prompt's file cannot be read, or where a command must print it first.
    """
    variables = grading_profile(case).variables
    if printed is not None:
        return _OwnPrompt(printed, variables, is_template=False)
    prompt = evaluator.prompt
    if isinstance(prompt, PromptScript):
        raise CannotGrade(f"The prompt of the evaluator {evaluator.name} is printed by a command, which was not run.")
    if prompt is None or not prompt.strip():
        return None
    own = _text_of(prompt, case)
    around = _prompt_around(evaluator, case)
    if around is None:
        # Without a prompt of its own for the judge, a rubric is no template: its variables are filled in already.
        return _OwnPrompt(own, {} if grading_profile(case).judge_prompt else variables)
    values = {**_plain_texts(case.call[1]["vars"] if case.call else {}), "rubric": own}
    return _OwnPrompt(around, variables, values=values)


def _text_of(prompt: str, case: EvalCase) -> str:
    path = _file_of(prompt.strip(), case)
    return prompt if path is None else read_attachment(path, case)


def _prompt_around(evaluator: LlmJudge, case: EvalCase) -> str | None:
    """Return the prompt of the judge in which a rubric has its place: the assertion's, or that of the test's options.

    Raises CannotGrade where it is more than a text with names.
    """
    key, options = grading_profile(case).judge_prompt, case.other_fields.get("options")
    if key is None:
        return None
    found = evaluator.config.get(key) or (options.get(key) if isinstance(options, dict) else None)
    if not found:
        return None
    if not isinstance(found, str):
        raise CannotGrade(f"The `{key}` is not a text, which this grader does not apply.")
    text = _text_of(found, case)
    if "{%" in text or "{{" in _PLACEHOLDER.sub("", text):
        raise CannotGrade(f"The `{key}` has more than names between braces, which this grader does not fill in.")
    return text


def _file_of(prompt: str, case: EvalCase) -> str | None:
    """Return the path of the file that a prompt stands in; None where it is the text itself."""
    if BY_NAME[case.dialect].has_file_urls:
        return prompt.removeprefix(FILE_URL) if prompt.startswith(FILE_URL) else None
    return prompt if is_prompt_file(prompt) else None


def _filled(own: _OwnPrompt, evaluator: LlmJudge, case: EvalCase, material: Material) -> str:
    """Return the text of a prompt with its placeholders replaced, in one pass: what is put in is not looked at again.

    What the author of the case wrote for the judge is put in as it is; what others wrote is fenced. A placeholder
    that nobody knows stays as it is.
    """
    if not own.is_template:
        return own.text
    settings = {**_plain_texts(evaluator.config), **own.values}
    plain = _written_values(evaluator, case, material)
    fenced: dict[str, tuple[str, str | Sequence[Message]]] = {
        "candidate_answer": ("ANSWER", material.answer),
        "output_messages": ("ANSWER", [Message(role="assistant", content=material.answer)]),
        "question": ("TASK", material.task),
        "input_messages": ("TASK", case.input_messages),
        "reference_answer": ("REFERENCE", material.reference),
        "expected_messages": ("REFERENCE", case.expected_messages),
    }

    def replacement(found: re.Match[str]) -> str:
        name = own.variables.get(found[1], "")
        if name in fenced:
            title, value = fenced[name]
            text = value if isinstance(value, str) else _messages_json(value, case)
            return _on_own_lines(found, material.fence(title, text))
        return plain[name]() if name in plain else settings.get(found[1], found[0])

    return _PLACEHOLDER.sub(replacement, own.text)


def _written_values(evaluator: LlmJudge, case: EvalCase, material: Material) -> dict[str, Callable[[], str]]:
    """Return what the author of the case wrote, by the names of values; each is made where a prompt uses it."""
    rubrics = [each.model_dump(mode="json", exclude_defaults=True) for each in evaluator.criteria]
    return {
        "expected_outcome": lambda: material.expected_outcome,
        "criteria": lambda: material.expected_outcome,
        "rubrics": lambda: json.dumps(rubrics, ensure_ascii=False, indent=2),
        "rubrics_json": lambda: json.dumps(rubrics, ensure_ascii=False),
        "metadata": lambda: json.dumps(case.metadata, ensure_ascii=False, indent=2, default=str),
        "metadata_json": lambda: json.dumps(case.metadata, ensure_ascii=False, default=str),
        "unknown": str,
    }


def _plain_texts(values: Mapping[str, Any]) -> dict[str, str]:
    """Return values that a prompt can use by their names, such as those under the evaluator's `config`, as texts."""
    return {
        name: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for name, value in values.items()
    }


def _on_own_lines(found: re.Match[str], block: str) -> str:
    template, start, end = found.string, found.start(), found.end()
    before = "" if start == 0 or template[start - 1] == "\n" else "\n"
    after = "" if end == len(template) or template[end] in "\r\n" else "\n"
    return f"{before}{block}{after}"


def _messages_json(messages: Sequence[Message], case: EvalCase) -> str:
    """Return messages of a case as JSON, with the text of the files that they name."""
    return json.dumps([_plain(message, case) for message in messages], ensure_ascii=False, indent=2)


def _plain(message: Message, case: EvalCase) -> dict[str, Any]:
    plain: dict[str, Any] = {"role": message.role}
    if message.name:
        plain["name"] = message.name
    if isinstance(message.content, tuple):
        plain["content"] = [_plain_part(part, case) for part in message.content]
    elif message.content is not None:
        plain["content"] = message.content
    if message.tool_calls:
        plain["tool_calls"] = list(message.tool_calls)
    return plain


def _plain_part(part: ContentPart, case: EvalCase) -> dict[str, str]:
    plain = {"type": part.type, "value": part.value}
    if part.type == "text":
        return plain
    return {**plain, "text": read_attachment(part.value, case)}
