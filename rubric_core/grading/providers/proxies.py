"""Which proxy leads to an address, by the usual variables: HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY."""

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from rubric_core.grading.failures import CannotGrade

_DEFAULT_PORT = 80


@dataclass(frozen=True, slots=True)
class Proxy:
    """An HTTP proxy. `authorization` is the value of its header, where it wants a name and a password."""

    host: str
    port: int
    authorization: str | None = field(default=None, repr=False)


def proxy_for(scheme: str, host: str, port: int, environment: Mapping[str, str]) -> Proxy | None:
    """Return the proxy on the way to a host, or None where the way is direct."""
    named = {
        name.lower().removesuffix("_proxy"): value.strip()
        for name, value in sorted(environment.items())  # Lower case comes last, and wins as it does elsewhere.
        if name.lower().endswith("_proxy") and value.strip()
    }
    url = named.get(scheme) or named.get("all")
    return None if url is None or _is_direct(host.lower(), port, named.get("no", "")) else _read(url)


def _is_direct(host: str, port: int, exceptions: str) -> bool:
    """Return whether NO_PROXY names a host: itself or a domain around it, with or without a port, or `*` for all."""
    for exception in exceptions.lower().replace(" ", "").split(","):
        domain = exception.removesuffix(f":{port}").lstrip(".")
        if exception == "*" or (domain and (host == domain or host.endswith(f".{domain}"))):
            return True
    return False


def _read(url: str) -> Proxy:
    parts = urlsplit(url if "://" in url else f"http://{url}")
    try:
        port = parts.port
    except ValueError:
        port = -1
    if parts.scheme != "http" or not parts.hostname or port == -1:
        # The address itself may hold a password, so it is not repeated.
        raise CannotGrade(
            "The proxy in HTTPS_PROXY, HTTP_PROXY or ALL_PROXY is none that can be used; "
            "write it as http://HOST:PORT, or add the provider's host to NO_PROXY."
        )
    authorization = None
    if parts.username is not None:
        credentials = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        authorization = "Basic " + b64encode(credentials.encode()).decode()
    return Proxy(parts.hostname, port or _DEFAULT_PORT, authorization)
