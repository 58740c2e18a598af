"""`rubric migrate` from and to promptfoo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from dialect_suites import PORT

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.needs("agentv-5")


@pytest.mark.needs("agentv-4")
def test_a_file_of_another_tool_does_not_keep_the_others_from_being_written(rubric: Any, folder: Path) -> None:
    """No table leads from its dialect, which is reported."""
    (folder / "a.eval.yaml").write_text(PORT)
    (folder / "promptfooconfig.yaml").write_text("prompts: [hello]\nproviders: [echo]\ntests: [{vars: {a: b}}]\n")
    result = rubric("migrate", "--to", "agentv-4")
    assert (result.exit_code, result.stdout) == (0, "a.eval.yaml: agentv-2 to agentv-4.\n")
    assert "promptfooconfig.yaml" in result.stderr


PROVIDERS = """\
providers:
  # The one that answers.
  - label: fast
    id: openai
    model: "{{ env.MODEL }}"
"""
PROMPTFOO = """\
# yaml-language-server: $schema=https://promptfoo.dev/config-schema.json
prompts: ["Which port has {{ service }}?"]
providers: [openai:gpt-5]
tests:
  - vars: {service: web} # the first
    assert: [{type: not-contains, value: "8081"}]
"""
FIVE_OF_PROMPTFOO = """\
# rubric: dialect=agentv-5
prompts: ["Which port has {{ service }}?"]
providers: [openai:gpt-5]
threshold: 1
tests:
  - id: test-1
    vars: {service: web} # the first
    assert: [{type: contains, negate: true, value: "8081"}]
"""


def test_a_promptfoo_configuration_becomes_a_suite_and_back(rubric: Any, folder: Path) -> None:
    """It is recognised by its first line; the providers of the project have no table to promptfoo and stay."""
    path, providers = folder / "promptfooconfig.yaml", folder / ".agentv" / "providers.yaml"
    path.write_text(PROMPTFOO)
    providers.parent.mkdir()
    providers.write_text(PROVIDERS)
    result = rubric("migrate", "--to", "agentv-5", "promptfooconfig.yaml")
    assert (result.exit_code, result.stdout) == (0, "promptfooconfig.yaml: promptfoo to agentv-5.\n")
    assert path.read_text() == FIVE_OF_PROMPTFOO
    assert rubric("migrate", "--to", "promptfoo").exit_code == 0
    assert (path.read_text(), providers.read_text()) == (PROMPTFOO, PROVIDERS)


def test_what_has_no_counterpart_keeps_a_configuration_as_it_is(rubric: Any, folder: Path) -> None:
    """Each with its line and a reason."""
    text = PROMPTFOO.replace("not-contains", "factuality")
    (folder / "promptfooconfig.yaml").write_text(text)
    result = rubric("migrate", "--to", "agentv-5")
    assert result.exit_code == 1
    assert "promptfooconfig.yaml:6: no: AgentV 5 has no type `factuality`" in result.stdout
    assert (folder / "promptfooconfig.yaml").read_text() == text
