"""The server of Red Hat's YAML extension looks at the same files: both work, and nothing is there twice."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from hosts import YAML_LANGUAGE_SERVER, do_without, host_folder
from neovim import Neovim
from neovim_project import SUITE
from uncovered_scores import GREETING_GAP

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from editor_hosts import EditorHost

pytestmark = pytest.mark.slow

GAP = GREETING_GAP.replace(
    "[{role: user, content: Hello}]", '[{role: user, content: "🎉"}, {role: usr, content: Hello}]'
).replace("Answers the greeting of the user", '"🎉 Answers the greeting"')
# Starts the other server for every YAML file, as its documentation says; it asks no network.
_OTHER = """
local other = {
  name = 'yamlls',
  cmd = %s,
  settings = { yaml = { schemaStore = { enable = false, url = '' }, kubernetesCRDStore = { enable = false } } },
}
vim.api.nvim_create_autocmd('FileType', { pattern = 'yaml', callback = function(event)
  local config = vim.tbl_extend('force', other, { root_dir = vim.fn.fnamemodify(event.file, ':p:h') })
  if vim.lsp.start then
    vim.lsp.start(config)
  else
    vim.lsp.buf_attach_client(event.buf, vim.lsp.start_client(config))
  end
end })
function is_other_there()
  local client = require('rubric.versions').clients('yamlls', vim.api.nvim_get_current_buf())[1]
  return client and client.server_capabilities and true
end
require('rubric').setup()
"""


@pytest.fixture(scope="module")
def both(host: EditorHost, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neovim]:
    """Give a Neovim of each version that starts both servers."""
    node = shutil.which("node")
    if node is None:
        do_without("Node.js is not installed, so yaml-language-server cannot run")
    script = host_folder(YAML_LANGUAGE_SERVER) / YAML_LANGUAGE_SERVER.sign
    command = f"{{ {json.dumps(node)}, {json.dumps(str(script))}, '--stdio' }}"
    with closing(Neovim(host, tmp_path_factory.mktemp(host.name), _OTHER % command)) as running:
        yield running


def opened(nvim: Neovim, path: Path, text: str) -> None:
    """Open a file and wait for both servers."""
    nvim.lua("start_anew()")
    nvim.edit(path, text)
    nvim.wait("return is_other_there()", "yaml-language-server")


def test_each_reports_what_it_knows(both: Neovim, tmp_path: Path) -> None:
    """Ours knows of eval files, the other one of YAML; places behind an emoji are right for both."""
    text = GAP + "unused: &anchor 1\n"
    opened(both, tmp_path / "gap.eval.yaml", text)
    found = both.wait(
        "local found = diagnostics() local sources = {} "
        "for _, each in ipairs(found) do sources[each.source] = true end "
        "return sources.rubric and vim.tbl_count(sources) == 2 and found",
        "The problems of both",
    )
    ours = [each for each in found if each["source"] == "rubric"]
    assert {"RB103", "RB505"} <= {each["code"] for each in ours}
    (role,) = [each for each in ours if each["code"] == "RB505"]
    line = text.splitlines()[role["line"]].encode()
    assert line[role["column"] : role["end_column"]] == b"usr"


def test_no_problem_is_reported_twice(both: Neovim, tmp_path: Path) -> None:
    """Neither by one server nor by both, in a file whose YAML is sound."""
    opened(both, tmp_path / "once.eval.yaml", GAP)
    both.wait("return #diagnostics('rubric') == 2")
    # The other server waits a moment before it looks at a file; its answer to this comes behind what it found.
    both.lua(
        "local params = {textDocument = {uri = vim.uri_from_bufnr(0)}} "
        "vim.lsp.buf_request_sync(0, 'textDocument/documentSymbol', params, 30000)"
    )
    found = both.lua("return diagnostics()")
    places = [(each["line"], each["column"]) for each in found]
    assert len(places) == len(set(places)) == 2


@pytest.mark.parametrize(
    ("broken", "ours"),
    [
        (GAP.replace("expected_outcome: Greets the user by name", "id: twice"), "RB002"),
        (GAP.replace("expected_outcome: Greets the user by name", "expected_outcome: 'Greets"), "RB001"),
    ],
)
def test_errors_of_yaml_itself_are_left_to_the_other(both: Neovim, tmp_path: Path, broken: str, ours: str) -> None:
    """What both know is told by the other one alone, unless the user wants ours."""
    codes = "vim.tbl_map(function(each) return each.code end, diagnostics('rubric'))"
    opened(both, tmp_path / "broken.eval.yaml", broken)
    both.wait("return #diagnostics('YAML') > 0 and #diagnostics() > 0", "The error")
    both.wait(f"return not vim.tbl_contains({codes}, '{ours}')", "The silence")
    both.lua(
        "require('rubric.options').current.leave_yaml_errors = false "
        "require('rubric.diagnostics').show_again(vim.api.nvim_get_current_buf())"
    )
    both.wait(f"return vim.tbl_contains({codes}, '{ours}')", "Our error")


def test_completions_are_not_doubled(both: Neovim, tmp_path: Path) -> None:
    """Every label is offered once, and ours are among them."""
    opened(both, tmp_path / "half.eval.yaml", GAP + "      - id: more\n        \n")
    both.command("normal! G$")
    labels = both.lua(
        "local params = vim.lsp.util.make_position_params(0, 'utf-16') params.position.character = 8 "
        "local labels = {} "
        "for _, answer in pairs(vim.lsp.buf_request_sync(0, 'textDocument/completion', params, 30000)) do "
        "local items = answer.result and (answer.result.items or answer.result) or {} "
        "for _, item in ipairs(items) do table.insert(labels, item.label) end end return labels"
    )
    assert "weight" in labels
    assert len(labels) == len(set(labels))


def test_the_fix_of_a_gap_is_applied(both: Neovim, tmp_path: Path) -> None:
    """The actions of both are offered together, and ours changes the file as it does alone."""
    opened(both, tmp_path / "fix.eval.yaml", GAP)
    both.wait("return #diagnostics('rubric') == 2")
    both.lua("go_to('[5, 10]') answer_with({'Extend 5-10 down to 4-10'}) vim.lsp.buf.code_action()")
    both.wait("return not text():find('[5, 10]', 1, true)", "The fix")
    assert both.lua("return text()") == GAP.replace("[5, 10]", "[4, 10]")
    labels = both.lua("return asked[1].labels")
    assert len(labels) == len(set(labels))


def test_grading_works_beside_it(both: Neovim, tmp_path: Path) -> None:
    """A person judges, and the other server is never asked for what is ours."""
    opened(both, tmp_path / "greetings.eval.yaml", SUITE)
    both.lua("go_to('id: greeting') vim.fn.setreg('r', 'Hello Ada') answer_with({'met', '', '9', '', 'keep this'})")
    both.command("RubricGrade judge=manual answer=@r")
    assert both.wait("return shown('result')").startswith("greeting  pass 0.95")
