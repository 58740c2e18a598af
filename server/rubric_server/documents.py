"""The documents that the client has open: their texts in chunks, and the analysis that follows each edit."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types

from rubric_core.analysis.project import NO_PROJECT, Project
from rubric_core.config.config import DEFAULT, Overrides, known_rules, merged
from rubric_core.dialects.eval_files import WHOLE_LISTS, is_case_name
from rubric_core.files.project import DiskProject
from rubric_core.files.walk import is_worth_reading, may_hold_cases
from rubric_core.syntax.document import Document
from rubric_server.convert import Client, Ranges, diagnostic_of, edit_of, path_of
from rubric_server.encoded import Encoder
from rubric_server.protocol.converter import to_json_text
from rubric_server.workspace import RememberedProject, loaded_config

if TYPE_CHECKING:
    from rubric_core.analysis.analysis import Analysis
    from rubric_core.files.configuration import LoadedConfig

CONFIGURATION_FILES = frozenset({"rubric.toml", "pyproject.toml"})
# A request is answered without a case if none was found in the text after this many seconds.
_PATIENCE = 0.05
# The language ids of editors for eval files without a name, or with another suffix.
_LANGUAGES = frozenset({"yaml", "yml", "jsonl", "jsonlines", "json-lines", "ndjson"})


class OpenDocument:
    """One open text in chunks. `may_have_cases` means that it is YAML or JSON Lines; other texts are not checked."""

    def __init__(self, uri: str, version: int, text: str, overrides: Overrides, *, may_have_cases: bool = True) -> None:
        self.uri = uri
        self.version = version
        self.path = path_of(uri)
        self._may_have_cases = may_have_cases
        # The id of the last answer to a pull, and its content.
        self.last_report = (0, "")
        # The dialect in the last notification, and the reason for it.
        self.notified_dialect: tuple[object, object] | None = None
        self._open(text, self._loaded_config(), overrides)

    def _loaded_config(self) -> LoadedConfig | None:
        """Return the configuration file that applies; a text without a file has none."""
        return loaded_config(Path(self.path).parent) if self.path and self._may_have_cases else None

    def _open(self, text: str, configuration: LoadedConfig | None, overrides: Overrides) -> None:
        self.configuration = configuration
        # Whether all of it has been checked once.
        self.is_settled = False
        self.config = config = merged(configuration.config if configuration else DEFAULT, overrides)
        has_project = self.path and self._may_have_cases
        self.project: Project = RememberedProject(self.path, config) if has_project else NO_PROJECT
        json_lines = not self._may_have_cases or (self.path or self.uri).endswith(".jsonl")
        is_one_case = not json_lines and is_case_name(self.path)
        self.text = Document(
            text, json_lines=json_lines, limits=config.limits, is_one_case=is_one_case, whole_lists=WHOLE_LISTS
        )
        # Whether the text or the name of the file may be those of an eval file; only edited text is searched again.
        self._may_be_ours = self._may_have_cases and self._is_worth_reading(text)
        self._analysis: Analysis | None = None
        self._encoder: Encoder | None = None

    def _is_worth_reading(self, text: str) -> bool:
        return is_worth_reading(self.path, text, self.config, lambda: self.project.naming_suite)

    @property
    def analysis(self) -> Analysis | None:
        """Return the analysis of an eval file; None for every other text.

        A text that was not read yet is read until its first case, for a short time: after that it is hardly an eval
        file, and the caller must not wait for the rest.
        """
        analysis = self._ensure_analysis()
        if analysis is None:
            return None
        end = perf_counter() + _PATIENCE
        while not analysis.owns_anything and perf_counter() < end and analysis.step():
            pass
        return analysis if analysis.owns_anything else None

    @property
    def disk(self) -> DiskProject | None:
        """Return the access to the files around an eval file; None where the text has no file."""
        return self.project if isinstance(self.project, RememberedProject) else None

    def change(self, changes: Iterable[types.TextDocumentContentChangeEvent], version: int, client: Client) -> None:
        """Apply changes in their order; the positions of each refer to the text after the one before it."""
        for change in changes:
            edit = edit_of(self.text, change, client.encoding)
            self.text.edit([edit])
            if self._may_have_cases and not self._may_be_ours:
                # The edit may make it an eval file.
                touched = self.text.chunks[self.text.chunk_at(edit.start)].text
                self._may_be_ours = any(map(self._is_worth_reading, (edit.text, touched)))
        self.version = version

    def _ensure_analysis(self) -> Analysis | None:
        """Return the analysis of a text that may be an eval file; other YAML is not parsed."""
        if self._analysis is None and self._may_be_ours:
            from rubric_core.analysis.analysis import Analysis  # noqa: PLC0415 - it imports the rules.

            self._analysis = Analysis(self.text, path=self.path, config=self.config, project=self.project)
        return self._analysis

    def step(self) -> bool:
        """Take one step of the analysis; return whether there was one left."""
        analysis = self._ensure_analysis()
        return analysis is not None and analysis.step()

    @property
    def done(self) -> float:
        """Return the share of the text that has been checked."""
        return len(self._analysis.facts.by_chunk) / len(self.text.chunks) if self._analysis is not None else 1.0

    def is_shown(self) -> bool:
        """Return whether to publish the diagnostics of the document, even if it has none."""
        return self._analysis is not None and self._analysis.owns_anything

    def diagnostics(self, client: Client) -> list[str]:
        """Return the problems found so far, as JSON text."""
        if self._analysis is None:
            return []
        if self._encoder is None:
            self._encoder = Encoder(self.uri, client)
        return self._encoder.encode(self._analysis)

    def reload_if_changed(self, overrides: Overrides) -> bool:
        """Analyse the text again if the configuration or the files around it changed; return whether they did."""
        if not self._may_have_cases:
            return False
        before, now = self.configuration, self._loaded_config()
        is_same_file = before is None or now is None or (before.path, before.text) == (now.path, now.text)
        is_same = is_same_file and merged(now.config if now else DEFAULT, overrides) == self.config
        project = self.project
        if is_same and (not isinstance(project, RememberedProject) or project.is_unchanged()):
            return False
        self._open(self.text.text, now, overrides)
        return True


class OpenConfiguration(OpenDocument):
    """An open `rubric.toml` or `pyproject.toml`, checked as it is typed. It applies to other files when it is saved."""

    def is_shown(self) -> bool:
        """Return whether it is a configuration file of Rubric only."""
        return Path(self.path).name == "rubric.toml"

    def diagnostics(self, client: Client) -> list[str]:
        """Return the problems of the configuration, as JSON text."""
        from rubric_core.files.configuration import holds_our_table, parse_config  # noqa: PLC0415 - seldom open.

        text = self.text.text
        if not self.is_shown() and not holds_our_table(text):
            return []
        return configuration_diagnostics(parse_config(text, Path(self.path), known_rules()), client)


def configuration_diagnostics(loaded: LoadedConfig, client: Client) -> list[str]:
    """Return the problems of a configuration file, as JSON text."""
    ranges = Ranges(Document(loaded.text, json_lines=True), client.encoding)
    return [to_json_text(diagnostic_of(problem, "", ranges, client)) for problem in loaded.problems]


class Analysed(NamedTuple):
    """An open eval file with its analysis."""

    document: OpenDocument
    analysis: Analysis


class OpenDocuments(dict[str, OpenDocument]):
    """All open documents, by their address."""

    def open(self, item: types.TextDocumentItem, overrides: Overrides) -> OpenDocument:
        """Add a document; one that is open already is replaced."""
        path = path_of(item.uri)
        is_configuration = Path(path).name in CONFIGURATION_FILES
        kind = OpenConfiguration if is_configuration else OpenDocument
        # A client may send every file.
        may_have_cases = not is_configuration and (may_hold_cases(Path(path).name) or item.language_id in _LANGUAGES)
        document = kind(item.uri, item.version, item.text, overrides, may_have_cases=may_have_cases)
        self[item.uri] = document
        return document

    def address_of(self, uri: str) -> str:
        """Return the address under which a file is open, which may differ from a setting; else the given one."""
        if uri in self:
            return uri
        # A path that was appended to `file://` unescaped may have characters with a meaning in an address.
        paths = {path_of(uri), uri.removeprefix("file://")} - {""}
        return next((open_uri for open_uri in self if path_of(open_uri) in paths), uri)

    def analysed(self, uri: str) -> Analysed | None:
        """Return an open eval file with its analysis; None for every other text."""
        document = self.get(uri)
        analysis = document.analysis if document is not None else None
        return Analysed(document, analysis) if document is not None and analysis is not None else None

    def all(self) -> tuple[OpenDocument, ...]:
        """Return all documents; others may be opened while work on these goes on."""
        return tuple(self.values())
