"""Facts of a file as a whole: whether it is an eval file, and its dialect.

Both follow from its name, from a comment at its top, or from its top-level keys together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from pathlib import PurePath
from typing import TYPE_CHECKING

from rubric_core.config.config import Config, is_ours_by_name
from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.eval_files import (
    is_cases_name,
    is_suite_name,
    is_template_path,
    related_dialect,
)
from rubric_core.dialects.recognition import (
    FileSigns,
    WholeFile,
    is_snake_case,
    may_render_prompts,
    recognise_whole_file,
)
from rubric_core.dialects.registry import BY_NAME
from rubric_core.files.naming_suite import NamingSuite
from rubric_core.syntax.chunks import Chunk

if TYPE_CHECKING:
    from rubric_core.analysis.file_facts import FileFacts

# The only key of a file whose tests should be a bare list.
_WRAPPED = {"tests"}


class WholeFiles:
    """Recognises the dialect of a whole file: by its name, its configuration, and the facts of all its chunks."""

    def __init__(
        self,
        path: str = "",
        config: Config | None = None,
        naming_suite: Callable[[], NamingSuite | None] = lambda: None,
    ) -> None:
        # The suite that names the file. Finding it reads files, so it is used for bare lists only.
        self._naming_suite = naming_suite
        self._lists = 0
        self._path = path
        self._configured = config.dialect if config is not None else ""
        self._is_named_otherwise = is_suite_name(path) or (config is not None and is_ours_by_name(config, path))
        # The top-level keys, the modelines, the chunks with rendered prompts, and those with cases with keys in snake
        # case.
        self._names: Counter[str] = Counter()
        self._modelines: dict[Chunk, Dialect] = {}
        self._templates: set[Chunk] = set()
        self._snake_case = 0
        # How many top-level keys are in snake case.
        self._snake_names = 0
        self._changes = 0
        self._last_inputs: tuple[int, bool, bool, bool] | None = None
        self._whole: WholeFile | None = None
        # The suite that names the file, if the dialect of the file is that of the suite.
        self.suite: NamingSuite | None = None

    def count_entries(self, chunk: Chunk, names: Collection[str | None], modeline: Dialect | None, sign: int) -> None:
        """Add or subtract the top-level keys and the modeline of a chunk."""
        self._changes += 1
        for name in names:
            if name is not None:
                self._names[name] += sign
                self._snake_names += sign * is_snake_case(name)
                if not self._names[name]:
                    del self._names[name]
        self._modelines.pop(chunk, None)
        self._templates.discard(chunk)
        if sign > 0 and modeline is not None:
            self._modelines[chunk] = modeline
        if sign > 0 and may_render_prompts(names, chunk.text):
            self._templates.add(chunk)

    def count_cases(self, sign: int, *, has_snake_case: bool, is_list: bool) -> None:
        """Add or subtract the facts of the cases of a chunk."""
        self._snake_case += sign * has_snake_case
        self._lists += sign * is_list

    def has_any(self, keys: Iterable[str]) -> bool:
        """Return whether one of the keys is at the top level."""
        return not self._names.keys().isdisjoint(keys)

    def recognise(self, *, has_ids: bool) -> WholeFile | None:
        """Return the dialect of the file as a whole; None if single words decide."""
        inputs = (self._changes, has_ids, self._snake_case > 0, self._lists > 0)
        if inputs != self._last_inputs:
            self._last_inputs = inputs
            self.suite = None
            self._whole = self._recognise(has_ids=has_ids)
        return self._whole

    def _recognise(self, *, has_ids: bool) -> WholeFile | None:
        signs = FileSigns(
            self._path,
            self._names.keys(),
            modeline=next(iter(self._modelines.values()), None),
            renders_prompts=bool(self._templates),
            has_other_words=has_ids or self._snake_case > 0 or self._snake_names > 0,
            is_named_otherwise=self._is_named_otherwise,
            configured=self._configured,
        )
        is_bare_list = self._lists > 0 and not self._names
        is_wrapped_list = self._names.keys() == _WRAPPED and not (signs.is_named_otherwise or signs.has_other_words)
        return recognise_whole_file(signs) or (self._by_suite() if is_bare_list or is_wrapped_list else None)

    def _by_suite(self) -> WholeFile | None:
        """Return the dialect of the suite that names a list of tests, if it is recognised by whole files."""
        suite = self._naming_suite()
        dialect = BY_NAME.get(suite.dialect) if suite is not None else None
        if suite is None or dialect is None or dialect.marks.whole is None:
            return None
        self.suite = suite
        return WholeFile(dialect, f"because {PurePath(suite.path).as_posix()} names it")


class Ownership:
    """Whether the name of a file makes it an eval file."""

    def __init__(self, path: str, config: Config, *, is_named: bool) -> None:
        self._by_name = bool(path) and is_ours_by_name(config, path)
        by_suite_name = is_suite_name(path)
        # With such a name, or named by the user, a file with a list of cases is an eval file; with both, every file is.
        self._by_list = (is_named or by_suite_name) and related_dialect(path) is None
        self._by_both = is_named and by_suite_name
        self._by_cases = is_cases_name(path)
        self._by_assertions = is_template_path(path)

    def has_everything(self, facts: FileFacts) -> bool:
        """Return whether each YAML document of the file is an eval suite, whatever is in it."""
        if self._by_name or facts.claims > 0 or facts.is_whole:
            return True
        if self._by_list and not facts.is_foreign and (self._by_both or facts.has_suite_key):
            return True
        return (self._by_cases and facts.case_count > 0) or (self._by_assertions and facts.has_assertions)
