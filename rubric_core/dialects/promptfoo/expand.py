"""The cases of a configuration of promptfoo: one for each prompt, provider and value of a list."""

from collections.abc import Iterator
from functools import partial

from rubric_core.dialects.promptfoo.providers import SuiteProvider, columns, command_providers, context_of
from rubric_core.dialects.promptfoo.references import read_variables, with_references
from rubric_core.dialects.promptfoo.rows import row_as_test
from rubric_core.model.build_evaluators import Placed, list_in
from rubric_core.model.builder import Builder, DefaultCase, text_of
from rubric_core.model.case_items import CaseItem, failures_of
from rubric_core.model.copies import (
    choices_of,
    combinations,
    distinct_cases,
    rendered,
    variables_of,
    variant_of,
    with_environment,
    with_prompt,
    with_test_id,
)
from rubric_core.model.expand import FromDefaultCase
from rubric_core.model.listed import cases_of_scenarios, listed_cases, merged
from rubric_core.model.outline import SuiteOutline
from rubric_core.model.prompts import PromptKeys, SuitePrompt, messages_of_prompt, suite_prompts, with_affixes
from rubric_core.model.render import EnvironmentRenderer, Renderer, without
from rubric_core.schema.fields import Role
from rubric_core.schema.scales import FILE_URL
from rubric_core.syntax.nodes import Mapping, Node, Scalar
from rubric_core.views.cases import skips_defaults
from rubric_core.views.test_names import test_names

_RENDERED_KEYS = ("assert",)
# Keys of a test that are not inherited, or are looked up elsewhere.
_NOT_SHARED = ("vars", "threshold", "description")


def _file_of_prompt(node: Mapping) -> str | None:
    """Return the file of a prompt; in a prompt without a text, the id can be a file."""
    named = text_of(node.get("id")) or ""
    return text_of(node.get("file")) or (named if "raw" not in node.index and named.startswith(FILE_URL) else None)


_PROMPT_KEYS = PromptKeys(("label", "id"), _file_of_prompt)


class TextRenderer(Renderer):
    """Renders texts; the name of a list or a mapping alone becomes its text."""

    def replaces(self, value: Node) -> bool:
        """Return whether a text that is one name becomes the value itself."""
        return isinstance(value, Scalar)


class Multiplied(FromDefaultCase):
    """Tests once for each prompt, each command that answers, and each combination of values of lists in `vars`."""

    def cases(self, builder: Builder, outline: SuiteOutline) -> list[CaseItem]:
        """Return the tests of the list, then those of scenarios."""
        case_of_row = partial(_case_of_row, builder)
        listed = (
            *listed_cases(builder, outline, case_of_row),
            *cases_of_scenarios(builder, outline, case_of_row),
        )
        items = [with_environment(builder, _with_references(outline, with_test_id(case))) for case in listed]
        prompts, providers = suite_prompts(builder, outline, _PROMPT_KEYS), command_providers(builder, outline)
        default = self.default_case(builder, outline)
        items = list(_named(items))
        shared = None
        if default is not None:
            renderer = EnvironmentRenderer(builder.environment)
            node = renderer.render(with_references(default.item.node, outline))
            default = default._replace(item=default.item._replace(node=node))
            failures = failures_of(renderer, default.item)
            items = [
                _defaulted(builder, case._replace(failures=(*case.failures, *failures)), default) for case in items
            ]
            values = node.get("vars") if isinstance(node, Mapping) else None
            shared = values if isinstance(values, Mapping) else None
        copies = [copy for case in items for copy in _copies(builder, case, prompts, providers, shared)]
        return [_with_messages(copy) for copy in distinct_cases(copies)]


def _case_of_row(builder: Builder, row: dict[str, str], _number: int) -> dict[str, object]:
    return row_as_test(row, builder.dialect.types)


def _with_references(outline: SuiteOutline, case: CaseItem) -> CaseItem:
    return case._replace(item=case.item._replace(node=with_references(case.item.node, outline)))


def _named(cases: list[CaseItem]) -> Iterator[CaseItem]:
    """Yield tests, which have no ids, with their names."""
    nodes = [case.item.node for case in cases]
    described = [text_of(node.get("description")) if isinstance(node, Mapping) else None for node in nodes]
    names = test_names(zip([case.case_id for case in cases], described, strict=True))
    return (case._replace(case_id=name, test_id=name) for case, name in zip(cases, names, strict=True))


def _defaulted(builder: Builder, case: CaseItem, default: DefaultCase) -> CaseItem:
    """Return a test with the assertions, which keep their places, and the settings of the default test."""
    node, given = case.item.node, default.item.node
    if not isinstance(node, Mapping) or not isinstance(given, Mapping):
        return case
    skips = skips_defaults(node, builder.version)
    items = [] if skips else list_in(default.item, default.record) or []
    lists = default.record.keys_of(Role.EVALUATORS)
    whole = merged(without(given, (*lists, *_NOT_SHARED)), node, case.record)
    placed = tuple(Placed(item, default.elsewhere) for item in items)
    return case._replace(item=case.item._replace(node=whole), defaults=placed)


def _copies(
    builder: Builder,
    case: CaseItem,
    prompts: list[SuitePrompt],
    providers: list[SuiteProvider],
    shared: Mapping | None,
) -> Iterator[CaseItem]:
    """Yield a test once for each prompt, provider and combination of the texts of lists in its `vars`."""
    if not isinstance(case.item.node, Mapping):
        yield case
        return
    node, own = variables_of(case.item.node, shared, has_prompts=bool(prompts))
    values, unread = read_variables(builder, case.item, own)
    case = case._replace(item=case.item._replace(node=node), failures=(*case.failures, *unread))
    choices = choices_of(builder, case, values)
    run_with = list(columns(node, prompts, providers))
    if not run_with:
        reason = "Its `prompts` and `providers` name none, so the test never runs."
        builder.leave_out(("cases",), case.item.span, reason)
    for prompt, provider, suffix in run_with:
        sent = with_affixes(prompt, node)
        made = with_prompt(case, sent, suffix)
        for written in combinations(values, choices):
            whole = TextRenderer(written, builder.version)
            chosen = {name: whole.render(value) for name, value in written.items()}
            copy = made._replace(
                variant=made.variant + variant_of(chosen, choices),
                target=None if provider is None else provider.id,
                call=({} if provider is None else provider.options, context_of(node, chosen, sent, builder.version)),
            )
            yield rendered(copy, TextRenderer(chosen, builder.version), _RENDERED_KEYS)


def _with_messages(case: CaseItem) -> CaseItem:
    """Return a case with its rendered prompt as messages."""
    if case.input is None or not isinstance(case.item.node, Mapping):
        return case
    return case._replace(input=case.input._replace(node=messages_of_prompt(case.input.node)))


EXPANSION = Multiplied("defaultTest")
