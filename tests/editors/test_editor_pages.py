"""The pages about editors: what users paste from them is valid, and what they point to is there."""

from __future__ import annotations

import json
import re
import sys
from typing import Any

import pytest
from dialect_suites import MISSING
from hosts import ROOT

from rubric_core.config.config import DEFAULT_INCLUDE
from rubric_core.dialects.eval_files import dialect_by_name, is_suite_name
from rubric_core.dialects.registry import BY_NAME

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PAGES = [ROOT / "docs" / f"{name}.md" for name in ("editors", "neovim", "helix", "emacs", "zed", "jetbrains")]
READERS: dict[str, Any] = {"json": json.loads, "toml": tomllib.loads}
BLOCKS = [
    pytest.param(language, text, id=f"{page.stem}-{number}")
    for page in PAGES
    for number, (language, text) in enumerate(
        re.findall(r"^```(\w+)\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    )
    if language in READERS
]


@pytest.mark.parametrize(("language", "text"), BLOCKS)
def test_what_is_pasted_can_be_read(language: str, text: str) -> None:
    """JSON and TOML are valid as they are."""
    assert READERS[language](text)


@pytest.mark.parametrize("folder", ["nvim", "helix", "emacs", "zed", "jetbrains"])
def test_every_folder_has_its_page(folder: str) -> None:
    """A page tells of each folder below `editors`, and the index of each page."""
    page = ROOT / "docs" / f"{'neovim' if folder == 'nvim' else folder}.md"
    assert any((ROOT / "editors" / folder).iterdir())
    assert f"({page.name})" in PAGES[0].read_text(encoding="utf-8")


def test_the_template_says_what_the_page_says() -> None:
    """The command, the patterns and the language of LSP4IJ's template are in the table."""
    template = json.loads((ROOT / "editors" / "jetbrains" / "template.json").read_text(encoding="utf-8"))
    page = (ROOT / "docs" / "jetbrains.md").read_text(encoding="utf-8")
    (mapping,) = template["fileTypeMappings"]
    for said in (template["name"], template["programArgs"]["default"], mapping["languageId"]):
        assert f"| `{said}` |" in page
    assert ", ".join(f"`{pattern}`" for pattern in mapping["fileType"]["patterns"]) in page


def test_every_editor_gives_eval_files_the_names_of_the_default_configuration() -> None:
    """The patterns are written down once in Python; each client that needs its own copy has the same ones."""
    template = json.loads((ROOT / "editors" / "jetbrains" / "template.json").read_text(encoding="utf-8"))
    assert tuple(template["fileTypeMappings"][0]["fileType"]["patterns"][: len(DEFAULT_INCLUDE)]) == DEFAULT_INCLUDE
    endings = [pattern.removeprefix("*.eval.") for pattern in DEFAULT_INCLUDE]
    extension = ROOT / "vscode-extension"
    manifest = json.loads((extension / "package.json").read_text(encoding="utf-8"))
    assert f"workspaceContains:**/*.{{eval,EVAL}}.{{{','.join(endings)}}}" in manifest["activationEvents"]
    source = (extension / "src" / "evalFiles.ts").read_text(encoding="utf-8")
    assert f"EXTENSIONS: readonly string[] = {json.dumps(endings)};" in source
    names = [f"/evals/a.eval.{ending}" for ending in [*endings, "json"]]
    assert [name for name in names if _emacs_names().search(name)] == names[:-1]


SUITE_NAMES = [f"{name}.{ending}" for name in ("suite", "eval", "EVAL", "a.EVAL") for ending in ("yaml", "yml")]


@pytest.mark.skipif(bool(MISSING), reason="the editors know the names of dialects that are not there")
def test_every_editor_knows_the_names_of_suites() -> None:
    """Files that are eval files by these names if they have tests; what else a client lists would be other files."""
    assert [name for name in SUITE_NAMES if not is_suite_name(name)] == []
    template = json.loads((ROOT / "editors" / "jetbrains" / "template.json").read_text(encoding="utf-8"))
    patterns = template["fileTypeMappings"][0]["fileType"]["patterns"][len(DEFAULT_INCLUDE) :]
    configurations = [pattern.replace("*", ".dev") for pattern in patterns if "config" in pattern]
    assert [dialect_by_name(name) for name in configurations] == [BY_NAME["promptfoo"]] * 3
    named = [pattern.replace("*", "a") for pattern in patterns if "config" not in pattern]
    assert sorted(named) == sorted(SUITE_NAMES)
    extension = ROOT / "vscode-extension"
    events = json.loads((extension / "package.json").read_text(encoding="utf-8"))["activationEvents"]
    globs = [_as_expression(event.removeprefix("workspaceContains:**/")) for event in events if "**/" in event]
    source = (extension / "src" / "evalFiles.ts").read_text(encoding="utf-8")
    assert all(f'"{event.removeprefix("workspaceContains:")}"' in source for event in events if "suite" in event)
    every = [*SUITE_NAMES, *configurations]
    assert [name for name in every if not any(re.fullmatch(glob, name) for glob in globs)] == []
    assert [name for name in every if not _emacs_names().search(f"/evals/{name}")] == ["promptfooconfig.dev.json"]


def _as_expression(glob: str) -> str:
    """Return a glob with `*` and braces as a regular expression."""
    return re.sub(
        r"\{(.*?)\}", lambda match: f"({match[1].replace(',', '|')})", glob.replace(".", r"\.").replace("*", ".*")
    )


def _emacs_names() -> re.Pattern[str]:
    """Return the names for which Emacs has a mode; Emacs compares them in any case where nothing else fits."""
    source = (ROOT / "editors" / "emacs" / "rubric.el").read_text(encoding="utf-8")
    written = [each.replace("\\\\", "\\") for each in re.findall(r"\"([^\"\n]*\\'\)?)\"", source) if "eval" in each]
    assert written
    return re.compile("|".join(_python_expression(each) for each in written), re.IGNORECASE)


def _python_expression(emacs: str) -> str:
    """Return a regular expression of Emacs, whose groups and alternatives have backslashes, as Python writes it."""
    return re.sub(r"\\([(|)])", r"\1", emacs).replace(r"\'", "$")


def test_the_extension_for_zed_is_well_formed() -> None:
    """Its manifest names the server that its settings name, and the version of the interface that the page names."""
    folder = ROOT / "editors" / "zed"
    manifest = tomllib.loads((folder / "extension.toml").read_text(encoding="utf-8"))
    crate = tomllib.loads((folder / "Cargo.toml").read_text(encoding="utf-8"))
    page = (ROOT / "docs" / "zed.md").read_text(encoding="utf-8")
    (server,) = manifest["language_servers"]
    assert f'"{server}": {{' in page
    assert f"version {crate['dependencies']['zed_extension_api']} of `zed_extension_api`" in page
    assert (folder / crate["lib"]["path"]).exists()
    assert manifest["version"] == crate["package"]["version"]
