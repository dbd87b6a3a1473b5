"""How each host talks to its hooks: the names of its events, the fields of its payloads, the form of an answer.

Sources: the hosts' own pages on hooks, read in August to November 2026. New events and fields appear monthly, so
unlisted ones are ignored. Some hosts also run the hooks of Claude Code: `foreign` has the fields and the environment
variables that reveal them, so that they are not answered twice.

`Mentions` are the memories that a session has been shown, so that none is shown twice: a file in the user's cache for
each session, for a limited number of sessions. Losing a file, or failing to write one, only repeats memories.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from memoir import user_folders
from memoir.git.objects import blake2b
from memoir.taxonomy.paths import Address

START, PROMPT, TURN_END, COMPACTION, SESSION_END = "start", "prompt", "turn_end", "compacted", "session_end"
FILE, FAILURE = "file", "failure"
"""An agent is about to read or change a file; a command that it ran has failed."""

Payload = Mapping[str, Any]
"""The JSON object that a host passes to a hook."""


def _in_specific_output(event: str, text: str) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}


def _in_snake_case(event: str, text: str) -> dict[str, Any]:
    return {"additional_context": text}


def _in_camel_case(event: str, text: str) -> dict[str, Any]:
    return {"additionalContext": text}


class Host(NamedTuple):
    """One host."""

    events: Mapping[str, str]
    """The kind of each event that memoir answers, by the host's name for it."""
    answer: Callable[[str, str], dict[str, Any]] = _in_specific_output
    """Makes the JSON answer from an event's name and a text for the model."""
    foreign: frozenset[str] = frozenset()
    """Fields that only payloads of other hosts that run this host's hooks have."""
    foreign_variables: tuple[str, ...] = ()
    """Environment variables that those other hosts set."""
    login_shell: bool = False
    """Whether its agents' commands run in a login shell, whose PATH is not that of the hook."""


_CLAUDE = {
    "SessionStart": START,
    "UserPromptSubmit": PROMPT,
    "Stop": TURN_END,
    "PostCompact": COMPACTION,
    "SessionEnd": SESSION_END,
}
_CURSOR_FIELDS = frozenset(("cursor_version", "conversation_id", "generation_id", "workspace_roots"))
_CAMEL_CASE = frozenset(("hookEventName", "sessionId", "workspaceRoot", "toolName"))

HOSTS: dict[str, Host] = {
    "claude": Host(
        {**_CLAUDE, "PreToolUse": FILE, "PostToolUseFailure": FAILURE},
        foreign=_CURSOR_FIELDS | _CAMEL_CASE | {"turn_id"},
        foreign_variables=("CURSOR_VERSION", "DROID_PROJECT_DIR", "FACTORY_PROJECT_DIR", "GROK_HOOK_EVENT"),
    ),
    "codex": Host(
        _CLAUDE, foreign=_CURSOR_FIELDS | _CAMEL_CASE | {"prompt_id", "effort", "scratchpad_dir"}, login_shell=True
    ),
    "cursor": Host(
        {
            "sessionStart": START,
            "beforeSubmitPrompt": PROMPT,
            "afterAgentResponse": TURN_END,
            "sessionEnd": SESSION_END,
        },
        _in_snake_case,
        foreign=_CAMEL_CASE | {"turn_id"},
    ),
    "gemini": Host(
        {"SessionStart": START, "BeforeAgent": PROMPT, "AfterAgent": TURN_END, "SessionEnd": SESSION_END},
        foreign=_CURSOR_FIELDS | _CAMEL_CASE | {"turn_id", "prompt_id"},
    ),
    "copilot": Host(
        {"sessionStart": START, "userPromptSubmitted": PROMPT, "agentStop": TURN_END, "sessionEnd": SESSION_END},
        _in_camel_case,
        foreign=_CURSOR_FIELDS,
    ),
    "vscode": Host(
        {"SessionStart": START, "UserPromptSubmit": PROMPT, "Stop": TURN_END},
        foreign=_CURSOR_FIELDS | {"turn_id", "prompt_id"},
    ),
    "opencode": Host(
        {"SessionStart": START, "UserPromptSubmit": PROMPT, "Stop": TURN_END, "PostCompact": COMPACTION}, _in_camel_case
    ),
}
"""In the order of `memoir hook` and of the docs. memoir's plugin file for OpenCode passes payloads in Claude's form."""


def is_foreign(host: Host, event: str, payload: Payload, environment: Mapping[str, str]) -> bool:
    """Whether a payload is not of this host and this event."""
    event_name = payload.get("hook_event_name", payload.get("hookEventName", event))
    if event_name != event or not host.foreign.isdisjoint(payload):
        return True
    if "transcript_path" in payload and payload["transcript_path"] == "":
        return True  # Continue, which runs the hooks of Claude Code
    return any(environment.get(name) for name in host.foreign_variables)


def session_of(payload: Payload) -> str:
    """The host's name for the session; empty if it gives none."""
    return _text(payload, "session_id", "sessionId", "conversation_id")


def folder_of(payload: Payload) -> str:
    """The absolute folder that the agent works in; empty if the payload does not say."""
    roots = payload.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots else ""
    folder = _text(payload, "cwd") or (first if isinstance(first, str) else "")
    return folder if folder.startswith("/") else ""


def prompt_of(payload: Payload) -> str:
    """The text that the user typed."""
    return _text(payload, "prompt")


def message_of(payload: Payload) -> str:
    """The agent's last message of a turn; never what a tool returned."""
    return _text(payload, "last_assistant_message", "prompt_response", "text")


def summary_of(payload: Payload) -> str:
    """The host's summary of what it removed from its context."""
    return _text(payload, "compact_summary")


def file_of(payload: Payload) -> str:
    """The file that a tool is about to read or change."""
    arguments = payload.get("tool_input")
    return _text(arguments, "file_path", "notebook_path") if isinstance(arguments, Mapping) else ""


def error_of(payload: Payload) -> str:
    """The error message of a tool that failed; empty if the user interrupted it."""
    return "" if payload.get("is_interrupt") else _text(payload, "error")


def is_of_subagent(payload: Payload) -> bool:
    """Whether the event is one of an agent that another agent started."""
    return bool(payload.get("agent_id"))


def _text(payload: Payload, *names: str) -> str:
    """The first of some fields that is a string with text in it."""
    return next((value for name in names if isinstance(value := payload.get(name), str) and value.strip()), "")


_PREFIX = "session-"
_MOST_SESSIONS = 100
_MOST_MEMORIES = 2_000
_SIZE = 8
_PASSING = "~"
"""The prefix of the digests of memories that the host forgets when a session is resumed."""


class Mentions:
    """The memories that one session has been shown."""

    def __init__(self, session: str, store: str) -> None:
        self._name = _PREFIX + _digest(f"{session}\n{os.path.realpath(store)}")
        self._digests: dict[str, None] = {}

    def load(self, *, resumed: bool = False) -> "Mentions":
        """Read the earlier mentions; if the session is resumed, without the passing ones."""
        told = (user_folders.read_cached(self._name) or b"").decode("ascii", "replace").split()
        self._digests = dict.fromkeys(each for each in told if not (resumed and each.startswith(_PASSING)))
        return self

    def add_paths(self, addresses: Iterable[Address]) -> None:
        """Note that all memories at some paths were shown."""
        self._digests |= dict.fromkeys(_digest(address.full_key) for address in addresses)

    def hold(self, address: Address, content: str) -> bool:
        """Whether a memory, or its whole path, was shown before."""
        memory = _memory_digest(address, content)
        return not self._digests.keys().isdisjoint((memory, _PASSING + memory, _digest(address.full_key)))

    def add(self, address: Address, content: str, *, passing: bool = False) -> None:
        """Note that a memory is shown now; `passing`: the host forgets it when the session is resumed."""
        self._digests[_PASSING * passing + _memory_digest(address, content)] = None

    def save(self, most_sessions: int = _MOST_SESSIONS) -> None:
        """Save the mentions for the session's next events, and drop the sessions that were silent longest."""
        user_folders.write_cached(self._name, "\n".join(list(self._digests)[-_MOST_MEMORIES:]).encode())
        _drop_oldest(most_sessions)


def _drop_oldest(most: int) -> None:
    folder = user_folders.cache()
    with suppress(OSError):
        files = [(entry.stat().st_mtime, entry.path) for entry in os.scandir(folder) if entry.name.startswith(_PREFIX)]
        for _, path in sorted(files)[:-most]:
            os.unlink(path)


def _memory_digest(address: Address, content: str) -> str:
    return _digest(f"{address.full_key}\n{content}")


def _digest(text: str) -> str:
    return blake2b(text.encode(errors="replace"), size=_SIZE).hex()
