"""The suite and its cases with their messages and scorecards, and the problems and places of what was read."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from rubric_core.dialects.registry import DEFAULT_DIALECT
from rubric_core.model.base import JsonValue, Model, SparseModel, Text, Weight
from rubric_core.model.criteria import Criterion
from rubric_core.model.evaluators import Evaluator
from rubric_core.rules.problem import Problem
from rubric_core.schema.scorecards import DIMENSIONS
from rubric_core.text.spans import Span
from rubric_core.views.scorecards import DEFAULT_DEDUCTION, DEFAULT_WEIGHTS

ModelPath = tuple[str | int, ...]
"""The way from a suite to a value in it, such as `("cases", 0, "criteria", 2)`."""


def _start_of(problem: Problem) -> int:
    return problem.span.start


_INSIDE_A_CASE = 3
"""How long the path of something inside of a case is at least."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A part of the file that no model can represent: the path that it would have, its place, and the reason.

    `place` names file, line, criterion and range, where the file is known.
    """

    path: ModelPath
    span: Span
    reason: str
    place: str = ""


Role = Literal["system", "user", "assistant", "tool"]


class ContentPart(Model):
    """A piece of a message: the text itself, or the path of a file that holds it."""

    type: Literal["text", "file"]
    value: str


class Message(Model):
    """One turn. `content` is text, a tuple of parts, structured data, or None beside tool calls."""

    role: Role
    content: str | tuple[ContentPart, ...] | dict[str, JsonValue] | None = None
    name: Text | None = None
    tool_calls: tuple[dict[str, JsonValue], ...] = ()

    @model_validator(mode="after")
    def _require_content(self) -> "Message":
        if self.content is None and not self.tool_calls:
            raise ValueError("the message has neither content nor tool_calls")
        return self

    @property
    def parts(self) -> tuple[ContentPart, ...]:
        """Return the content as parts; a string is one text part, structured data has none."""
        if isinstance(self.content, str):
            return (ContentPart(type="text", value=self.content),)
        return self.content if isinstance(self.content, tuple) else ()


Deduction = Annotated[Decimal, Field(gt=0, le=2)]


class RedFlag(Model):
    """A fault that lowers the grade."""

    id: Text
    expected_outcome: Text
    deduction: Deduction = DEFAULT_DEDUCTION


class Bonus(Model):
    """A merit that raises the grade by 0.25."""

    id: Text
    expected_outcome: Text


class Scorecard(Model):
    """The weights of the seven dimensions, with what lowers and raises the grade.

    `skill` is the key of its history; without one, the store makes a key of the case's file and id.
    """

    skill: str = ""
    weights: dict[str, Weight] = Field(default_factory=lambda: dict(DEFAULT_WEIGHTS))
    red_flags: tuple[RedFlag, ...] = ()
    bonuses: tuple[Bonus, ...] = ()

    @field_validator("weights")
    @classmethod
    def _are_complete(cls, weights: dict[str, Decimal]) -> dict[str, Decimal]:
        if set(weights) != set(DIMENSIONS):
            raise ValueError("the weights do not name each of the seven dimensions once")
        total = sum(weights.values())
        if total != 1:
            raise ValueError(f"the weights sum to {total}, not to 1.0")
        return {name: weights[name] for name in DIMENSIONS}


Threshold = Annotated[Decimal, Field(ge=0, le=1)]


class _WithThreshold(SparseModel):
    """The lowest passing score of a case, from 0 to 1, if the dialect has one."""

    rare = frozenset({"threshold"})
    threshold: Threshold | None = None


class Execution(_WithThreshold):
    """How cases are run: the target that answers, the evaluators, and the threshold of cases without their own."""

    target: str | None = None
    evaluators: tuple[Evaluator, ...] = ()


class EvalCase(_WithThreshold):
    """One task, with aliases resolved and the suite's values for all cases filled in.

    A case is built even if it is broken, so that it is not lost: without an `id` it is called `case-N`, and a missing
    outcome is the empty string. `problems` has the errors, and `left_out` the parts that no model can represent.
    `other_fields` has the values of fields that are in the table of fields and have no attribute here. `places` has
    file, line, criterion and range of each problem. `source` is the file that relative paths in the case start from,
    `test_id` the id of the test as the file has it, of which this may be one case among several, `dialect` the name of
    the dialect that it is written in, and `config` the configuration that it was loaded with. `call` has the data that
    a command gets besides the prompt: its options, and the test, whose variables the prompt of a judge may use.
    """

    id: str
    expected_outcome: str = ""
    input_messages: tuple[Message, ...] = ()
    expected_messages: tuple[Message, ...] = ()
    criteria: tuple[Criterion, ...] = ()
    evaluators: tuple[Evaluator, ...] = ()
    scorecard: Scorecard | None = None
    target: str | None = None
    conversation_id: str | None = None
    description: str | None = None
    question: str | None = None
    reference_answer: JsonValue = None
    note: str | None = None
    metadata: JsonValue = None
    other_fields: dict[str, JsonValue] = Field(default_factory=dict)
    source: str = Field(default="", exclude=True, repr=False)
    dialect: str = Field(default=DEFAULT_DIALECT.name, exclude=True, repr=False)
    dataset: str = Field(default="", exclude=True, repr=False)
    test_id: str = Field(default="", exclude=True, repr=False)
    # `Any` keeps pydantic from importing and checking what are plain dataclasses of other layers.
    problems: Any = Field(default=(), exclude=True, repr=False)
    places: Any = Field(default=(), exclude=True, repr=False)
    left_out: Any = Field(default=(), exclude=True, repr=False)
    config: Any = Field(default=None, exclude=True, repr=False)
    call: Any = Field(default=None, exclude=True, repr=False)


class Suite(Model):
    """The cases of one document, and the values for all of them.

    `spans` keeps the place of every value that was built, in code points of the whole text and by its path from
    the suite; it stays beside the models so that these are plain data. What an alias repeats has the place of the
    alias, and an evaluator that a case takes from the suite has the place of the suite's. `problems` are those of
    the YAML document, and `left_out` names what no model can hold. `names` has what a reader calls the parts of a case.
    """

    path: str = ""
    dialect: str = Field(default=DEFAULT_DIALECT.name, exclude=True)
    name: str | None = None
    description: str | None = None
    dataset: str | None = None
    version: JsonValue = None
    metadata: JsonValue = None
    execution: Execution = Execution()
    cases: tuple[EvalCase, ...] = ()
    # As in a case.
    problems: Any = Field(default=(), exclude=True, repr=False)
    left_out: Any = Field(default=(), exclude=True, repr=False)
    spans: Any = Field(default_factory=dict, exclude=True, repr=False)
    names: Any = Field(default_factory=dict, exclude=True, repr=False)

    def span_of(self, *path: str | int) -> Span | None:
        """Return the place of a value by its path: `suite.span_of("cases", 0, "criteria", 2)`."""
        span: Span | None = self.spans.get(path)
        return span

    @property
    def lost_cases(self) -> tuple[LeftOut, ...]:
        """Return the items of the list of cases that could not be read as cases."""
        return tuple(lost for lost in self.left_out if lost.path[0] == "cases" and len(lost.path) < _INSIDE_A_CASE)

    def problems_of(self, index: int) -> tuple[Problem, ...]:
        """Return the problems of a case: those inside it, and those of evaluators and scorecards that it shares."""
        by_place: dict[int, Problem] = {}
        for span in self._spans_of_case(index):
            first = bisect_left(self.problems, span.start, key=_start_of)
            last = bisect_left(self.problems, span.end, key=_start_of)
            by_place |= {place: self.problems[place] for place in range(first, last)}
        return tuple(by_place[place] for place in sorted(by_place))

    def _spans_of_case(self, index: int) -> Iterator[Span]:
        case = self.cases[index]
        paths: list[ModelPath] = [("cases", index), ("cases", index, "scorecard")]
        paths += (("cases", index, "evaluators", place) for place in range(len(case.evaluators)))
        for path in paths:
            span = self.span_of(*path)
            if span is not None:
                yield span
