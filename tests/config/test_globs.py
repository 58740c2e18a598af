"""Globs of the configuration."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_core.config.config import matches_any, relative_to_root


@pytest.mark.parametrize(
    ("glob", "path", "expected"),
    [
        ("*.eval.yaml", "a.eval.yaml", True),
        ("*.eval.yaml", "deep/er/a.eval.yaml", True),
        ("*.eval.yaml", "a.yaml", False),
        ("*.eval.yaml", "a.eval.yaml.bak", False),
        ("evals/*.yaml", "evals/a.yaml", True),
        ("evals/*.yaml", "evals/deep/a.yaml", False),
        ("evals/*.yaml", "other/evals/a.yaml", False),
        ("evals/**/*.yaml", "evals/a.yaml", True),
        ("evals/**/*.yaml", "evals/x/y/a.yaml", True),
        ("**/drafts/*.yaml", "drafts/a.yaml", True),
        ("**/drafts/*.yaml", "x/drafts/a.yaml", True),
        ("drafts/**", "drafts/x/a.yaml", True),
        ("drafts/**", "drafts2/a.yaml", False),
        ("vendor", "vendor/x/a.yaml", True),
        ("vendor/", "x/vendor/a.yaml", True),
        ("/vendor", "x/vendor/a.yaml", False),
        ("/vendor", "vendor/a.yaml", True),
        ("./evals/*.yaml", "evals/a.yaml", True),
        ("a?.yaml", "ab.yaml", True),
        ("a?.yaml", "a/.yaml", False),
        ("a[bc].yaml", "ab.yaml", True),
        ("a[bc].yaml", "ad.yaml", False),
        ("a[!bc].yaml", "ad.yaml", True),
        ("a[!bc].yaml", "ab.yaml", False),
        ("a[]x].yaml", "a].yaml", True),
        ("a[z-a].yaml", "a[z-a].yaml", False),
        ("a[+-9].yaml", "a/.yaml", False),
        ("a[+-9].yaml", "a5.yaml", True),
        ("a\\[b\\].yaml", "a[b].yaml", True),
        ("a**b", "a/b", False),
        ("**", "x/a.yaml", True),
        ("a[z-a].yaml", "az.yaml", False),
        ("a[b.yaml", "a[b.yaml", True),
        ("a+(b).yaml", "a+(b).yaml", True),
    ],
)
def test_a_glob_matches_names_folders_and_paths(glob: str, path: str, *, expected: bool) -> None:
    """A glob without a slash is a name anywhere, one with a slash counts from the root, a folder takes its content."""
    assert matches_any((glob,), path) is expected


def test_no_glob_matches_nothing() -> None:
    """An empty list of globs never matches."""
    assert not matches_any((), "a.yaml")


@given(st.lists(st.text(min_size=1), min_size=1, max_size=3), st.text())
def test_any_text_is_a_glob(globs: list[str], path: str) -> None:
    """Whatever the user writes as a glob, matching gives an answer."""
    assert matches_any(tuple(globs), path) in {True, False}


@given(st.text(st.characters(blacklist_characters="*?[]/\\", blacklist_categories=("Cs", "Z", "Cc")), min_size=1))
def test_a_glob_without_signs_matches_itself(name: str) -> None:
    """A plain name is its own glob, in any folder."""
    assert matches_any((name,), name)
    assert matches_any((name,), f"folder/{name}/file")


@pytest.mark.parametrize(
    ("path", "root", "expected"),
    [
        ("/w/evals/a.yaml", "/w", "evals/a.yaml"),
        ("/other/a.yaml", "/w", "other/a.yaml"),
        ("evals/a.yaml", "/w", "evals/a.yaml"),
        ("/w/a.yaml", None, "w/a.yaml"),
        ("/work2/a.yaml", "/work", "work2/a.yaml"),
    ],
)
def test_a_path_is_taken_from_the_root(path: str, root: str | None, expected: str) -> None:
    """A path below the root loses the root, any other keeps its folders."""
    assert relative_to_root(path, PurePosixPath(root) if root else None) == expected
