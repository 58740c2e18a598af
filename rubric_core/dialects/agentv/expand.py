"""The cases of suites of AgentV: in AgentV 4 with names in texts replaced, in AgentV 5 one for each prompt."""

from collections.abc import Iterator

from rubric_core.dialects.agentv.case_input import case_input
from rubric_core.dialects.agentv.name_replacer import NameReplacer
from rubric_core.dialects.agentv.rows import case_of_row
from rubric_core.model.build_evaluators import Placed, build_strings
from rubric_core.model.builder import Builder, text_of
from rubric_core.model.copies import (
    choices_of,
    combinations,
    distinct_cases,
    rendered,
    variables_of,
    variant_of,
    with_environment,
    with_input,
    with_prompt,
)
from rubric_core.model.evaluators import Evaluator
from rubric_core.model.expand import (
    AsListed,
    CaseItem,
    FromDefaultCase,
    PlacedFailure,
    cases_of_scenarios,
    failures_of,
    listed_cases,
    with_test_id,
)
from rubric_core.model.outline import SuiteOutline
from rubric_core.model.prompts import NO_PROMPT, PromptKeys, SuitePrompt, suite_prompts, with_affixes
from rubric_core.model.render import EnvironmentRenderer, Renderer
from rubric_core.model.suite import ModelPath
from rubric_core.syntax.document import Located
from rubric_core.syntax.nodes import Mapping
from rubric_core.views.cases import skips_defaults

_KEYS_4 = ("criteria", "expected_outcome", "input", "input_files", "expected_output", "turns")
_KEYS_5 = ("id", "description", "assert", *_KEYS_4)
_PROMPT_KEYS = PromptKeys(("id",), lambda node: text_of(node.get("file")))


class NamedValues(AsListed):
    """The cases of AgentV 4: the list as written, with the values of `vars` in place of their names."""

    def cases(self, builder: Builder, outline: SuiteOutline) -> list[CaseItem]:
        """Return the cases with their whole input."""
        listed = listed_cases(builder, outline, case_of_row)
        return [_with_values(builder, outline, with_test_id(case)) for case in listed]


def _with_values(builder: Builder, outline: SuiteOutline, case: CaseItem) -> CaseItem:
    values = case.item.node.get("vars") if isinstance(case.item.node, Mapping) else None
    if not isinstance(values, Mapping):
        return _with_files(builder, outline, case, None)
    replacer = NameReplacer({name: pair.value for name, pair in values.index.items()}, builder.version)
    return _with_files(builder, outline, rendered(case, replacer, _KEYS_4), replacer)


def _with_files(
    builder: Builder, outline: SuiteOutline, case: CaseItem, replacer: NameReplacer | None = None
) -> CaseItem:
    """Return a case with its input: that of the suite first, its own behind its files."""
    node = case.item.node
    if not isinstance(node, Mapping):
        return case
    shared = {} if skips_defaults(node, builder.version) else outline.values
    made = case_input(case.item, case.record, case.input, shared, replacer)
    failed = () if made.reason is None else (PlacedFailure(case.item.span, made.reason),)
    return case._replace(input=made.item, failures=(*case.failures, *failed))


class Rendered(FromDefaultCase):
    """The cases of AgentV 5: one for each prompt and each value of the lists in `vars`, rendered."""

    def cases(self, builder: Builder, outline: SuiteOutline) -> list[CaseItem]:
        """Return the cases of the list, then those of scenarios."""
        listed = (
            *listed_cases(builder, outline, case_of_row),
            *cases_of_scenarios(builder, outline, case_of_row),
        )
        items = [with_environment(builder, with_test_id(case)) for case in listed]
        prompts = suite_prompts(builder, outline, _PROMPT_KEYS)
        shared, failures = _shared_variables(builder, self.default_case(builder, outline))
        items = [case._replace(failures=(*case.failures, *failures)) for case in items]
        copies = [copy for case in items for copy in _copies(builder, case, prompts, shared)]
        return [_with_files(builder, outline, copy) for copy in distinct_cases(copies)]

    def text_judges(self, builder: Builder, text: Located | None, path: ModelPath) -> list[Evaluator]:
        """Return the evaluator that the text of a case makes."""
        judge = build_strings(builder, path, [Placed(text, builder.elsewhere)]) if text is not None else None
        return [] if judge is None else [judge]

    def judging_default(self, builder: Builder, outline: SuiteOutline) -> CaseItem | None:
        """Return what every case starts from."""
        return self.default_case(builder, outline)


def _shared_variables(builder: Builder, default: CaseItem | None) -> tuple[Mapping | None, list[PlacedFailure]]:
    """Return the variables that every case starts from, and what cannot be rendered of what it starts from."""
    if default is None:
        return None, []
    renderer = EnvironmentRenderer(builder.environment)
    node = renderer.render(default.item.node)
    values = node.get("vars") if isinstance(node, Mapping) else None
    return values if isinstance(values, Mapping) else None, failures_of(renderer, default.item)


def _copies(builder: Builder, case: CaseItem, prompts: list[SuitePrompt], shared: Mapping | None) -> Iterator[CaseItem]:
    """Yield a test once for each prompt and each combination of the texts of lists in its `vars`.

    As in AgentV, prompts are rendered with whole lists before, and once more with the texts of the copy.
    """
    if not isinstance(case.item.node, Mapping):
        yield case
        return
    node, values = variables_of(case.item.node, shared, has_prompts=bool(prompts))
    case = case._replace(item=case.item._replace(node=node))
    choices = choices_of(builder, case, values or {})
    for prompt in prompts or [NO_PROMPT]:
        suffix = f"__prompt_{prompt.name}" if len(prompts) > 1 else ""
        made = with_prompt(case, with_affixes(prompt, node), suffix)
        if values is None:
            yield made
            continue
        made = with_input(made, Renderer(values, builder.version))
        for chosen in combinations(values, choices):
            copy = made._replace(variant=made.variant + variant_of(chosen, choices))
            yield rendered(copy, Renderer(chosen, builder.version), _KEYS_5)


AGENTV_4 = NamedValues()
AGENTV_5 = Rendered("default_test")
