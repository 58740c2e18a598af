"""Makes a provider that is spoken to over HTTP from its definition. Loaded when somebody grades with one."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.providers.connections import Bounds
from rubric_core.grading.providers.dialect import ModelSettings
from rubric_core.grading.providers.http import Access, HttpProvider
from rubric_core.grading.providers.retries import RETRIED_STATUSES, Patience
from rubric_core.grading.secrets import Redactor
from rubric_core.text.patterns import lazily

if TYPE_CHECKING:
    from collections.abc import Callable

    from rubric_core.grading.providers.dialect import HttpDialect
    from rubric_core.grading.providers.settings import HttpKind, ProviderDefinition

_JUDGES_TEMPERATURE = 0.0
"""What a judge is asked with. An answer under test is asked for with the model's own, as its users would get it."""

_MASKED_KEY = lazily(r"\S*\*{3,}\S*")
"""How providers repeat a wrong key: some of its characters, and stars."""


def make_http_provider(kind: HttpKind, definition: ProviderDefinition) -> HttpProvider:
    """Make a provider. Raises CannotGrade where its key or its address is of no use."""
    values = definition.values
    dialect: HttpDialect = import_module(f"rubric_core.grading.providers.{kind.module}").DIALECT
    temperature = values["temperature"]
    if temperature is None and definition.purpose == "judge":
        temperature = _JUDGES_TEMPERATURE
    settings = ModelSettings(
        model=values["model"],
        base_url=values[kind.address_setting],
        temperature=temperature,
        may_drop_temperature="temperature" not in definition.given,
        max_tokens=values["max_tokens"],
        seed=values.get("seed"),
        version=values.get("version", ""),
        thinking_budget=values.get("thinking_budget"),
        headers=values["headers"],
    )
    is_own = _is_own(dialect.url(settings), kind.own_hosts)
    api_key = _key(kind, definition, is_own=is_own)
    access = Access(
        name=definition.name,
        key_source=f"the key in the setting api_key or the variable {' or '.join(kind.key_variables)}",
        redact=_redaction(api_key or "", values["headers"]),
        patience=_patience(definition),
        bounds=Bounds(connect=values["connect_timeout"], reply=values["timeout"]),
        environment=definition.environment,
    )
    return HttpProvider(dialect, replace(settings, api_key=api_key, is_own_server=is_own), access)


def _is_own(address: str, own_hosts: tuple[str, ...]) -> bool:
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        # What is no address at all is told where it is used.
        return False
    return any(host.endswith(own) if own.startswith(".") else host == own for own in own_hosts)


def _key(kind: HttpKind, definition: ProviderDefinition, *, is_own: bool) -> str | None:
    """Return the key. That of the environment goes to nobody but the provider itself and the environment's address."""
    key: str | None = definition["api_key"]
    may_be_sent = "api_key" in definition.given or kind.address_setting not in definition.given or is_own
    if key is not None and may_be_sent:
        return key
    if not is_own and not kind.needs_key_everywhere:
        return None
    if key is None:
        variables = " or ".join(kind.key_variables)
        raise CannotGrade(f"{definition.name} has no key; give the setting api_key or the variable {variables}.")
    raise CannotGrade(
        f"{definition.name} has an address of its own, where the key of the environment is not sent; "
        f"give the setting api_key."
    )


def _patience(definition: ProviderDefinition) -> Patience:
    values = definition.values
    return Patience(
        retries=values["max_retries"],
        first_wait=values["retry_initial_delay_ms"] / 1000,
        longest_wait=values["retry_max_delay_ms"] / 1000,
        growth=values["retry_backoff_factor"],
        statuses=values["retry_status_codes"] or RETRIED_STATUSES,
    )


def _redaction(api_key: str, headers: dict[str, str]) -> Callable[[str], str]:
    secrets = {"api_key": api_key, **{f"header {name}": value for name, value in headers.items()}}
    redactor = Redactor(secrets)
    return lambda text: _MASKED_KEY.sub("[secret api_key]", redactor.redact(text))
