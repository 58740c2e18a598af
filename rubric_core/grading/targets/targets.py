"""The targets and judges of an eval file by name, each made once and shared."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path

from rubric_core.config.config import Config
from rubric_core.files.project import workspace_root
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.judges.judge import Judge
from rubric_core.grading.judges.model import ModelJudge
from rubric_core.grading.providers.provider import Provider, RedactingProvider
from rubric_core.grading.providers.registry import KINDS, kind_named, make_provider
from rubric_core.grading.providers.settings import Purpose
from rubric_core.grading.secrets import Redactor
from rubric_core.grading.targets import definitions
from rubric_core.grading.workspace import config_near, dotenv_for, environment_for, folder_of, refuse_outside
from rubric_core.model.evaluators import LlmJudge
from rubric_core.model.suite import EvalCase
from rubric_core.schema.suggest import closest

DEFAULT_TARGET = "default"
"""The target of a case that names none, where one of this name is defined."""

MANUAL = "manual"
EDITOR = "editor"
REPLAY = "replay:"

_COMMANDS = frozenset({"command", "cli", "exec"})
_NAMED_BY = {"command": "command", "exec": "script"}
"""The setting that is behind the colon of a name, where that is not a model."""
_MODEL_SPELLINGS = frozenset({"model", "deployment", "deployment_name", "variant"})


class Targets:
    """The targets and judges of an eval file by name. Nothing is created, sent or run before it is requested.

    `environment` holds the variables of the `.env` files too. `judges` are those that are made already, by name: the
    editor's, or the one that asks a person. A recording or a person that is made here is added, so that whoever shares
    the mapping shares them; `providers` are shared in the same way, by what they are made of.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        config: Config | None = None,
        environment: Mapping[str, str] | None = None,
        judges: dict[str, Judge] | None = None,
        providers: dict[object, Provider] | None = None,
    ) -> None:
        """Take the configuration that is nearest to the eval file, and the real environment, where none is given."""
        self._source = source = os.fspath(path)
        self.config = config_near(source) if config is None else config
        self.environment = environment_for(source, self.config, os.environ if environment is None else environment)
        self._ready = {} if judges is None else judges
        self._shared = {} if providers is None else providers
        self._providers: dict[tuple[Purpose, str, str | None], Provider] = {}
        self._judges: dict[tuple[str, str | None], Judge] = {}
        self._own: list[Judge | Provider] = []

    @cached_property
    def redactor(self) -> Redactor:
        """Return what takes the secrets of all targets, judges and variables out of a text."""
        dotenv = dotenv_for(self._source, self.config)
        likely = definitions.likely_secrets(self._entries_if_sound, self.environment, dotenv, self.config.judge)
        return Redactor.together([self._certain_redactor, Redactor(likely)])

    @cached_property
    def _certain_redactor(self) -> Redactor:
        """Return what redacts the names of judges: they hold the names of models, which may look like keys."""
        return Redactor(definitions.certain_secrets(self._entries_if_sound, self.environment))

    @property
    def _entries_if_sound(self) -> tuple[definitions.TargetEntry, ...]:
        return (*self._judge_entries.values(), *self._target_entries_if_sound().values())

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of all targets. Raises CannotGrade where the targets file cannot be used."""
        return tuple(self._target_entries)

    @property
    def judge_kinds(self) -> dict[str, str]:
        """Return the provider of each judge and target that can be named as judge, by name."""
        entries = {**self._target_entries_if_sound(), **self._judge_entries}
        return {name: entry.provider for name, entry in entries.items() if entry.provider is not None}

    @property
    def missing_variables(self) -> tuple[str, ...]:
        """Return the variables that targets, judges or a provider's key would be read from, and that are not set."""
        named = [name for entry in self._entries_if_sound for name in definitions.variables_in(entry.settings)]
        keys = [
            name
            for kind in KINDS
            for setting in kind.settings
            if setting.name == "api_key"
            for name in setting.variables
        ]
        return tuple(name for name in dict.fromkeys([*named, *keys]) if not self.environment.get(name))

    def target_of(self, case: EvalCase, chosen: str | None = None) -> str | None:
        """Return the name of the target that answers a case: the chosen one, the case's own, or the default one."""
        named = chosen or case.target
        return named or (DEFAULT_TARGET if DEFAULT_TARGET in self._target_entries else None)

    def provider_for(self, name: str) -> Provider:
        """Return the provider that answers for a target. Raises CannotGrade where it cannot be made."""
        return self._provider("target", name)

    def judge_for(
        self, spec: str | None, case: EvalCase, evaluator: LlmJudge | None = None, *, target: str | None = None
    ) -> Judge:
        """Return who judges for an evaluator of a case; None means the scorecard.

        In this order: the judge that was asked for (`spec`), the evaluator's target, the `judge_target` of the target
        that answers (`target` where another one was chosen), the configuration's judge, and a person. An evaluator's
        `model` takes the place of the judge's own, unless the judge was asked for. Raises CannotGrade.
        """
        if spec:
            # What is typed at a terminal starts from the current folder.
            is_recording = spec.startswith(REPLAY) and spec not in self._ready
            return self._replayed(spec, Path()) if is_recording else self.judge_named(spec)
        return self.judge_named(self.judge_name(case, evaluator, target=target), evaluator.model if evaluator else None)

    def judge_name(self, case: EvalCase, evaluator: LlmJudge | None = None, *, target: str | None = None) -> str:
        """Return the name of the judge for an evaluator of a case where none was asked for."""
        entry = self._target_entries.get(self.target_of(case, target) or "")
        named = (evaluator.target if evaluator else None) or (entry.judge_target if entry else None)
        return named or self.config.judge or MANUAL

    def judge_named(self, name: str, model: str | None = None) -> Judge:
        """Return the judge of a name, with another model than its own where one is given. Raises CannotGrade."""
        if name in self._ready:
            return self._ready[name]
        if name.startswith(REPLAY):
            return self._replayed(name)
        if name in JUDGES:
            self._ready[name] = JUDGES[name]()
            self._own.append(self._ready[name])
            return self._ready[name]
        key = (name, model)
        if key not in self._judges:
            self._judges[key] = ModelJudge(self._certain_redactor.redact(name), self._provider("judge", name, model))
        return self._judges[key]

    def default_judge(self) -> Judge | None:
        """Return the default target as a judge; None where none is defined. Raises CannotGrade where it is wrong."""
        return self.judge_named(DEFAULT_TARGET) if DEFAULT_TARGET in self._target_entries else None

    def _replayed(self, name: str, *first: Path) -> Judge:
        """Return recorded judgements, from a file in the first folders or in those of `recording_folders`."""
        from rubric_core.grading.judges.replay import ReplayJudge, find_recording  # noqa: PLC0415 - seldom needed.

        folders = (*first, *recording_folders(self._source, self.config))
        path = find_recording(name.removeprefix(REPLAY), folders)
        key = (name, str(path))
        if key not in self._judges:
            self._judges[key] = ReplayJudge(path, name)
            self._own.append(self._judges[key])
        return self._judges[key]

    async def close(self) -> None:
        """Close everything that was made here."""
        own = tuple(self._own)
        for cache in (self._own, self._providers, self._judges, self._shared):
            cache.clear()
        for judge_or_provider in own:
            await judge_or_provider.close()

    @cached_property
    def _target_entries(self) -> dict[str, definitions.TargetEntry]:
        return definitions.targets_near(self._source, self.config)

    @cached_property
    def _judge_entries(self) -> dict[str, definitions.TargetEntry]:
        return definitions.entries_of(self.config.judges, "judge")

    def _target_entries_if_sound(self) -> dict[str, definitions.TargetEntry]:
        try:
            return self._target_entries
        except CannotGrade:
            return definitions.entries_of(self.config.targets, "target")

    def _provider(self, purpose: Purpose, name: str, model: str | None = None) -> Provider:
        key = (purpose, name, model)
        try:
            return self._providers.get(key) or self._providers.setdefault(key, self._made(*key))
        except CannotGrade as failure:
            raise CannotGrade(self.redactor.redact(failure.reason)) from None

    def _made(self, purpose: Purpose, name: str, model: str | None) -> Provider:
        entry = self._entry(purpose, name)
        if entry.provider is None:
            supported = ", ".join(kind.name for kind in KINDS)
            raise CannotGrade(f"There is no provider in {entry.owner}; give it one of {supported}.")
        settings = definitions.interpolate(entry.settings, self.environment, entry.owner)
        if model is not None:
            settings = {key: value for key, value in settings.items() if key not in _MODEL_SPELLINGS} | {"model": model}
        is_command = kind_named(entry.name, entry.provider).name in _COMMANDS
        if is_command:
            folder, cwd = folder_of(self._source), str(settings.get("cwd") or ".")
            refuse_outside([cwd], folder, self._source, self.config)
            settings["cwd"] = os.path.normpath(folder / cwd)
        key = (purpose, entry.name, entry.provider, repr(settings), frozenset(self.environment.items()))
        if key not in self._shared:
            provider = make_provider(entry.name, entry.provider, settings, self.environment, purpose=purpose)
            if is_command:
                words = provider.parameters["command"]
                refuse_outside(words, Path(settings["cwd"]), self._source, self.config)
            self._shared[key] = provider
            self._own.append(provider)
        return RedactingProvider(self._shared[key], self.redactor)

    def _entry(self, purpose: Purpose, name: str) -> definitions.TargetEntry:
        if purpose == "judge" and name in self._judge_entries:
            return self._judge_entries[name]
        if name in self._target_entries:
            return self._target_entries[name]
        kind, colon, model = name.partition(":")
        if not colon:
            raise self._unknown(purpose, name)
        return definitions.TargetEntry(
            name, f"the {purpose} {name}", kind, settings={_NAMED_BY.get(kind, "model"): model.strip()}
        )

    def _unknown(self, purpose: Purpose, name: str) -> CannotGrade:
        available = list(self._target_entries)
        if purpose == "judge":
            available = list(dict.fromkeys([*self._judge_entries, *available, *JUDGES, f"{REPLAY}FILE"]))
        if not available:
            folder = folder_of(self._source)
            return CannotGrade(
                f"There is no target {name}, because none is defined from {folder} up to "
                f"{workspace_root(folder, self.config)}; define it in .agentv/targets.yaml or in rubric.toml."
            )
        near = closest(name, available)
        hint = f" Did you mean {near}?" if near else ""
        return CannotGrade(
            f"There is no {purpose} {name}.{hint} Available are {', '.join(available)} and PROVIDER:MODEL."
        )


def _person() -> Judge:
    from rubric_core.grading.judges.manual import ManualJudge  # noqa: PLC0415 - no other judge needs it.
    from rubric_core.grading.judges.terminal import terminal_person  # noqa: PLC0415 - the same.

    return ManualJudge(terminal_person())


def _editor() -> Judge:
    raise CannotGrade("The judge editor answers only in an editor that has models; name another judge.")


JUDGES: dict[str, Callable[[], Judge]] = {MANUAL: _person, EDITOR: _editor}
"""The judges that need no target, by name. The server makes the editor's itself."""


def targets_by_file(
    configs: Mapping[str, Config], environment: Mapping[str, str] | None, judges: Mapping[str, Judge] | None
) -> dict[str, Targets]:
    """Return the targets of each eval file; files of one folder share theirs. `judges` are made already, by name.

    All folders share one person, and providers that are made of the same settings and variables: a run over many files
    must not keep connections for each of them.
    """
    ready, providers = dict(judges or {}), dict[object, Provider]()
    by_folder: dict[Path, Targets] = {}
    for path, config in configs.items():
        if folder_of(path) not in by_folder:
            by_folder[folder_of(path)] = Targets(path, config, environment, ready, providers)
    return {path: by_folder[folder_of(path)] for path in configs}


def recording_folders(source: str, config: Config) -> tuple[Path, ...]:
    """Return where recorded judgements are looked for: beside an eval file, in its workspace, by the configuration."""
    folder = folder_of(source)
    return (folder, workspace_root(folder, config), *([] if config.root is None else [config.root]))
