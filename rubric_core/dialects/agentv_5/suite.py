"""What a suite of AgentV 5 gives to every test: prompts, assertions, and the default test."""

from dataclasses import dataclass

from rubric_core.rules.rule import Context
from rubric_core.syntax.nodes import Mapping, Node, Scalar, walk
from rubric_core.text.patterns import lazily
from rubric_core.views.inherited import Inherited, SuiteReader, is_filled_list, starting_values
from rubric_core.views.templates import names_in

_WHOLE = lazily(r"\s*\{\{-?\s*(?:vars\.)?(\w+)\s*-?\}\}\s*\Z")
_ASSERT = "assert"


@dataclass(frozen=True, slots=True)
class InheritedFacts(Inherited):
    """What every test gets: `prompt_names` are the variables that prompts of this file use."""

    prompt_names: frozenset[str] = frozenset()
    has_assertions: bool = False


def given_by_suite(context: Context) -> InheritedFacts:
    """Return what every test gets, for a rule."""
    inherited = context.suite.inherited
    return inherited if isinstance(inherited, InheritedFacts) else _NOTHING


def _prompts(value: Node) -> Inherited:
    texts = [node.value for node in walk(value) if isinstance(node, Scalar)]
    sent = frozenset(match[1] for text in texts if (match := _WHOLE.match(text)))
    return InheritedFacts(prompt_names=frozenset(names_in(value)), sent_vars=sent)


def _assertions(value: Node) -> Inherited:
    return InheritedFacts(has_assertions=is_filled_list(value))


def _default_test(value: Node) -> Inherited:
    asserted = value.get(_ASSERT) if isinstance(value, Mapping) else None
    return InheritedFacts(has_assertions=is_filled_list(asserted)).joined(starting_values(value))


_NOTHING = InheritedFacts()
SUITE = SuiteReader(_NOTHING, {_ASSERT: _assertions, "default_test": _default_test, "prompts": _prompts})
