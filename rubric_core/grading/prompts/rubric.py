"""The question about criteria: each is met or not, or has a score from 0 to 10."""

from collections.abc import Sequence

from rubric_core.grading.judges.judge import Question
from rubric_core.grading.prompts.fences import REASON_FIRST, Fence, make_prompt, quoted, system_text
from rubric_core.grading.prompts.material import Material, filled, material_of, own_prompt, section, sections, siblings
from rubric_core.grading.schemas import asks_by_id, rubric_schema
from rubric_core.model.criteria import HIGHEST_SCORE, LOWEST_SCORE, Criterion, ScoreRange
from rubric_core.model.evaluators import LlmJudge
from rubric_core.model.suite import EvalCase

_VERDICTS = {"checklist": ("satisfied", "true or false"), "score-range": ("score", "an integer from 0 to 10")}
_BANDS = (
    f"A criterion with bands gets an integer from {LOWEST_SCORE} to {HIGHEST_SCORE}: find the band whose text fits the "
    "answer best, then choose a score inside of that band."
)


def rubric_question(  # noqa: PLR0913 - what is judged, and two choices with names.
    case: EvalCase,
    evaluator: LlmJudge,
    criteria: Sequence[Criterion],
    answer: str,
    *,
    prompt_text: str | None = None,
    sample: int = 0,
) -> Question:
    """Ask for a check of each of the criteria, which may be some of the evaluator's only.

    The evaluator's own prompt is added as further instructions; `prompt_text` is what its command printed. Weights
    and gates are not told: they are no reason for a judgement, and changing them asks nothing anew.
    Raises CannotGrade where a file that the case names cannot be read.
    """
    material = material_of(case, answer)
    own = own_prompt(evaluator, case, prompt_text)

    def write(fence: Fence) -> tuple[str, str]:
        instructions = [] if own is None else [filled(own, evaluator, case, material, fence)]
        return system_text(fence), _user_text(material, fence, criteria, instructions)

    return Question(
        kind="rubric",
        case_id=case.id,
        evaluator=evaluator.name,
        prompt=make_prompt(write),
        schema=rubric_schema(criteria),
        task=material.task,
        answer=answer,
        expected_outcome=case.expected_outcome,
        reference=material.reference,
        instructions="" if own is None else own.text,
        criteria=tuple(criteria),
        sample=sample,
        siblings=siblings(case, evaluator),
        unasked=frozenset(each.id for each in evaluator.criteria) - {each.id for each in criteria},
    )


def _user_text(material: Material, fence: Fence, criteria: Sequence[Criterion], instructions: Sequence[str]) -> str:
    has_bands = any(criterion.mode == "score-range" for criterion in criteria)
    return "\n\n".join(
        [
            *sections(material, fence),
            *(section("Further instructions", text) for text in instructions),
            section(
                "Criteria",
                "Judge each criterion by itself.",
                *([_BANDS] if has_bands else []),
                *(_described(criterion) for criterion in criteria),
            ),
            section("Reply", f"Judge every criterion once. {REASON_FIRST}", _shape(criteria)),
        ]
    )


def _described(criterion: Criterion) -> str:
    name = quoted(criterion.id)
    if criterion.mode == "checklist":
        return f"- {name}, met or not: {_indented(criterion.expected_outcome)}"
    about = f": {_indented(criterion.expected_outcome)}" if criterion.expected_outcome else ""
    return "\n".join([f"- {name}, scored{about}", *map(_band, criterion.score_ranges)])


def _band(band: ScoreRange) -> str:
    bounds = str(band.minimum) if band.minimum == band.maximum else f"{band.minimum} to {band.maximum}"
    return f"  {bounds}: {_indented(band.expected_outcome)}"


def _indented(text: str) -> str:
    return text.strip().replace("\n", "\n    ")


def _shape(criteria: Sequence[Criterion]) -> str:
    """Return the form of the reply, as the schema has it."""
    by_id = asks_by_id(criteria)
    checks = ",\n".join(f"    {_check_shape(criterion, by_id=by_id)}" for criterion in criteria)
    opening, closing = ("{", "}") if by_id else ("[", "]")
    return f'{{\n  "checks": {opening}\n{checks}\n  {closing},\n  "overall_reasoning": "..."\n}}'


def _check_shape(criterion: Criterion, *, by_id: bool) -> str:
    field, values = _VERDICTS[criterion.mode]
    verdict = f'"reasoning": "...", "{field}": <{values}>'
    name = quoted(criterion.id)
    return f"{name}: {{{verdict}}}" if by_id else f'{{"id": {name}, {verdict}}}'
