"""The address of the Messages API and its key, which come only from the environment."""

from collections.abc import Mapping
from typing import NamedTuple

from memoir.errors import LlmUnavailable

BASE_URL, API_KEY, AUTH_TOKEN = "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"
_HOME = "https://api.anthropic.com"
_PLACEHOLDER = "no-key"


class Access(NamedTuple):
    """The address of an API, and a key or a token for it, or neither."""

    base_url: str = _HOME
    api_key: str | None = None
    auth_token: str | None = None

    @property
    def place(self) -> str:
        """The address as error messages show it: without a password or a query."""
        return self.base_url.partition("?")[0].rpartition("@")[2]

    def without_secrets(self, text: str) -> str:
        """A string from a server or a library, with the key replaced by `[key]`, so that it can be shown."""
        for secret in (self.api_key, self.auth_token):
            if secret and len(secret) > len(_PLACEHOLDER):  # shorter ones are not secrets, and occur in words
                text = text.replace(secret, "[key]")
        return text


def is_configured(environ: Mapping[str, str]) -> bool:
    """Whether there is a key, a token or a gateway; an empty variable counts as not set."""
    return any(_variable(environ, name) for name in (API_KEY, AUTH_TOKEN, BASE_URL))


def read_access(environ: Mapping[str, str]) -> Access:
    """Read the address, and the key or the token.

    All of it comes from the environment and none from a store's config: a store that came with a cloned
    project must not be able to send its user's key, or memories, elsewhere.

    Raises:
        LlmUnavailable: nothing is configured, or a variable has a malformed value.
    """
    if not is_configured(environ):
        raise LlmUnavailable("no language model is configured", f"set {API_KEY}, or {BASE_URL} for a gateway")
    base_url, key, token = (_usable(environ, name) for name in (BASE_URL, API_KEY, AUTH_TOKEN))
    if base_url and not base_url.startswith(("http://", "https://")):
        raise LlmUnavailable(f"{BASE_URL} is not an address", "it must begin with http:// or https://")
    if token and not key:
        return Access(base_url or _HOME, auth_token=token)
    # A gateway may have the key itself, but the SDK needs one in any case.
    return Access(base_url or _HOME, api_key=key or _PLACEHOLDER)


def _usable(environ: Mapping[str, str], name: str) -> str:
    """The value of a variable, checked for use in a header: the HTTP library's own error would quote the key."""
    value = _variable(environ, name)
    if not (value.isascii() and value.isprintable()):
        raise LlmUnavailable(f"{name} contains characters that are not allowed in a header", "copy it again")
    return value


def _variable(environ: Mapping[str, str], name: str) -> str:
    return environ.get(name, "").strip()
