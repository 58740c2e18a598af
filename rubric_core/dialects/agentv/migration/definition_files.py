"""Targets files and providers files: `.agentv/targets.yaml` up to AgentV 4, `.agentv/providers.yaml` from AgentV 5 on.

The settings of an entry stay where they are.
"""

from collections.abc import Iterator

from rubric_core.dialects.agentv.migration.template_texts import ENV_TO_SHELL, SHELL_TO_ENV
from rubric_core.migration.definition_files import DefinitionFile
from rubric_core.migration.places import DEFINITION, SUITE, Place
from rubric_core.migration.steps import Change, Kind, Step, change, lists, renames

TARGETS, PROVIDERS = "targets", "providers"


def _grader(place: Place) -> Iterator[Change]:
    for key in ("grader_target", "judge_target"):
        pair = place.own(key)
        if pair is not None:
            reason = f"`{key}: {place.word(key)}`: write it as `defaults.grader` in `.agentv/config.yaml`"
            yield from change(pair, place.removal(pair), kind=Kind.ASK, reason=reason)


TARGETS_FILE = DefinitionFile(TARGETS, {
        PROVIDERS: (
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
    })  # fmt: skip
PROVIDERS_FILE = DefinitionFile(PROVIDERS, {
        TARGETS: (
            (
                renames((SUITE,), (TARGETS,), PROVIDERS),
                SHELL_TO_ENV,
            ),
            (
                renames((DEFINITION,), ("provider",), "id", where=lambda place: "label" in place),
                renames((DEFINITION,), ("name", "id"), "label"),
                Step((DEFINITION,), "`grader_target`, `judge_target`", "removed", _grader, Kind.ASK,
                     reason="a provider does not name its judge"),
                lists((DEFINITION,), ("use_target",), "AgentV 5 has no references to other targets; copy the settings"),
            ),
        ),
    })  # fmt: skip
