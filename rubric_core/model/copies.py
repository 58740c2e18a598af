"""Steps from a test to its cases: one for each prompt and each value of a list, with their texts rendered."""

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator
from collections.abc import Mapping as PlainMapping

from rubric_core.model.build_evaluators import Placed
from rubric_core.model.builder import Builder, text_of
from rubric_core.model.expand import CaseItem, failures_of, is_text
from rubric_core.model.prompts import SuitePrompt
from rubric_core.model.render import EnvironmentRenderer, NodeRenderer, text_node, with_values, without
from rubric_core.syntax.nodes import Mapping, Node, Sequence
from rubric_core.syntax.scalars import YamlVersion, as_boolean
from rubric_core.views.test_names import safe_id

_KEEPS_LISTS = "disableVarExpansion"


def with_environment(builder: Builder, case: CaseItem) -> CaseItem:
    """Return a case rendered with the allowed variables of the environment."""
    renderer = EnvironmentRenderer(builder.environment)
    node = renderer.render(case.item.node)
    return case._replace(item=case.item._replace(node=node), failures=tuple(failures_of(renderer, case.item)))


def variables_of(node: Mapping, shared: Mapping | None, *, has_prompts: bool) -> tuple[Mapping, dict[str, Node] | None]:
    """Return a test and its variables; None without any, and then it is not rendered.

    Those of the default test come first. Beside prompts the `input` of a test is a variable.
    """
    own, given = node.get("vars"), node.get("input") if has_prompts else None
    if own is not None and not isinstance(own, Mapping):
        return node, None
    given_values = filter(None, (shared, own))
    values = {name: pair.value for mapping in given_values for name, pair in mapping.index.items()}
    if given is not None:
        values["input"] = given
        node = without(node, ("input", "input_files"))
    has_any = own is not None or given is not None or (shared is not None and bool(shared.index))
    return node, values if has_any else None


def choices_of(builder: Builder, case: CaseItem, values: PlainMapping[str, Node]) -> list[list[Node]]:
    """Return the values of each variable in the copies of a test; a single one if its options keep lists."""
    options = case.item.node.get("options") if isinstance(case.item.node, Mapping) else None
    switch = options.get(_KEEPS_LISTS) if isinstance(options, Mapping) else None
    keeps_lists = switch is not None and as_boolean(switch, builder.version) is True
    choices = [[value] if keeps_lists else _texts_of(value, builder.version) for value in values.values()]
    if not all(choices):
        builder.leave_out(("cases",), case.item.span, "A list in vars is empty, so the test never runs.")
    return choices


def _texts_of(value: Node, version: YamlVersion) -> list[Node]:
    is_list = isinstance(value, Sequence) and (not value.items or is_text(value.items[0], version))
    return list(value.items) if isinstance(value, Sequence) and is_list else [value]


def combinations(names: Iterable[str], choices: list[list[Node]]) -> Iterator[dict[str, Node]]:
    """Yield each combination of the values that variables have."""
    keys = tuple(names)
    return (dict(zip(keys, chosen, strict=True)) for chosen in itertools.product(*choices))


def variant_of(chosen: PlainMapping[str, Node], choices: list[list[Node]]) -> str:
    """Return the suffix of a copy of a test from the values of the variables that have several."""
    varied = [name for name, values in zip(chosen, choices, strict=True) if len(values) > 1]
    return "".join(f"__{name}_{safe_id(text_of(chosen[name]) or '')}" for name in varied)


def with_prompt(case: CaseItem, prompt: SuitePrompt, suffix: str) -> CaseItem:
    """Return a test with the text of one prompt, and a suffix of its id."""
    case_id = case.case_id or text_of(case.id_node) or ""
    named = f"{case_id}{suffix}" if suffix and case_id else case.case_id
    return case._replace(case_id=named, input=prompt.item, failures=(*case.failures, *prompt.failures))


def with_input(case: CaseItem, renderer: NodeRenderer) -> CaseItem:
    """Return a test with its input rendered."""
    if case.input is None:
        return case
    sent = case.input._replace(node=renderer.render(case.input.node))
    return case._replace(input=sent, failures=(*case.failures, *failures_of(renderer, case.input)))


def rendered(case: CaseItem, renderer: NodeRenderer, keys: tuple[str, ...]) -> CaseItem:
    """Return a test with its input and the texts under some keys rendered.

    What fails stays as it is written and is noted.
    """
    node = case.item.node
    assert isinstance(node, Mapping)  # noqa: S101 - only tests have variables.
    case = with_input(case, renderer)
    renderer.failures.clear()
    values = [renderer.render(pair.value) if pair.name in keys else pair.value for pair in node.pairs]
    is_same = all(value is pair.value for value, pair in zip(values, node.pairs, strict=True))
    made = case._replace(item=case.item._replace(node=node if is_same else with_values(node, values)))
    if "{" in case.case_id:
        shown = renderer.render(text_node(node, case.case_id)) if "id" in keys else None
        made = made._replace(case_id=text_of(shown) or case.case_id)
    failures = [*case.failures, *failures_of(renderer, case.item)]
    defaults: list[Placed] = []
    for placed in case.defaults:
        renderer.failures.clear()
        defaults.append(placed._replace(item=placed.item._replace(node=renderer.render(placed.item.node))))
        failures += failures_of(renderer, placed.item)
    return made._replace(failures=tuple(failures), defaults=tuple(defaults))


def distinct_cases(cases: list[CaseItem]) -> Iterator[CaseItem]:
    """Yield the cases with ids that differ between the copies of one test."""
    keys = [(case.origin, case.case_id or text_of(case.id_node) or "") for case in cases]
    count = Counter(keys)
    taken: set[tuple[object, str]] = set()
    for case, key in zip(cases, keys, strict=True):
        origin, name = key
        longer = f"{name}{case.variant}" if name and count[key] > 1 else name
        made = longer
        number = 1
        while made and (origin, made) in taken and count[key] > 1:
            number += 1
            made = f"{longer}-{number}"
        taken.add((origin, made))
        yield case if made == name else case._replace(case_id=made)
