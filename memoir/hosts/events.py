"""What each kind of event does: from a host's payload to the bytes that it is answered with."""

import os
from typing import TYPE_CHECKING, NamedTuple

from memoir.hosts import dialects, log
from memoir.hosts.dialects import HOSTS, Host, Payload
from memoir.hosts.stdin import NotAPayload, read_payload

if TYPE_CHECKING:
    from memoir.repository import Repository

PRIMER_SECONDS = 0.5
"""How long a primer looks for pins that are not known yet."""


class Call(NamedTuple):
    """One event: the host and its name, the event's name, the payload, and the options of the command line."""

    name: str
    host: Host
    event: str
    payload: Payload
    options: frozenset[str]

    @property
    def session(self) -> str:
        """The name of the session among all sessions of all hosts."""
        return f"{self.name}:{dialects.session_of(self.payload)}"


def answer(arguments: list[str]) -> bytes | None:
    """Answer the event that the arguments name and standard input describes; None if there is nothing to say.

    Whatever fails is logged, by its kind and never with a text of the payload.
    """
    name, event, *options = [*arguments, "", ""]
    try:
        return _answer(name, event, frozenset(filter(None, options)))
    except Exception as error:
        log.write(name, event, _described(error))
        return None


def _described(error: Exception) -> str:
    from memoir.errors import MemoirError

    if isinstance(error, MemoirError):
        from memoir.memory.secrets import redact

        return redact(error.message)
    if isinstance(error, NotAPayload):
        return f"standard input: {error}"
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    where = f" at {os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}" if trace else ""
    return f"{type(error).__name__}{where}"


def _answer(name: str, event: str, options: frozenset[str]) -> bytes | None:
    host = HOSTS.get(name)
    kind = host.events.get(event) if host else None
    if host is None or kind is None:
        log.write(name, event, "there is no such host or event")
        return None
    payload = read_payload()
    if dialects.is_foreign(host, event, payload, os.environ):
        return None
    text = _say(kind, Call(name, host, event, payload, options))
    if not text:
        return None
    import orjson

    return orjson.dumps(host.answer(event, text)) + b"\n"


def _say(kind: str, call: Call) -> str | None:
    """The text for the model, if an event of this kind has one."""
    if kind == dialects.START:
        return _start(call)
    return None


def _start(call: Call) -> str | None:
    repository = _open(call)
    if repository is None:
        return None
    primer = repository.agents.prime(seconds=PRIMER_SECONDS)
    if primer.degraded:
        log.write(call.name, call.event, primer.degraded)
    return primer.text


def _open(call: Call) -> "Repository | None":
    """The store that the agent's folder belongs to; None if there is none, which is no failure."""
    from memoir.errors import NoStore
    from memoir.repository import Repository

    named = os.environ.get("MEMOIR_STORE")
    branch = os.environ.get("MEMOIR_BRANCH") or None
    try:
        if named:
            return Repository.open(named, branch=branch)
        folder = dialects.folder_of(call.payload) or os.environ.get("CLAUDE_PROJECT_DIR") or os.getcwd()
        found = Repository.find(folder)
        return Repository.open(found, branch=branch) if found else None
    except NoStore:
        return None
