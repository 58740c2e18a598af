"""The secrets of an eval file: of the settings of its targets and judges, of the environment, and of `.env` files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from rubric_core.grading.secret_parts import pair_secrets, random_parts
from rubric_core.grading.secrets import (
    NAMING_WORDS,
    address_secrets,
    looks_like_key,
    looks_random,
    named_secrets,
)
from rubric_core.grading.targets.interpolation import literal_secrets, plain_names, secrets_in
from rubric_core.text.patterns import lazily

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rubric_core.grading.targets.entries import TargetEntry

_NAMING = lazily(rf"(?i)(?:\A|_)(?:{NAMING_WORDS}|judge|resource|project)(?:_|\Z)")
"""Names of variables that name something."""

_PRIVATE_KEY = lazily(r"-----BEGIN [A-Z ]*PRIVATE KEY-----")


def certain_secrets(entries: Sequence[TargetEntry], environment: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Return the values that settings or the names of variables tell to be secrets, each with its name."""
    plain = {name for entry in entries for name in plain_names(entry.settings, environment)}
    for name, value in named_secrets(environment):
        # A variable that no target names is a secret only if it looks like one: development has its `postgres`.
        if looks_random(value) and value not in plain and not _is_file(value):
            yield name, value
    for name, value in environment.items():
        yield from ((name, each) for each in (*address_secrets(value), *pair_secrets(value)))
    for entry in entries:
        yield from secrets_in(entry.settings, environment)
        yield from literal_secrets(entry.settings)


def likely_secrets(
    entries: Sequence[TargetEntry], environment: Mapping[str, str], dotenv: Mapping[str, str], judge: str | None
) -> Iterator[tuple[str, str]]:
    """Return the values of `.env` files that look like keys under any name, each with its name.

    So are private keys, and the random parts of addresses, such as those of a webhook. Names of models, deployments,
    targets, hosts and files are none, though many of them are long and have digits.
    """
    plain = [name for entry in entries for name in (entry.name, *plain_names(entry.settings, environment))]
    for name, value in dotenv.items():
        is_named = _NAMING.search(name) is not None or any(value in each for each in (*plain, judge or ""))
        if (looks_like_key(value) and not is_named) or _PRIVATE_KEY.match(value):
            yield name, value
        yield from ((name, part) for part in random_parts(value) if not any(part in each for each in plain))


def _is_file(value: str) -> bool:
    """Return whether a value is an absolute path of something that is there."""
    try:
        return os.path.isabs(value) and Path(value).exists()  # noqa: PTH117 - any text.
    except (OSError, ValueError):
        return False
