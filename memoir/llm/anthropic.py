"""Claude over the Messages API, by the official SDK; all its errors become `LlmUnavailable`.

The SDK is imported on the first call, or earlier in a thread while memoir does something else.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import orjson

from memoir.errors import LlmUnavailable
from memoir.llm.model import (
    API_KEY,
    AUTH_TOKEN,
    BASE_URL,
    MAX_TOKENS,
    Access,
    ModelReply,
    NoText,
    Prompt,
    is_configured,
    read_access,
)
from memoir.llm.usage import Usage
from memoir.settings import LLM_MODEL, LLM_TIMEOUT

if TYPE_CHECKING:
    import threading

    import anthropic
    from anthropic import APIStatusError

_KEYS = f"check {API_KEY} or {AUTH_TOKEN}"
_LATER = "try again in a moment"
_LONGEST = 300  # characters of a server's message

_REFUSALS = {
    400: ("the request was refused", "the server's message says what to change: the prompt, the model or the account"),
    401: ("the key was refused", _KEYS),
    402: ("the account cannot pay for this", "check the account's billing"),
    403: ("the key may not do this", f"{_KEYS}, and which models it may use"),
    404: ("there is no such model", f"choose another model, or check {BASE_URL}"),
    413: ("the request is too large", "send a shorter text"),
    429: ("the rate limit is reached", _LATER),
    503: ("the service is overloaded", _LATER),
    529: ("the service is overloaded", _LATER),
}


def explain(error: Exception, access: Access, model: str, timeout: float) -> LlmUnavailable:
    """Turn an error of the SDK into the error to raise, and remove the key from both."""
    _remove_key(error, access)
    from anthropic import APIConnectionError, APIStatusError, APITimeoutError

    if isinstance(error, APIStatusError):
        return _refusal(error, access, model)
    if isinstance(error, APITimeoutError):
        return LlmUnavailable(f"no answer from {access.place} within {timeout:g} seconds", _LATER)
    if isinstance(error, APIConnectionError):
        hint = f"check the network, the environment's proxies and {BASE_URL}"
        return LlmUnavailable(f"{access.place} cannot be reached: {_cause(error)}", hint)
    reason = access.without_secrets(f"{type(error).__name__}: {error}")
    return LlmUnavailable(f"the Anthropic SDK failed: {_line(reason)}", "another version of the SDK may be needed")


def _remove_key(error: BaseException | None, access: Access) -> None:
    """Remove the key from the messages of an error and all its causes, which tracebacks show."""
    while error is not None:
        error.args = tuple(access.without_secrets(arg) if isinstance(arg, str) else arg for arg in error.args)
        error = error.__cause__ or error.__context__


def bad_answer(what: str, access: Access) -> LlmUnavailable:
    """The error for an answer not in the form of the Messages API."""
    return LlmUnavailable(f"the answer from {access.place} {what}", f"check {BASE_URL}: it must be a Messages API")


def _refusal(error: "APIStatusError", access: Access, model: str) -> LlmUnavailable:
    status = error.status_code
    default = ("the service failed", _LATER) if status >= 500 else ("the request was refused", f"check {BASE_URL}")
    what, hint = _REFUSALS.get(status, default)
    about = f"model {model}, status {status}"
    words = access.without_secrets(_line(_words(error.body)))
    return LlmUnavailable(f"{what} ({about})" + (f": {words}" if words else ""), _wait(error) or hint)


def _wait(error: "APIStatusError") -> str | None:
    after = error.response.headers.get("retry-after")
    if not after:
        return None
    return f"try again in {after} seconds" if after.isdecimal() else f"try again after {_line(after)}"


def _words(body: Any) -> str:
    """The server's message, if the body has the API's form; empty for a page of HTML."""
    error = body.get("error") if isinstance(body, dict) else None
    words = error.get("message") if isinstance(error, dict) else None
    return words if isinstance(words, str) else ""


def _line(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…"


def _cause(error: BaseException) -> str:
    """The operating system's message among an error's causes; the HTTP library's messages may quote headers."""
    name = type(error).__name__
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, OSError) and cause.strerror:
            return cause.strerror
        name, cause = type(cause).__name__, cause.__cause__ or cause.__context__
    return f"the connection failed ({name})"


RETRIES = 2
_preload_threads: "list[threading.Thread]" = []


def preload(timeout: float = LLM_TIMEOUT.default, retries: int = RETRIES) -> None:
    """Import the SDK and create a client in a thread, which the first completion waits for.

    Without a key or a gateway this does nothing. Errors are ignored here, because the completion repeats everything and
    reports them. It is a daemon thread, so that a command that needs no model can end.
    """
    if _preload_threads or not is_configured(os.environ):
        return
    import threading

    thread = threading.Thread(target=_prepare, args=(timeout, retries), name="memoir-preload", daemon=True)
    _preload_threads.append(thread)
    thread.start()


def client(access: Access, timeout: float, retries: int) -> "anthropic.Anthropic":
    """A client of the Messages API; the preloaded one if it has the same settings.

    This waits for the whole thread, not for import locks: if two importing threads wait for each other, Python gives
    one of them an incomplete module.
    """
    for thread in _preload_threads:
        thread.join()
    return _connect(access, timeout, retries)


def _prepare(timeout: float, retries: int) -> None:
    with suppress(Exception):
        _connect(read_access(os.environ), timeout, retries)


@lru_cache(maxsize=1)
def _connect(access: Access, timeout: float, retries: int) -> "anthropic.Anthropic":
    _require()
    import anthropic

    try:
        connection = anthropic.Anthropic(
            base_url=access.base_url, api_key=access.api_key, auth_token=access.auth_token,
            timeout=timeout, max_retries=retries,
        )  # fmt: skip
        # Given None, the SDK reads the environment itself, and takes an empty string for a key.
        connection.api_key, connection.auth_token = access.api_key, access.auth_token
        return connection
    except Exception as error:  # many causes: an address, a proxy, a certificate file
        reason = access.without_secrets(f"{type(error).__name__}: {error}")
        hint = f"check {BASE_URL} and the environment's proxies and certificates"
        raise LlmUnavailable(f"the Anthropic SDK cannot be set up: {reason}", hint) from error


def _require() -> None:
    """Import the SDK, including the part that its client would import only after the preload."""
    try:
        import anthropic.resources.messages  # noqa: F401
    except Exception as error:  # a broken installation can raise anything, not only ImportError
        is_missing = isinstance(error, ModuleNotFoundError) and error.name == "anthropic"
        what = "is not installed" if is_missing else f"cannot be imported: {type(error).__name__}: {error}"
        raise LlmUnavailable(f"the Anthropic SDK {what}", "install it beside memoir: pip install anthropic") from error


class AnthropicModel:
    """A Claude model.

    The address and the key are read from the environment at each completion.

    Args:
        name: the model's name.
        timeout: the longest wait for one attempt, in seconds.
        retries: how often an attempt is repeated after a temporary failure.
    """

    def __init__(
        self, name: str = LLM_MODEL.default, timeout: float = LLM_TIMEOUT.default, retries: int = RETRIES
    ) -> None:
        self.name = name
        self.timeout = timeout
        self._retries = retries

    def preload(self) -> None:
        """Import the SDK in a thread."""
        preload(self.timeout, self._retries)

    def complete(self, prompt: Prompt, max_tokens: int = MAX_TOKENS) -> ModelReply:
        """Send one prompt, without streaming.

        Raises:
            LlmUnavailable: nothing is configured, the SDK is missing, or there is no usable answer.
        """
        key = read_access(os.environ)
        messages = client(key, self.timeout, self._retries).messages
        try:
            answer = messages.with_raw_response.create(**self._request(prompt, max_tokens)).http_response.content
        except Exception as error:
            raise explain(error, key, self.name, self.timeout) from error
        # The SDK does not check the answer: it may return a string, or an object without its fields.
        return _reply(answer, key)

    def _request(self, prompt: Prompt, max_tokens: int) -> dict[str, Any]:
        request = {"model": self.name, "max_tokens": max_tokens, "messages": [{"role": "user", "content": prompt.tail}]}
        if prompt.prelude:
            prelude = {"type": "text", "text": prompt.prelude, "cache_control": {"type": "ephemeral"}}
            request["system"] = [prelude]
        return request


def _reply(body: bytes, access: Access) -> ModelReply:
    try:
        answer = orjson.loads(body)
    except ValueError as error:
        raise bad_answer("is not JSON", access) from error
    if not (isinstance(answer, dict) and isinstance(answer.get("content"), list)):
        raise bad_answer("has no content", access)
    usage = _usage(answer.get("usage"))
    if usage is None:
        raise bad_answer("does not count its tokens", access)
    text = "".join(_texts(answer["content"]))
    if not text.strip():
        raise _silence(answer.get("stop_reason"), usage)
    return ModelReply(text, usage)


def _texts(content: list[Any]) -> Iterator[str]:
    for block in content:
        if isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str):
            yield block["text"]


def _usage(counts: Any) -> Usage | None:
    """The token counts; those of the cache may be missing or null."""
    if not isinstance(counts, dict):
        return None
    names = Usage._fields[1:]
    fields: dict[str, Any] = {name: counts.get(name) for name in names}
    fields |= {name: 0 for name in names if name.startswith("cache_") and fields[name] is None}
    if not all(type(count) is int and count >= 0 for count in fields.values()):
        return None
    return Usage(1, **fields)


def _silence(reason: object, usage: Usage) -> NoText:
    why = f" (stop reason {reason})" if isinstance(reason, str) and reason.isidentifier() else ""
    error = NoText(f"the model's answer has no text{why}", "try again, or choose another model")
    error.usage = usage
    return error
