"""A provider that lets no secret out, whatever the one behind it says."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from rubric_core.grading.failures import ProviderFailed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rubric_core.grading.providers.provider import Call, Completion, Provider
    from rubric_core.grading.secrets import Redactor


@dataclass(frozen=True, slots=True)
class Guarded:
    """A provider whose replies, failures and parameters have been looked through for secrets."""

    provider: Provider
    redactor: Redactor = field(repr=False)

    @property
    def kind(self) -> str:
        """Return the kind of the provider."""
        return self.provider.kind

    @property
    def model(self) -> str | None:
        """Return the model that is asked for."""
        return self.provider.model

    @property
    def parameters(self) -> Mapping[str, Any]:
        """Return what else decides the reply."""
        found: dict[str, Any] = self.redactor.redact_json(dict(self.provider.parameters))
        return found

    async def complete(self, call: Call) -> Completion:
        """Answer one call. Raises ProviderFailed."""
        try:
            completion = await self.provider.complete(call)
        except ProviderFailed as failure:
            raise ProviderFailed(self.redactor.redact(failure.reason), failure.usage) from None
        # The text stays as it is: it is judged, or read as a judgement, and what is kept of it is cleaned there.
        named = completion.model
        return completion if named in (None, self.model) else replace(completion, model=self.redactor.redact(named))

    async def close(self) -> None:
        """Let go of what the provider holds."""
        await self.provider.close()
