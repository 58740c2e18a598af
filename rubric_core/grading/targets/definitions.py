"""The definitions of targets and judges, in the targets file and in the configuration, and their secrets."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from rubric_core.config.config import Config
from rubric_core.files.project import DiskProject
from rubric_core.grading import secrets
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.processes import CannotStart, split_command
from rubric_core.model.load import CannotLoad, load_targets
from rubric_core.text.patterns import lazily

REFERENCE = lazily(r"\$\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}")

_MARK = lazily(r"\{\{(\w+)\}\}")
"""A reference while a command is split: without blanks, and without what a shell would read."""

_WORD_START = lazily(r"(?<=[a-z0-9])(?=[A-Z])|-")

_COMMANDS = frozenset({"command", "command_template"})

_OPTIONAL = frozenset({"version", "api_version", "cwd"})
"""Settings that count as not given where their variable is not set."""
_NAMING = lazily(rf"(?i)(?:\A|_)(?:{secrets.NAMING_WORDS}|judge|resource|project)(?:_|\Z)")
"""Names of variables that name something."""
_QUOTED = r"'(?P<single>[^']*)'|\"(?P<double>[^\"]*)\""
_PAIRS = {
    ";": lazily(rf"(?:\A|;)\s*(?P<name>[A-Za-z][\w .-]*?)\s*=\s*(?:{_QUOTED}|(?P<bare>[^;]*))"),
    " ": lazily(rf"(?:\A|\s)(?P<name>[A-Za-z][\w.-]*)\s*=\s*(?:{_QUOTED}|(?P<bare>\S*))"),
}
"""How the pairs of a connection string are written, by what is between them."""
_BETWEEN = lazily(r"[-._~:@]+")
_UUID = lazily(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_SHORTEST_MIXED = 10
_SHORTEST_PLAIN = 16
_PLAIN = frozenset(
    {
        *("model", "deployment", "deployment_name", "variant", "version", "api_version"),
        *("endpoint", "base_url", "resource", "resource_name", "cwd"),
    }
)
"""Settings that name something and are no secret: a model's name is in every result, an address in many errors."""
_HEADERS = "headers"
_PLAIN_HEADER = lazily(r"\A(?:accept.*|content-.*|user-agent|.*-version|.*-beta)\Z", re.IGNORECASE)
"""Headers that are no credentials."""
_PRIVATE_KEY = lazily(r"-----BEGIN [A-Z ]*PRIVATE KEY-----")


@dataclass(frozen=True, slots=True)
class TargetEntry:
    """One definition. `owner` names it in messages. Settings are as written: they may hold secrets and references."""

    name: str
    owner: str
    provider: str | None = None
    judge_target: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict, repr=False)


def targets_near(source: str, config: Config) -> dict[str, TargetEntry]:
    """Return the targets for an eval file by name, the configuration's before those of its file. Raises CannotGrade."""
    path = DiskProject(source, config).targets_file() if source else None
    entries: dict[str, TargetEntry] = {}
    try:
        for target in load_targets(path) if path is not None else ():
            own = {"provider": target.provider, "judge_target": target.judge_target}
            # The first of two equal names counts.
            entry = _entry(target.name, f"the target {target.name}", {**target.settings, **own})
            entries.setdefault(target.name, entry)
    except CannotLoad as failure:
        raise CannotGrade(f"The targets in {failure.path} cannot be used. {failure.reason}") from None
    return {**entries, **entries_of(config.targets, "target")}


def entries_of(tables: Mapping[str, Any], what: str) -> dict[str, TargetEntry]:
    """Return the definitions in a table of the configuration by name; `what` is `target` or `judge`."""
    return {name: _entry(name, f"the {what} {name}", table) for name, table in tables.items()}


def _entry(name: str, owner: str, table: Mapping[str, Any]) -> TargetEntry:
    # Keys may be written in any of the usual ways: `api_key`, `apiKey`, `api-key`.
    settings = {_WORD_START.sub("_", key).lower(): value for key, value in table.items()}
    provider, judge_target = settings.pop("provider", None), settings.pop("judge_target", None)
    for key, value in (("provider", provider), ("judge_target", judge_target)):
        if value is not None and not isinstance(value, str):
            raise CannotGrade(f"The setting {key} of {owner} must be a text.")
    return TargetEntry(name, owner, provider, judge_target, settings)


def interpolate(settings: Mapping[str, Any], environment: Mapping[str, str], owner: str) -> dict[str, Any]:
    """Return settings with the values of variables in place of their names. Raises CannotGrade where one has none."""
    filled: dict[str, Any] = {}
    for key, value in settings.items():
        names = list(variables_in(value))
        if key in _OPTIONAL and any(not environment.get(name, "").strip() for name in names):
            continue
        if key in _COMMANDS and isinstance(value, str) and not REFERENCE.fullmatch(value.strip()):
            value = _split(value, owner)  # noqa: PLW2901 - from here on it is a list.
        filled[key] = _filled(value, environment, owner)
    return filled


def _split(command: str, owner: str) -> list[str]:
    """Split a command before variables are put in, so that each value stays one argument, whatever it holds."""
    try:
        words = split_command(REFERENCE.sub(r"{{\1}}", command))
    except CannotStart as failure:
        raise CannotGrade(f"The command of {owner} cannot be used. {failure}") from None
    return [_MARK.sub(r"${{ \1 }}", word) for word in words]


def variables_in(value: Any) -> Iterator[str]:
    """Return the variables that a value names, at any depth."""
    return (name for text in texts_in(value) for name in REFERENCE.findall(text))


def texts_in(value: Any) -> Iterator[str]:
    """Return the texts in a value, at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for member in value.values() if isinstance(value, dict) else value:
            yield from texts_in(member)


def _filled(value: Any, environment: Mapping[str, str], owner: str) -> Any:
    if isinstance(value, str):
        return REFERENCE.sub(lambda place: _variable(place[1], environment, owner), value)
    if isinstance(value, dict):
        return {key: _filled(member, environment, owner) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [_filled(member, environment, owner) for member in value]
    return value


def _variable(name: str, environment: Mapping[str, str], owner: str) -> str:
    value = environment.get(name)
    if value is not None and value.strip():
        return value
    state = "is not set" if value is None else "is empty"
    raise CannotGrade(
        f"The variable {name} that {owner} needs {state}; set it in the environment, or in a file .env beside the eval "
        f"file or above it."
    )


def certain_secrets(entries: Sequence[TargetEntry], environment: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Return the values that are secrets by their setting or the name of their variable, each with its name."""
    plain = {name for entry in entries for name in _plain_names(entry.settings, environment)}
    for name, value in secrets.named_secrets(environment):
        # A variable that no target names is a secret only if it looks like one: development has its `postgres`.
        if secrets.looks_random(value) and value not in plain and not _is_file(value):
            yield name, value
    for name, value in environment.items():
        yield from ((name, secret) for secret in (*secrets.address_secrets(value), *pair_secrets(value)))
    for entry in entries:
        yield from secrets_in(entry.settings, environment)
        yield from _literal_secrets(entry.settings)


def likely_secrets(
    entries: Sequence[TargetEntry], environment: Mapping[str, str], dotenv: Mapping[str, str], judge: str | None
) -> Iterator[tuple[str, str]]:
    """Return the values of `.env` files that look like keys under any name, each with its name.

    So are private keys and the random parts of addresses, but not the names of models, targets, hosts and files.
    """
    plain = [name for entry in entries for name in (entry.name, *_plain_names(entry.settings, environment))]
    for name, value in dotenv.items():
        is_named = _NAMING.search(name) is not None or any(value in text for text in (*plain, judge or ""))
        if (secrets.looks_like_key(value) and not is_named) or _PRIVATE_KEY.match(value):
            yield name, value
        yield from ((name, part) for part in random_parts(value) if not any(part in text for text in plain))


def secrets_in(settings: Mapping[str, Any], environment: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Return the secrets that variables give to settings, also passwords in addresses, each with its variable."""
    for key, value in settings.items():
        is_credential = key == _HEADERS or secrets.names_secret(key)
        for name in variables_in(value):
            given = environment.get(name, "")
            if key in _PLAIN or (secrets.names_place(given) and not is_credential):
                yield from ((name, secret) for secret in secrets.address_secrets(given))
            elif given:
                yield name, given


def _literal_secrets(settings: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Return the secrets that are written into settings, each with the name of its setting."""
    written = [*secrets.named_secrets(settings)]
    headers = settings.get(_HEADERS)
    if isinstance(headers, dict):
        written += ((name, str(value)) for name, value in headers.items() if _PLAIN_HEADER.search(name) is None)
    for key, value in settings.items():
        written += ((key, secret) for text in texts_in(value) for secret in secrets.address_secrets(text))
    return ((name, value) for name, value in written if REFERENCE.search(value) is None)


def _plain_names(settings: Mapping[str, Any], environment: Mapping[str, str]) -> Iterator[str]:
    """Return the names of models, versions, folders and addresses among the settings, as far as they are known."""
    for key in _PLAIN & settings.keys():
        for text in texts_in(settings[key]):
            yield REFERENCE.sub(lambda place: environment.get(place[1], ""), text)


def _is_file(value: str) -> bool:
    return os.path.isabs(value) and os.path.exists(value)  # noqa: PTH110, PTH117 - any text.


def pair_secrets(text: str) -> Iterator[str]:
    """Yield the passwords of a connection string such as `Server=db;Password=...;`, by the names before them."""
    for pair in _PAIRS[";" if ";" in text else " "].finditer(text):
        value = next((text for text in pair.group("single", "double", "bare") if text), "").strip()
        if secrets.names_secret(pair["name"]) and secrets.is_secret(value) and secrets.looks_random(value):
            yield value


def random_parts(address: str) -> Iterator[str]:
    """Yield the parts of an address's path and query that may be secret, such as the last one of a webhook."""
    try:
        parsed = urlsplit(address)
    except ValueError:
        return
    if parsed.scheme and parsed.netloc:
        for part in (*parsed.path.split("/"), *(value for _, value in parse_qsl(parsed.query))):
            if _is_random(unquote(part)):
                yield from {part, unquote(part)}


def _is_random(part: str) -> bool:
    """Return whether a part is hardly a name: those of models and versions have words between hyphens and dots."""
    return _UUID.fullmatch(part) is not None or any(map(_is_random_word, _BETWEEN.split(part)))


def _is_random_word(word: str) -> bool:
    has_digits, has_lower = any(map(str.isdigit, word)), any(map(str.islower, word))
    has_upper = any(map(str.isupper, word))
    is_mixed = has_digits and has_lower and has_upper and len(word) >= _SHORTEST_MIXED
    return is_mixed or (has_digits and (has_lower or has_upper) and len(word) >= _SHORTEST_PLAIN)
