"""The questions of an `llm_judge`: about criteria, or for one score, each with the evaluator's own prompt if any."""

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.grader import grader_of
from rubric_core.grading.judges.judge import Question
from rubric_core.grading.prompts import parts
from rubric_core.grading.prompts.parts import PLACEHOLDER, OwnPrompt, plain_texts, prompt_text
from rubric_core.grading.workspace import read_attachment
from rubric_core.model.criteria import Criterion
from rubric_core.model.evaluators import LlmJudge, PromptScript, with_members
from rubric_core.model.suite import ContentPart, EvalCase, Message
from rubric_core.schema.scales import HIGHEST, LOWEST
from rubric_core.text.patterns import lazily

# Not every provider accepts every string as the name of a property.
_PROPERTY_NAME = lazily(r"[A-Za-z0-9_.\-]{1,64}\Z")


def rubric_question(
    case: EvalCase, evaluator: LlmJudge, criteria: Sequence[Criterion], answer: str, *, prompt_text: str | None = None
) -> Question:
    """Ask for a check of each of the criteria, which may be some of the evaluator's only.

    The evaluator's own prompt is added as further instructions; `prompt_text` is what its command printed. Weights
    and gates are omitted: they must not influence a judgement, and changing them does not ask again.
    Raises CannotGrade where a file that the case names cannot be read.
    """
    material = parts.Material(case, answer)
    own = _own_prompt(evaluator, case, prompt_text)

    values = {
        "criteria": criteria,
        "modes": {criterion.mode for criterion in criteria},
        "operators": {criterion.operator for criterion in criteria},
        "by_id": _asks_by_id(criteria),
        "instructions": own and (lambda: _filled(own, evaluator, case, material)),
    }
    return parts.make_question(
        "rubric",
        case,
        evaluator.name,
        material,
        values,
        schema=rubric_schema(criteria),
        criteria=tuple(criteria),
        unasked=frozenset(criterion.id for criterion in evaluator.criteria) - {criterion.id for criterion in criteria},
        **_shown_beside(own, evaluator, case),
    )


def free_form_question(case: EvalCase, evaluator: LlmJudge, answer: str, *, prompt_text: str | None = None) -> Question:
    """Ask for one score. An evaluator's own prompt has its instructions; `prompt_text` is what its command printed.

    The task, the expected outcome, the reference and the answer are added, unless the prompt has a place for the
    answer: then its author has chosen which of them it has.
    Raises CannotGrade where a file that the case names cannot be read.
    """
    material = parts.Material(case, answer)
    own = _own_prompt(evaluator, case, prompt_text)

    values = {
        "shows_material": own is None or not own.shows_answer,
        "instructions": own and (lambda: _filled(own, evaluator, case, material)),
    }
    beside = _shown_beside(own, evaluator, case)
    return parts.make_question("free-form", case, evaluator.name, material, values, schema=free_form_schema(), **beside)


def rubric_schema(criteria: Sequence[Criterion]) -> parts.JsonSchema:
    """Return the schema for a judgement of these criteria, each in its own mode."""
    if _asks_by_id(criteria):
        checks = parts.object_schema(
            {criterion.id: parts.object_schema(_verdict_schema(criterion)) for criterion in criteria}
        )
    else:
        # A check in a list has one of a few shapes: one for each mode, with the ids of that mode.
        by_mode: dict[str, list[Criterion]] = {}
        for criterion in criteria:
            by_mode.setdefault(criterion.mode, []).append(criterion)
        shapes = [
            parts.object_schema({"id": parts.id_schema(row.id for row in group), **_verdict_schema(group[0])})
            for group in by_mode.values()
        ]
        checks = parts.list_schema(shapes[0] if len(shapes) == 1 else {"anyOf": shapes})
    return parts.object_schema({"checks": checks, "overall_reasoning": parts.TEXT})


def free_form_schema() -> parts.JsonSchema:
    """Return the schema for one score from 0 to 1. Its bounds are checked on reading: few providers support them."""
    texts = parts.list_schema(parts.TEXT)
    return parts.object_schema({"hits": texts, "misses": texts, "reasoning": parts.TEXT, "score": {"type": "number"}})


def _asks_by_id(criteria: Sequence[Criterion]) -> bool:
    """Return whether `checks` is an object by id, so that a model judges each once; not every id can be a property."""
    return all(_PROPERTY_NAME.match(criterion.id) for criterion in criteria)


def _verdict_schema(criterion: Criterion) -> parts.JsonSchema:
    if criterion.mode == "checklist":
        return {"reasoning": parts.TEXT, "satisfied": {"type": "boolean"}}
    return {"reasoning": parts.TEXT, "score": parts.integer_schema(LOWEST, HIGHEST)}


def _shown_beside(own: OwnPrompt | None, evaluator: LlmJudge, case: EvalCase) -> dict[str, Any]:
    """Return an evaluator's own instructions, and the names of the other evaluators of its case that ask the same."""
    judges = (judge for judge in with_members(case.evaluators, grader_of(case).sets) if isinstance(judge, LlmJudge))
    same = (judge for judge in judges if bool(judge.criteria) is bool(evaluator.criteria) and judge is not evaluator)
    return {"instructions": "" if own is None else own.text, "siblings": tuple(judge.name for judge in same)}


def _own_prompt(evaluator: LlmJudge, case: EvalCase, printed: str | None = None) -> OwnPrompt | None:
    """Return an evaluator's own prompt, or None; `printed` is what its command printed. Raises CannotGrade."""
    if printed is not None:
        return OwnPrompt(printed, is_template=False)
    prompt = evaluator.prompt
    if isinstance(prompt, PromptScript):
        raise CannotGrade(f"The prompt of the evaluator {evaluator.name} is printed by a command, which was not run.")
    if prompt is None or not prompt.strip():
        return None
    return grader_of(case).own_prompt(prompt_text(prompt, case), evaluator, case)


def _filled(own: OwnPrompt, evaluator: LlmJudge, case: EvalCase, material: parts.Material) -> str:
    """Return a prompt with its placeholders replaced in one pass, so that inserted text is not scanned again.

    Text that the author of the case did not write is fenced. Unknown placeholders are kept.
    """
    if not own.is_template:
        return own.text
    settings = {**plain_texts(evaluator.config), **own.values}
    plain = _written_values(evaluator, case, material)
    fenced: dict[str, tuple[str, str | Sequence[Message]]] = {
        "candidate_answer": ("ANSWER", material.answer),
        "output_messages": ("ANSWER", [Message(role="assistant", content=material.answer)]),
        "question": ("TASK", material.task),
        "input_messages": ("TASK", case.input_messages),
        "reference_answer": ("REFERENCE", material.reference),
        "expected_messages": ("REFERENCE", case.expected_messages),
    }

    def replacement(place: re.Match[str]) -> str:
        name = own.variables.get(place[1], "")
        if name in fenced:
            title, value = fenced[name]
            text = value if isinstance(value, str) else _messages_json(value, case)
            return _on_own_lines(place, material.fence(title, text))
        return plain[name]() if name in plain else settings.get(place[1], place[0])

    return PLACEHOLDER.sub(replacement, own.text)


def _written_values(evaluator: LlmJudge, case: EvalCase, material: parts.Material) -> dict[str, Callable[[], str]]:
    """Return the author's texts by the names of values; each is made when a prompt uses it."""
    rubrics = [criterion.model_dump(mode="json", exclude_defaults=True) for criterion in evaluator.criteria]
    return {
        "expected_outcome": lambda: material.expected_outcome,
        "criteria": lambda: material.expected_outcome,
        "rubrics": lambda: json.dumps(rubrics, ensure_ascii=False, indent=2),
        "rubrics_json": lambda: json.dumps(rubrics, ensure_ascii=False),
        "metadata": lambda: json.dumps(case.metadata, ensure_ascii=False, indent=2, default=str),
        "metadata_json": lambda: json.dumps(case.metadata, ensure_ascii=False, default=str),
        "unknown": str,
    }


def _on_own_lines(place: re.Match[str], block: str) -> str:
    template, start, end = place.string, place.start(), place.end()
    before = "" if start == 0 or template[start - 1] == "\n" else "\n"
    after = "" if end == len(template) or template[end] in "\r\n" else "\n"
    return f"{before}{block}{after}"


def _messages_json(messages: Sequence[Message], case: EvalCase) -> str:
    """Return messages of a case as JSON, with the text of the files that they name."""
    return json.dumps([_plain(message, case) for message in messages], ensure_ascii=False, indent=2)


def _plain(message: Message, case: EvalCase) -> dict[str, Any]:
    written = message.content
    content = [_plain_part(part, case) for part in written] if isinstance(written, tuple) else written
    fields = {"name": message.name or None, "content": content, "tool_calls": list(message.tool_calls) or None}
    return {"role": message.role, **{name: value for name, value in fields.items() if value is not None}}


def _plain_part(part: ContentPart, case: EvalCase) -> dict[str, str]:
    text = {} if part.type == "text" else {"text": read_attachment(part.value, case)}
    return {"type": part.type, "value": part.value, **text}
