"""The project around an eval file: which referenced files exist, and which targets are known.

Nothing outside of the workspace is looked at unless the configuration allows it.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from rubric_core.config.config import DEFAULT, Config, is_within
from rubric_core.files.case_files import CaseFile, find_case_files
from rubric_core.files.read import ReadText, read_text
from rubric_core.syntax.limits import DEFAULT_LIMITS, Limits
from rubric_core.syntax.nodes import Mapping, Scalar, Sequence
from rubric_core.syntax.parse import parse

TARGETS_FILES = (
    ".agentv/targets.yaml",
    ".agentv/targets.yml",
    ".agentv/providers.yaml",
    ".agentv/providers.yml",
)
"""Where a targets file is looked for, below each folder from the eval file's up to the root of the workspace."""


# The keys of a target under which its own name stands, and that of the target which judges its answers.
_NAME_KEYS = frozenset({"name", "judge_target", "label"})
# The lists of such a file, the key of an entry's name, and the dialect whose files these are.
_LISTS = (("targets", "name", "agentv-4"), ("providers", "label", "agentv-5"))


def read_targets(text: str, limits: Limits = DEFAULT_LIMITS) -> dict[str, Scalar] | None:
    """Return the targets of a targets file, each with the place of its name; None where it cannot be understood."""
    tree = parse(text, limits=limits)
    if tree.problems or not isinstance(tree.root, Mapping):
        return None
    for key, name_key, _ in _LISTS:
        targets = tree.root.get(key)
        if isinstance(targets, Sequence):
            names = [item.get(name_key) for item in targets.items if isinstance(item, Mapping)]
            found: dict[str, Scalar] = {}
            for name in names:
                if isinstance(name, Scalar):
                    found.setdefault(name.value, name)
            return found
    return None


def places_of_target(text: str, name: str, limits: Limits = DEFAULT_LIMITS) -> list[Scalar]:
    """Return where a targets file has the name of a target: where it is defined, and where others refer to it."""
    root = parse(text, limits=limits).root
    lists = [root.get(key) for key, _, _ in _LISTS] if isinstance(root, Mapping) else []
    entries = [item for each in lists if isinstance(each, Sequence) for item in each.items]
    found = [
        pair.value for entry in entries if isinstance(entry, Mapping) for pair in entry.pairs if pair.name in _NAME_KEYS
    ]
    return [node for node in found if isinstance(node, Scalar) and node.value == name]


class DiskProject:
    """Answers for one eval file, remembered until `forget` is called after a change on the disk."""

    def __init__(self, path: str | os.PathLike[str], config: Config = DEFAULT, root: Path | None = None) -> None:
        self._config = config
        self._folder = Path(os.path.abspath(path)).parent  # noqa: PTH100 - links are judged later, one by one.
        self._root = Path(os.path.abspath(root)) if root else workspace_root(self._folder, config)  # noqa: PTH100 - same.
        self._real_root = os.path.realpath(self._root)
        self._answers: dict[str, bool | None] = {}
        self._targets: frozenset[str] | None = None
        self._targets_known = False

    def files(self, paths: frozenset[str]) -> dict[str, bool | None]:
        """Return which of the paths exist, as the eval file writes them; None where we must not look."""
        for path in paths - self._answers.keys():
            self._answers[path] = self._exists(path)
        return {path: self._answers[path] for path in paths}

    @property
    def targets(self) -> frozenset[str] | None:
        """Return the names of the targets, or None where no targets file is found."""
        if not self._targets_known:
            self._targets = self._find_targets()
            self._targets_known = True
        return self._targets

    @property
    def dialect(self) -> str | None:
        """Return the dialect that the nearest targets or providers file is of."""
        path = self.targets_file()
        return next((dialect for key, _, dialect in _LISTS if path is not None and path.stem == key), None)

    def texts(self, paths: frozenset[str]) -> dict[str, str]:
        """Return the texts of those files that exist and can be read."""
        found = {path: self.find(path) for path in paths}
        read = {path: read_text(file, self._config.limits) for path, file in found.items() if file is not None}
        return {path: each.text for path, each in read.items() if isinstance(each, ReadText)}

    def entries(self, folder: str) -> tuple[str, ...]:
        """Return what is in a folder, as seen from the eval file's, without hidden files; folders end with a slash."""
        path = os.path.normpath(os.path.join(self._folder, folder))  # noqa: PTH118 - as the user typed it.
        if not self._is_allowed(path) or not self._is_allowed_really(path):
            return ()
        try:
            with os.scandir(path) as found:
                names = [each.name + "/" * each.is_dir() for each in found if not each.name.startswith(".")]
        except (OSError, ValueError):
            return ()
        return tuple(sorted(names))

    def case_files(self, reference: str) -> tuple[CaseFile, ...]:
        """Return the files with cases that a suite refers to; none that we must not look at."""
        return find_case_files(
            reference,
            str(self._folder),
            lambda path: self._is_allowed(path) and self._is_allowed_really(path),
            self._config.limits,
        )

    def find(self, reference: str) -> str | None:
        """Return the path of the file that a reference means; None where there is none that we may look at."""
        for candidate in self._allowed_candidates(reference):
            if os.path.isfile(candidate):  # noqa: PTH113 - a string that may hold anything the user typed.
                return candidate if self._is_allowed_really(candidate) else None
        return None

    def targets_file(self) -> Path | None:
        """Return the targets file that counts for the eval file: the nearest one above it."""
        for folder in (self._folder, *self._folder.parents):
            for name in TARGETS_FILES:
                path = folder / name
                if path.is_file() and self._is_allowed_really(str(path)):
                    return path
            if folder == self._root:
                break
        return None

    def forget(self) -> None:
        """Look again at the next question."""
        self._answers.clear()
        self._targets_known = False

    def forget_missing(self, paths: frozenset[str]) -> None:
        """Look again for those of the paths that did not exist."""
        for path in paths:
            if self._answers.get(path) is False:
                del self._answers[path]

    def _exists(self, reference: str) -> bool | None:
        """Try the eval file's folder and each folder above it, up to the root of the workspace."""
        looked = False
        for candidate in self._allowed_candidates(reference):
            looked = True
            if os.path.exists(candidate):  # noqa: PTH110 - a string that may hold anything the user typed.
                # A link may lead out of the workspace, and then we do not say what is there.
                return True if self._is_allowed_really(candidate) else None
        return False if looked else None

    def _allowed_candidates(self, reference: str) -> Iterator[str]:
        return (candidate for candidate in self._candidates(reference) if self._is_allowed(candidate))

    def _candidates(self, reference: str) -> Iterator[str]:
        if os.path.isabs(reference):  # noqa: PTH117 - the same.
            yield os.path.normpath(reference)
            # A leading slash is also used for the root of the workspace.
            below = os.path.normpath(os.path.join(self._root, reference.lstrip("/\\")))  # noqa: PTH118 - the same.
            if self._is_allowed(below) and os.path.exists(below):  # noqa: PTH110 - the same.
                yield below
            return
        for folder in (self._folder, *self._folder.parents):
            yield os.path.normpath(os.path.join(folder, reference))  # noqa: PTH118 - the same.
            if folder == self._root:
                return

    def _is_allowed(self, path: str) -> bool:
        return self._config.allow_outside or is_within(path, str(self._root))

    def _is_allowed_really(self, path: str) -> bool:
        return self._config.allow_outside or is_within(os.path.realpath(path), self._real_root)

    def _find_targets(self) -> frozenset[str] | None:
        path = self.targets_file()
        names = _target_names(path, self._config) if path is not None else None
        return None if names is None else names | frozenset(self._config.targets)


def workspace_root(folder: Path, config: Config = DEFAULT) -> Path:
    """Return the folder that paths must not leave: that of the configuration, the repository, the targets or the file.

    Targets in the home folder do not open all of it to the paths of a file.
    """
    if config.root is not None and folder.is_relative_to(config.root):
        return config.root
    around = (folder, *folder.parents)
    repository = next((each for each in around if (each / ".git").exists()), None)
    if repository is not None:
        return repository
    home = Path(os.path.expanduser("~"))  # noqa: PTH111 - it raises nothing where there is no home.
    below_home = (each for each in around if each != home)
    return next((each for each in below_home if any((each / name).is_file() for name in TARGETS_FILES)), folder)


def _target_names(path: Path, config: Config) -> frozenset[str] | None:
    """Return the names in a targets file, or None where it cannot be understood: then nobody can know."""
    read = read_text(path, config.limits)
    targets = read_targets(read.text, config.limits) if isinstance(read, ReadText) else None
    return None if targets is None else frozenset(targets)
