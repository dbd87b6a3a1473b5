"""The official SDK, imported when it is needed, or in a thread while memoir does something else."""

import os
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING

from memoir.errors import LlmUnavailable
from memoir.llm.environment import BASE_URL, Access, is_configured, read_access
from memoir.settings import LLM_TIMEOUT

if TYPE_CHECKING:
    import threading

    import anthropic

RETRIES = 2
_preload_threads: "list[threading.Thread]" = []


def preload(timeout: float = LLM_TIMEOUT.default, retries: int = RETRIES) -> None:
    """Import the SDK and create a client in a thread; the first completion waits for it.

    Without a key or a gateway this does nothing. The thread ignores errors, because the completion tries everything
    again and can report them. It is a daemon, so that a command that needs no model after all can end.

    Args:
        timeout: the timeout that the model will have.
        retries: the retries that the model will have.
    """
    if _preload_threads or not is_configured(os.environ):
        return
    import threading

    thread = threading.Thread(target=_prepare, args=(timeout, retries), name="memoir-preload", daemon=True)
    _preload_threads.append(thread)
    thread.start()


def client(access: Access, timeout: float, retries: int) -> "anthropic.Anthropic":
    """A client of the Messages API; the preloaded one if it has the same settings.

    This waits for the whole thread, not for the locks of the modules that it imports: if two importing threads wait for
    each other, Python gives one of them an incomplete module.

    Raises:
        LlmUnavailable: the SDK cannot be imported, or refuses these settings.
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
    except Exception as error:  # it has many causes: an address, a proxy, a certificate file
        reason = access.without_secrets(f"{type(error).__name__}: {error}")
        hint = f"check {BASE_URL} and the environment's proxies and certificates"
        raise LlmUnavailable(f"the Anthropic SDK cannot be set up: {reason}", hint) from error


def _require() -> None:
    """Import the SDK and the part of it that its client would import later, after the preload."""
    try:
        import anthropic.resources.messages  # noqa: F401
    except Exception as error:  # a broken installation can raise anything, not only ImportError
        is_missing = isinstance(error, ModuleNotFoundError) and error.name == "anthropic"
        what = "is not installed" if is_missing else f"cannot be imported: {type(error).__name__}: {error}"
        raise LlmUnavailable(f"the Anthropic SDK {what}", "install it beside memoir: pip install anthropic") from error
