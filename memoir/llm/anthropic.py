"""Claude over the Messages API, through the official SDK, which is imported only when a call is made."""

import os
from collections.abc import Iterator
from typing import Any

import orjson

from memoir.llm.environment import Access, read_access
from memoir.llm.failures import bad_answer, explain
from memoir.llm.model import MAX_TOKENS, ModelReply, NoText, Prompt
from memoir.llm.sdk import RETRIES, client, preload
from memoir.llm.usage import Usage
from memoir.settings import LLM_MODEL, LLM_TIMEOUT


class AnthropicModel:
    """A Claude model.

    The address and the key are read from the environment at each completion.

    Args:
        name: the model's name.
        timeout: the longest wait for one attempt, in seconds.
        retries: how often a failed attempt that may succeed later is repeated.
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
        request = {
            "model": self.name,
            "max_tokens": max_tokens,
            "messages": [{"role": "user", "content": prompt.tail}],
        }
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
