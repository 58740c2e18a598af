"""The folders that are open in the editor, and the eval files in them that are not."""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from rubric_core.config.config import is_ours_by_name, merged
from rubric_core.files.look import DiskSurroundings
from rubric_core.files.read import ReadText, read_text
from rubric_core.files.walk import find_files, may_be_ours
from rubric_core.syntax.document import Document
from rubric_server.addresses import path_of, uri_of
from rubric_server.disk import loaded_config
from rubric_server.encoded import Encoder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rubric_core.config.config import Config, Overrides
    from rubric_core.config.load import LoadedConfig
    from rubric_server.convert import Client
    from rubric_server.protocol import Range

# A client that does not tell of new files makes us look for them again after this many seconds.
_LOOK_AGAIN = 10.0


class Report(NamedTuple):
    """The diagnostics of a file that is not open, as JSON text, and what the file was like when they were found."""

    stamp: tuple[int, int]
    diagnostics: str
    is_ours: bool

    @property
    def result_id(self) -> str:
        """Return the name by which a client remembers this report."""
        return f"{self.stamp[0]}-{self.stamp[1]}-{hash(self.diagnostics)}"


class CaseNames(NamedTuple):
    """The ids of the cases of a file that is not open, and what the file was like when it was read."""

    stamp: tuple[int, int]
    cases: tuple[tuple[str, Range], ...]


class Workspace:
    """What is known of the files below the open folders."""

    def __init__(self) -> None:
        self.folders: dict[str, Path] = {}
        self._files: list[Path] | None = None
        self._listed_at = 0.0
        self._configs: dict[Path, LoadedConfig] = {}
        self._reports: dict[Path, Report] = {}
        self.case_names: dict[Path, CaseNames] = {}

    def open(self, uris: Iterable[str]) -> None:
        """Take in folders."""
        self.folders.update({uri: Path(path) for uri in uris if (path := path_of(uri))})
        self._files = None

    def close(self, uris: Iterable[str]) -> None:
        """Forget folders."""
        for uri in uris:
            self.folders.pop(uri, None)
        self._files = None

    def forget(self) -> None:
        """Look at the disk again when somebody asks next: a file, a configuration or a setting changed."""
        self._files = None
        self._configs.clear()
        self._reports.clear()
        self.case_names.clear()

    def files(self, overrides: Overrides, *, watched: bool) -> Iterator[Path]:
        """Give the files that may be eval files; they are listed again only after something changed."""
        if self._files is None or (not watched and monotonic() - self._listed_at > _LOOK_AGAIN):
            known: list[Path] = []
            for folder in self.folders.values():
                for found in find_files([folder], self.config_in(folder, overrides)):
                    if found.error is None:
                        known.append(found.path)
                        yield found.path
            # Only a walk that came to its end is remembered: others may be under way, or be called off.
            self._files = known
            self._listed_at = monotonic()
        else:
            yield from self._files

    def report(self, path: Path, overrides: Overrides, client: Client) -> Report:
        """Return the diagnostics of a file that is not open, found again only where the file changed."""
        try:
            status = path.stat()
        except OSError:
            return Report((0, 0), "", is_ours=False)
        stamp = status.st_mtime_ns, status.st_size
        known = self._reports.get(path)
        if known is None or known.stamp != stamp:
            known = self._reports[path] = self._check(path, stamp, self.config_in(path.parent, overrides), client)
        return known

    def config_in(self, folder: Path, overrides: Overrides) -> Config:
        """Return the configuration that counts in a folder; its file is read once."""
        if folder not in self._configs:
            self._configs[folder] = loaded_config(folder)
        return merged(self._configs[folder].config, overrides)

    def configurations(self) -> list[LoadedConfig]:
        """Return the configuration files that counted for the files that were looked at, each once."""
        return list({loaded.path: loaded for loaded in self._configs.values() if loaded.path is not None}.values())

    @staticmethod
    def _check(path: Path, stamp: tuple[int, int], config: Config, client: Client) -> Report:
        read = read_text(path, config.limits)
        if not isinstance(read, ReadText) or not may_be_ours(str(path), read.text, config):
            return Report(stamp, "", is_ours=isinstance(read, ReadText) and is_ours_by_name(config, str(path)))
        from rubric_core.analysis.analysis import Analysis  # noqa: PLC0415 - it imports the rules.

        document = Document(read.text, json_lines=path.suffix == ".jsonl", limits=config.limits)
        surroundings = DiskSurroundings(str(path), config)
        analysis = Analysis(document, path=str(path), config=config, surroundings=surroundings)
        analysis.refresh()
        if not analysis.is_ours():
            return Report(stamp, "", is_ours=False)
        return Report(stamp, ", ".join(Encoder(uri_of(path), client).encode(analysis)), is_ours=True)
