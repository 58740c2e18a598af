"""Targets files and providers files: `.agentv/targets.yaml` up to AgentV 4, `.agentv/providers.yaml` from AgentV 5 on.

The settings of an entry stay where they are.
"""

from collections.abc import Iterator, Mapping

from rubric_core.migration.engine import Pass
from rubric_core.migration.places import DEFINITION, SUITE, Place
from rubric_core.migration.shared_steps import removal
from rubric_core.migration.steps import Change, Kind, Step, change, lists, renames
from rubric_core.migration.template_texts import ENV_TO_SHELL, SHELL_TO_ENV

TARGETS, PROVIDERS = "targets", "providers"
_SUFFIXES = (".yaml", ".yml")


def _grader(place: Place) -> Iterator[Change]:
    for key in ("grader_target", "judge_target"):
        pair = place.own(key)
        if pair is not None:
            reason = f"`{key}: {place.word(key)}`: write it as `defaults.grader` in `.agentv/config.yaml`"
            yield from change(pair, removal(place, pair), Kind.ASK, reason)


TABLES: Mapping[tuple[str, str], tuple[Pass, ...]] = {
        (TARGETS, PROVIDERS): (
            (
                renames((SUITE,), (TARGETS,), PROVIDERS),
                SHELL_TO_ENV,
            ),
            (
                renames((DEFINITION,), ("provider",), "id", where=lambda place: "label" in place.node.index),
                renames((DEFINITION,), ("name", "id"), "label"),
                Step((DEFINITION,), "`grader_target`, `judge_target`", "removed", _grader, Kind.ASK,
                     reason="a provider does not name its judge"),
                lists((DEFINITION,), ("use_target",), "AgentV 5 has no references to other targets; copy the settings"),
            ),
        ),
        (PROVIDERS, TARGETS): (
            (
                renames((SUITE,), (PROVIDERS,), TARGETS),
                ENV_TO_SHELL,
            ),
            (
                renames((DEFINITION,), ("id",), "provider"),
                renames((DEFINITION,), ("label",), "name"),
                lists((DEFINITION,), ("runtime", "config", "environment"), "AgentV 4 has no such key in a target"),
            ),
        ),
    }  # fmt: skip
"""The passes from one kind of file to the other."""


def kind_of_file(name: str) -> str | None:
    """Return which kind of file one of this name is, or None for neither."""
    return next((kind for kind in (TARGETS, PROVIDERS) if name in {kind + suffix for suffix in _SUFFIXES}), None)
