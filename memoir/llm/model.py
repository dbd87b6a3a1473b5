"""The interface to language models, `Access` to one, and `Step`: one kind of question, such as which paths to read.

The system text of a prompt begins with the line `step: NAME`, which identifies it in logs, gateways and tests. Then
follow the step's instructions: a text file, `NAME.txt` in one of the folders `prompts/`, which the user or a Python
caller may replace. The message has only the data.
The address of the Messages API and its key come only from the environment.
"""

import os
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple, Protocol

from memoir.errors import InvalidInput, LlmUnavailable
from memoir.llm.usage import Usage
from memoir.setting import Config
from memoir.settings import PROMPT_FILES

MAX_TOKENS = 1024
_CHARACTERS = 4
"""The estimated characters of an English token; the real count comes with the answer."""


class Prompt(NamedTuple):
    """A prompt in two parts: the part shared by many prompts, for caching, and the rest."""

    prelude: str
    tail: str

    @property
    def text(self) -> str:
        """The whole prompt, for display."""
        return "\n\n".join(part for part in self if part)

    @property
    def tokens(self) -> int:
        """The estimated number of tokens."""
        return len(self.text) // _CHARACTERS + 1


class ModelReply(NamedTuple):
    """The answer of a model, and its cost."""

    text: str
    usage: Usage


class NoText(LlmUnavailable):
    """The model answered without any text, but its tokens are spent."""

    usage = Usage()


class Model(Protocol):
    """Something that completes prompts."""

    @property
    def name(self) -> str:
        """The model's name, as its provider knows it."""

    def preload(self) -> None:
        """Prepare for a completion while the caller does something else; this never fails."""
        ...

    def complete(self, prompt: Prompt, max_tokens: int = MAX_TOKENS) -> ModelReply:
        """Answer a prompt in at most `max_tokens` tokens.

        Raises:
            LlmUnavailable: there is no answer.
        """
        ...


class Prompts:
    """The prompts in a folder: `NAME.txt`, with `{name}` as a placeholder for data."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self.template = lru_cache(self._template)

    def _template(self, name: str) -> str:
        with open(os.path.join(self._folder, f"{name}.txt"), "rb") as text:
            return text.read().decode().strip()

    def fill(self, name: str, **values: str) -> str:
        """Put data into a prompt; braces in the data have no meaning."""
        return re.sub(r"\{(\w+)\}", lambda match: values[match[1]], self.template(name))


def beside(module: str) -> Prompts:
    """The prompts in the folder `prompts` next to a module, given its `__file__`."""
    return Prompts(os.path.join(os.path.dirname(module), "prompts"))


def read_instructions(config: Config) -> dict[str, str]:
    """The user's replacements for the instructions of steps (`memoir.prompt.STEP`), by step."""
    files = {step: setting.read(config) for step, setting in PROMPT_FILES.items()}
    return {step: _instructions(step, file) for step, file in files.items() if file}


def _instructions(step: str, file: str) -> str:
    setting = PROMPT_FILES[step].key
    try:
        with open(os.path.expanduser(file), encoding="utf-8") as text:
            return text.read().removeprefix(f"step: {step}\n")
    except (OSError, UnicodeDecodeError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or "it is not UTF-8"
        hint = f"without a file of your own: memoir config --global --unset {setting}"
        raise InvalidInput(f"{setting}: {file} cannot be read: {why}", hint) from error


def quote(text: str) -> str:
    """Write a text as a JSON string on one line, which it cannot end or hide."""
    from json.encoder import encode_basestring  # without a model, recall does not load `json`

    return printable(encode_basestring(text))


def one_line(text: str) -> str:
    """Write a text verbatim in one line: only its line breaks become spaces, and invisible characters escapes."""
    return printable(" ".join(text.splitlines()))


def printable(text: str) -> str:
    """Replace the invisible characters of a text, line breaks included, by JSON escapes."""
    return text if text.isprintable() else "".join(c if c.isprintable() else _escape(c) for c in text)


def _escape(char: str) -> str:
    from json.encoder import encode_basestring_ascii

    return encode_basestring_ascii(char)[1:-1]


SHOWN_CHARACTERS = 500
"""The characters of a candidate's content shown to a model."""


class Step(NamedTuple):
    """A kind of question."""

    name: str
    """Its name, such as `agent.chain`."""
    folder: Prompts
    """The folder with its instructions, `NAME.txt`."""
    file: str = ""
    """Another step whose instructions it shares."""
    prompt_name: str = ""
    """Its name among the prompts of an answer, if different."""
    timing: str = ""
    """Its name among the timings of an answer, if different."""

    def prompt(self, message: str, instructions: str | None = None, **context: str) -> Prompt:
        """The prompt with a message, such as `write_message` returns.

        `instructions` replace the step's own. The context is shared by many prompts, such as the taxonomy: it replaces
        the mark `{name}` in the instructions, or follows them if they have no such mark.
        """
        text = self.folder.template(self.file or self.name) if instructions is None else instructions.strip()
        for name, value in context.items():
            mark = f"{{{name}}}"
            text = text.replace(mark, value) if mark in text else f"{text}\n\n{value}"
        return Prompt(f"step: {self.name}\n\n{text}", message)


def write_message(question: str, *blocks: tuple[str, str]) -> str:
    """Write the question, verbatim on a line of its own, and below it each block of data with its title."""
    return "\n\n".join((f"Question: {one_line(question)}", *(f"{title}:\n{text}" for title, text in blocks)))


def list_candidates(candidates: Iterable[tuple[str, str]], first: int = 1) -> str:
    """Write a line `[n] path: content` for each path and content; a content is cut at `SHOWN_CHARACTERS`."""
    lines = (
        f"[{n}] {printable(path)}: {one_line(text)[:SHOWN_CHARACTERS]}"
        for n, (path, text) in enumerate(candidates, first)
    )
    return "\n".join(lines) or "(none)"


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
        """Replace the key in a string from a server or a library by `[key]`, so that it can be shown."""
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
