"""The interface of providers: a conversation in, a text out."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

from rubric_core.grading.failures import ProviderFailed
from rubric_core.grading.secrets import Redactor
from rubric_core.grading.usage import Usage

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a conversation."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """One request: the conversation, and the JSON Schema of the reply, if any.

    `case_id` and `files` are for commands that need the case that they answer, and the paths of the files that its
    messages name; a model reads their texts in the turns. `context` is what an `exec` command gets: its options, and
    the test.
    """

    turns: tuple[Turn, ...]
    schema: Mapping[str, Any] | None = None
    case_id: str = ""
    files: tuple[str, ...] = ()
    context: tuple[Mapping[str, Any], Mapping[str, Any]] | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """One reply. `model` is the one that the provider reports; `cut_short` means that it hit a length limit."""

    text: str
    model: str | None = None
    usage: Usage = field(default_factory=lambda: Usage(calls=1))
    cut_short: bool = False


class Provider(Protocol):
    """A model behind a protocol, or a command. Settings are read once, when it is made.

    `kind` is its name in settings, `model` the requested one, if any.
    """

    kind: str
    model: str | None

    @property
    def parameters(self) -> Mapping[str, Any]:
        """Return all else that determines the reply (endpoint, temperature, ...), for its cache key; no secrets."""

    async def complete(self, call: Call) -> Completion:
        """Answer one call, or raise ProviderFailed. Cancelling closes the connection or kills the process."""

    async def close(self) -> None:
        """Close connections and end child processes; by default there are none."""
        return


class RedactingProvider:
    """A provider whose failures and parameters are redacted."""

    def __init__(self, provider: Provider, redactor: Redactor) -> None:
        self.kind = provider.kind
        self.model = provider.model
        self.close = provider.close
        self._provider = provider
        self._redactor = redactor

    @property
    def parameters(self) -> Mapping[str, Any]:
        """Return all else that determines the reply."""
        return dict(self._redactor.redact_json(dict(self._provider.parameters)))

    async def complete(self, call: Call) -> Completion:
        """Answer one call. Raises ProviderFailed."""
        try:
            completion = await self._provider.complete(call)
        except ProviderFailed as failure:
            raise ProviderFailed(self._redactor.redact(failure.reason), failure.usage) from None
        # The text is not redacted: it is judged, or parsed as a judgement and redacted then.
        named = completion.model
        return completion if named in (None, self.model) else replace(completion, model=self._redactor.redact(named))
