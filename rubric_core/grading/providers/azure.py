"""OpenAI's models at Azure: the same requests and replies, at another address and with another header."""

from dataclasses import replace
from urllib.parse import quote, urlencode

from rubric_core.grading.providers import openai
from rubric_core.grading.providers.dialect import ModelSettings
from rubric_core.text.patterns import lazily

_VERSION_PREFIX = lazily(r"\Aapi[-_]?version\s*=\s*")
_WITHOUT_DATES = "v1"


def url(settings: ModelSettings) -> str:
    """Return the URL of completions: below the deployment, or that of the API without dates."""
    base = settings.base_url.rstrip("/")
    if "://" not in base:
        base = f"https://{base}.openai.azure.com"
    base = base.removesuffix("/v1").removesuffix("/openai") + "/openai"
    version = _VERSION_PREFIX.sub("", settings.version.strip())
    if version == _WITHOUT_DATES:
        return f"{base}/v1/chat/completions"
    deployment = quote(settings.model, safe="")
    return f"{base}/deployments/{deployment}/chat/completions?{urlencode({'api-version': version})}"


DIALECT = replace(
    openai.DIALECT,
    url=url,
    headers={"api-key": "{key}"},
    own_hosts=(".azure.com", ".azure.us", ".azure.cn"),
    needs_key_everywhere=True,
    address_setting="endpoint",
)
