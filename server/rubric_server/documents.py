"""The documents that the client has open: their texts in chunks, and the analysis that follows each edit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types

from rubric_core.analysis.project import NO_PROJECT, Project
from rubric_core.config.config import DEFAULT, Config, Overrides, known_rules, merged
from rubric_core.files.project import DiskProject
from rubric_core.files.walk import SUFFIXES, may_be_ours
from rubric_core.syntax.document import Document
from rubric_core.text.spans import Edit
from rubric_server.addresses import path_of
from rubric_server.convert import Client, Ranges, edit_of
from rubric_server.encoded import Encoder, encode_alone
from rubric_server.workspace import RememberedProject, loaded_config

if TYPE_CHECKING:
    from rubric_core.analysis.analysis import Analysis
    from rubric_core.files.configuration import LoadedConfig

CONFIGURATION_FILES = frozenset({"rubric.toml", "pyproject.toml"})
# So many seconds a text is read for its first case of ours before a request is answered without one.
_PATIENCE = 0.05
# What editors call the languages of eval files that have no name yet, or another one.
_LANGUAGES = frozenset({"yaml", "yml", "jsonl", "jsonlines", "json-lines", "ndjson"})


class OpenDocument:
    """One open text. It takes the place of a plain string, which would be copied at every keystroke."""

    config: Config = DEFAULT
    # The configuration file that counts here, where there is one.
    configuration: LoadedConfig | None = None
    project: Project = NO_PROJECT

    def __init__(self, uri: str, version: int, text: str) -> None:
        self.uri = uri
        self.version = version
        self.path = path_of(uri)
        self.text = Document(text, json_lines=True)
        # The answer to the last pull, by which the client names it, and what it said.
        self.last_report = (0, "")
        # Whether all of it has been looked at once.
        self.is_settled = False

    @property
    def analysis(self) -> Analysis | None:
        """Return the analysis of an eval file; None for every other text."""
        return None

    @property
    def disk(self) -> DiskProject | None:
        """Return what knows the files around an eval file; None where the text has no file."""
        return self.project.disk if isinstance(self.project, RememberedProject) else None

    def change(self, changes: Iterable[types.TextDocumentContentChangeEvent], version: int, client: Client) -> None:
        """Apply changes in their order, each speaking of the text as the one before it left it."""
        for change in changes:
            edit = edit_of(self.text, change, client.encoding)
            self.text.edit([edit])
            self._edited(edit)
        self.version = version

    def _edited(self, edit: Edit) -> None:
        """Take note of an edit that was applied."""

    def step(self) -> bool:
        """Do a bit of the work that finding the problems takes; return whether there was any left."""
        return False

    @property
    def done(self) -> float:
        """Return which part of the text has been looked at."""
        return 1.0

    def is_shown(self) -> bool:
        """Return whether the client is to be told of the document, even if nothing is wrong with it."""
        return False

    def diagnostics(self, _client: Client) -> list[str]:
        """Return the problems that are known by now, as JSON text."""
        return []

    def reload_if_changed(self, _overrides: Overrides) -> bool:
        """Start afresh if the configuration or the files around the document changed; return whether they did."""
        return False


class OpenSuite(OpenDocument):
    """An open YAML or JSON Lines file, which may be an eval file."""

    def __init__(self, uri: str, version: int, text: str, overrides: Overrides) -> None:
        super().__init__(uri, version, "")
        self._open(text, self._configuration(), overrides)

    def _configuration(self) -> LoadedConfig | None:
        """Return the configuration file that counts; a text without a file has none."""
        return loaded_config(Path(self.path).parent) if self.path else None

    def _open(self, text: str, configuration: LoadedConfig | None, overrides: Overrides) -> None:
        self.configuration = configuration
        self.is_settled = False
        self.config = config = merged(configuration.config if configuration else DEFAULT, overrides)
        self.project = RememberedProject(self.path, config) if self.path else NO_PROJECT
        json_lines = (self.path or self.uri).endswith(".jsonl")
        self.text = Document(text, json_lines=json_lines, limits=config.limits)
        # Whether the text has a word of ours, or the file a name of ours; only what is typed is searched again.
        self._may_be_ours = may_be_ours(self.path, text, config)
        self._analysis: Analysis | None = None
        self._encoder: Encoder | None = None

    @property
    def analysis(self) -> Analysis | None:
        """Return the analysis of an eval file; None for other YAML, which gets nothing from us.

        A text that nobody has read yet is read until the first case of ours, but not for long: where that takes longer,
        it is hardly an eval file, and whoever asks must not wait for the rest of it.
        """
        analysis = self._started()
        if analysis is None:
            return None
        end = perf_counter() + _PATIENCE
        while not analysis.owns_anything and perf_counter() < end and analysis.step():
            pass
        return analysis if analysis.owns_anything else None

    def _edited(self, edit: Edit) -> None:
        """Where the text could not be ours so far, see whether what was typed makes it so."""
        if not self._may_be_ours:
            touched = self.text.chunks[self.text.chunk_at(edit.start)].text
            self._may_be_ours = any(may_be_ours(self.path, text, self.config) for text in (edit.text, touched))

    def _started(self) -> Analysis | None:
        """Return the analysis of a text that may be ours; other YAML is not even parsed."""
        if self._analysis is None and self._may_be_ours:
            from rubric_core.analysis.analysis import Analysis  # noqa: PLC0415 - it imports the rules.

            self._analysis = Analysis(self.text, path=self.path, config=self.config, project=self.project)
        return self._analysis

    def step(self) -> bool:
        """Do a bit of the work that finding the problems takes; return whether there was any left."""
        analysis = self._started()
        return analysis is not None and analysis.step()

    @property
    def done(self) -> float:
        """Return which part of the text has been looked at."""
        return len(self._analysis.facts.outlines) / len(self.text.chunks) if self._analysis is not None else 1.0

    def is_shown(self) -> bool:
        """Return whether the document is an eval file as far as it has been read."""
        return self._analysis is not None and self._analysis.owns_anything

    def diagnostics(self, client: Client) -> list[str]:
        """Return the problems that are known by now, as JSON text."""
        if self._analysis is None:
            return []
        if self._encoder is None:
            self._encoder = Encoder(self.uri, client)
        return self._encoder.encode(self._analysis)

    def reload_if_changed(self, overrides: Overrides) -> bool:
        """Start afresh if the configuration or the files around the document changed; return whether they did."""
        before, now = self.configuration, self._configuration()
        is_same_file = before is None or now is None or (before.path, before.text) == (now.path, now.text)
        is_same = is_same_file and merged(now.config if now else DEFAULT, overrides) == self.config
        project = self.project
        if is_same and (not isinstance(project, RememberedProject) or project.is_unchanged()):
            return False
        self._open(self.text.text, now, overrides)
        return True


class OpenConfiguration(OpenDocument):
    """An open `rubric.toml` or `pyproject.toml`, checked as it is typed. Other files feel it when it is saved."""

    def _loaded(self) -> LoadedConfig:
        from rubric_core.files import configuration  # noqa: PLC0415 - few people have one of these open.

        text = self.text.text
        if not self.is_shown() and not configuration.holds_our_table(text):
            return configuration.LoadedConfig()
        return configuration.parse_config(text, Path(self.path), known_rules())

    def is_shown(self) -> bool:
        """Return whether the file is ours alone."""
        return Path(self.path).name == "rubric.toml"

    def diagnostics(self, client: Client) -> list[str]:
        """Return what is wrong with the configuration, as JSON text."""
        return configuration_diagnostics(self._loaded(), client)


def configuration_diagnostics(loaded: LoadedConfig, client: Client) -> list[str]:
    """Return what is wrong with a configuration file, as JSON text."""
    ranges = Ranges(Document(loaded.text, json_lines=True), client.encoding)
    return [encode_alone(problem, "", ranges, client) for problem in loaded.problems]


class Analysed(NamedTuple):
    """An open eval file with its analysis."""

    document: OpenDocument
    analysis: Analysis


class OpenDocuments:
    """All open documents, by their address."""

    def __init__(self) -> None:
        self._by_uri: dict[str, OpenDocument] = {}

    def open(self, item: types.TextDocumentItem, overrides: Overrides) -> OpenDocument:
        """Take in a document; one that is open already is replaced."""
        uri, version, text = item.uri, item.version, item.text
        path = path_of(uri)
        if Path(path).name in CONFIGURATION_FILES:
            document: OpenDocument = OpenConfiguration(uri, version, text)
        elif path.endswith(SUFFIXES) or item.language_id in _LANGUAGES:
            document = OpenSuite(uri, version, text, overrides)
        else:
            # A client may attach us to everything; what is no YAML is none of our business.
            document = OpenDocument(uri, version, text)
        self._by_uri[uri] = document
        return document

    def close(self, uri: str) -> OpenDocument | None:
        """Forget a document."""
        return self._by_uri.pop(uri, None)

    def get(self, uri: str) -> OpenDocument | None:
        """Return an open document."""
        return self._by_uri.get(uri)

    def address_of(self, uri: str) -> str:
        """Return the address under which a file is open; the given one where it is not.

        What a person types into a setting is not always written as the editor writes addresses.
        """
        if uri in self._by_uri:
            return uri
        # A path that was put behind `file://` as it is may have characters that mean something in an address.
        paths = {path_of(uri), uri.removeprefix("file://")} - {""}
        return next((known for known in self._by_uri if path_of(known) in paths), uri)

    def analysed(self, uri: str) -> Analysed | None:
        """Return an open eval file with its analysis; None for every other text, which gets nothing from us."""
        document = self.get(uri)
        analysis = document.analysis if document is not None else None
        return Analysed(document, analysis) if document is not None and analysis is not None else None

    def __iter__(self) -> Iterator[OpenDocument]:
        return iter(list(self._by_uri.values()))
