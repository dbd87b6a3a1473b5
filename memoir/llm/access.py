"""Where the Messages API is and what opens it, as the environment says."""

from collections.abc import Mapping
from typing import NamedTuple

from memoir.errors import LlmUnavailable
from memoir.llm.configured import API_KEY, AUTH_TOKEN, BASE_URL, configured, variable

_HOME = "https://api.anthropic.com"
_PLACEHOLDER = "no-key"


class Access(NamedTuple):
    """An address and at most one of a key and a token."""

    base_url: str = _HOME
    api_key: str | None = None
    auth_token: str | None = None

    @property
    def place(self) -> str:
        """The address for messages: without a password or a query that it may hold."""
        return self.base_url.partition("?")[0].rpartition("@")[2]

    def without_secrets(self, text: str) -> str:
        """A text that a server or a library wrote, fit to be shown: the key is blotted out."""
        for secret in (self.api_key, self.auth_token):
            if secret and len(secret) > len(_PLACEHOLDER):  # shorter ones are no secrets, and occur in words
                text = text.replace(secret, "[key]")
        return text


def access(environ: Mapping[str, str]) -> Access:
    """Read the address and what opens it.

    All of it comes from the environment and none from a store's config: a store that came with a cloned
    project must not be able to send its user's key, or memories, elsewhere.

    Raises:
        LlmUnavailable: nothing is configured, or a variable cannot be what it should.
    """
    if not configured(environ):
        raise LlmUnavailable("no language model is configured", f"set {API_KEY}, or {BASE_URL} for a gateway")
    base_url, key, token = (_usable(environ, name) for name in (BASE_URL, API_KEY, AUTH_TOKEN))
    if base_url and not base_url.startswith(("http://", "https://")):
        raise LlmUnavailable(f"{BASE_URL} is not an address", "it begins with http:// or https://")
    if token and not key:
        return Access(base_url or _HOME, auth_token=token)
    # A gateway may hold the key itself; the SDK insists on one all the same.
    return Access(base_url or _HOME, api_key=key or _PLACEHOLDER)


def _usable(environ: Mapping[str, str], name: str) -> str:
    """A value that can stand in a header: the HTTP library's own complaint would quote the key."""
    value = variable(environ, name)
    if not (value.isascii() and value.isprintable()):
        raise LlmUnavailable(f"{name} holds characters that do not belong there", "copy it again")
    return value
