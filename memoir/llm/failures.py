"""Error messages about the Messages API: every error of the SDK becomes `LlmUnavailable`."""

from typing import TYPE_CHECKING, Any

from memoir.errors import LlmUnavailable
from memoir.llm.environment import API_KEY, AUTH_TOKEN, BASE_URL, Access

if TYPE_CHECKING:
    from anthropic import APIStatusError

_KEYS = f"check {API_KEY} or {AUTH_TOKEN}"
_LATER = "try again in a moment"
_LONGEST = 300  # of a server's own words

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
    """Turn an error of the SDK, which must be imported, into the error to raise; the key is removed from both."""
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
    return LlmUnavailable(f"the Anthropic SDK failed: {_line(reason)}", "memoir may need another version of the SDK")


def _remove_key(error: BaseException | None, access: Access) -> None:
    """Remove the key from the messages of an error and of all its causes, which a traceback shows."""
    while error is not None:
        error.args = tuple(access.without_secrets(arg) if isinstance(arg, str) else arg for arg in error.args)
        error = error.__cause__ or error.__context__


def bad_answer(what: str, access: Access) -> LlmUnavailable:
    """The error for an answer that does not have the form of the Messages API."""
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
    """The server's own message, if the body has the form of the API; empty for a page of HTML."""
    error = body.get("error") if isinstance(body, dict) else None
    words = error.get("message") if isinstance(error, dict) else None
    return words if isinstance(words, str) else ""


def _line(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…"


def _cause(error: BaseException) -> str:
    """The system's message at the end of an error's causes; the HTTP library's own messages may quote headers."""
    name = type(error).__name__
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, OSError) and cause.strerror:
            return cause.strerror
        name, cause = type(cause).__name__, cause.__cause__ or cause.__context__
    return f"the connection failed ({name})"
