"""The documents that the client has open: their texts in chunks, and the analysis that follows each edit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.analysis.analysis import Analysis
from rubric_core.analysis.surroundings import NOWHERE
from rubric_core.files.walk import may_be_ours
from rubric_core.syntax.document import Document
from rubric_server.addresses import path_of
from rubric_server.convert import edit_of
from rubric_server.disk import RememberedSurroundings, config_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rubric_core.rules.problem import Problem
    from rubric_server.convert import Client
    from rubric_server.protocol import ContentChange


class OpenDocument:
    """One open document. It takes the place of pygls's, which copies the whole text at every keystroke."""

    def __init__(self, uri: str, version: int, text: str) -> None:
        self.uri = uri
        self.version = version
        self.path = path_of(uri)
        self._open(text)

    def _open(self, text: str) -> None:
        self.config = config_of(self.path)
        self.surroundings = RememberedSurroundings(self.path, self.config) if self.path else NOWHERE
        json_lines = (self.path or self.uri).endswith(".jsonl")
        self.text = Document(text, json_lines=json_lines, limits=self.config.limits)
        self._analysis: Analysis | None = None
        self._problems: list[Problem] | None = None

    def change(self, changes: list[ContentChange], version: int, client: Client) -> None:
        """Apply changes in their order, each speaking of the text as the one before it left it."""
        for change in changes:
            self.text.edit([edit_of(self.text, change, client.encoding)])
        self.version = version
        self._problems = None

    def problems(self) -> list[Problem]:
        """Return the problems of this version, found once."""
        if self._problems is None:
            self._problems = self._analysis.problems() if self._is_worth_a_look() and self._analysis else []
        return self._problems

    @property
    def analysis(self) -> Analysis | None:
        """Return the analysis of an eval file; None for other YAML."""
        return self._analysis if self._is_worth_a_look() and self.is_ours() else None

    def is_ours(self) -> bool:
        """Tell whether the document is an eval file."""
        return self._analysis is not None and self._analysis.is_ours()

    def _is_worth_a_look(self) -> bool:
        """Tell whether the text needs an analysis: other YAML is not even parsed."""
        if self._analysis is None and may_be_ours(self.path, self.text.text, self.config):
            self._analysis = Analysis(self.text, path=self.path, config=self.config, surroundings=self.surroundings)
        return self._analysis is not None

    def look_again(self) -> bool:
        """Start afresh if the configuration or the files around the document changed, and tell whether they did."""
        if not isinstance(self.surroundings, RememberedSurroundings):
            return False
        if config_of(self.path) == self.config and self.surroundings.are_still_true():
            return False
        self._open(self.text.text)
        return True


class OpenDocuments:
    """All open documents, by their address."""

    def __init__(self) -> None:
        self._by_uri: dict[str, OpenDocument] = {}

    def open(self, uri: str, version: int, text: str) -> OpenDocument:
        """Take in a document; one that is open already is replaced."""
        document = self._by_uri[uri] = OpenDocument(uri, version, text)
        return document

    def close(self, uri: str) -> OpenDocument | None:
        """Forget a document."""
        return self._by_uri.pop(uri, None)

    def get(self, uri: str) -> OpenDocument | None:
        """Return an open document."""
        return self._by_uri.get(uri)

    def __iter__(self) -> Iterator[OpenDocument]:
        return iter(list(self._by_uri.values()))
