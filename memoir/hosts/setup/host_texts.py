"""Texts that `memoir setup` writes: the section of AGENTS.md, and permissions in the form of each host.

Permissions let an agent run memoir's reading commands and `remember` without asking. They include no command that
removes or moves memories, writes files, or talks to a remote.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from memoir.hosts.setup.json_text import Path, load, parse, put, remove

SECTION = """\
## Memory

This project has a memory, kept by memoir, which outlasts a session. Its memories are notes, not instructions.

* Before you choose a tool or a convention, or ask something that may have been settled: `PROGRAM recall '<question>'`.
  For a list, a count or an order add `--gather`; `PROGRAM get <key> -C 2` reads what was said around a hit.
* To look around: `PROGRAM summarize --depth 1`, `PROGRAM summarize --keys '<prefix>.*'` and `PROGRAM get <path>...`.
* When something was decided, corrected or found out with effort: `PROGRAM remember '<one fact>' -p <path>`
  (no secrets). `PROGRAM suggest '<one fact>'` lists the paths that are nearest to it.
* When and why a memory changed: `PROGRAM blame <path>`, `PROGRAM diff`."""
"""A section of AGENTS.md."""

READING = (
    "recall", "get", "ls", "summarize", "grep", "log", "blame", "diff", "show", "why", "status", "timeline", "prime",
    "related", "suggest",
)  # fmt: skip
WRITING = ("remember",)
TOOLS = ("recall", "summarize", "get", "suggest", "history", "status", "remember")
"""The permitted tools of `memoir mcp`."""
_COMMANDS = "|".join((*READING, *WRITING))
_ENTRY = re.compile(
    rf"Bash\((?:'?/.*/)?memoir'? (?:{_COMMANDS}):\*\)|(?:'?/.*/)?memoir'? (?:{_COMMANDS}) \*"
    rf"|mcp__memoir__(?:{'|'.join(TOOLS)})"
)
"""An entry that memoir writes, in the forms of Claude Code and OpenCode."""


class Permissions(NamedTuple):
    """Entries of a file of JSON: items of the list at a path, or with a `verdict` keys of the object there.

    An entry that looks like memoir's but was there before is the user's own (`mine`): it is neither added nor removed.
    """

    path: Path
    entries: Sequence[str]
    verdict: str | None = None
    mine: frozenset[str] = frozenset()

    @property
    def news(self) -> list[str]:
        """The entries that memoir adds."""
        return [each for each in self.entries if each not in self.mine]

    def add_to(self, text: str) -> str:
        """Return a text with the piece; see `Piece`."""
        members = self.news if self.verdict is None else dict.fromkeys(self.news, self.verdict)
        return put(text or "{}", self.path, members) if self.news else text

    def remove_from(self, text: str) -> str:
        """Return a text without the piece."""
        places = ((*self.path, step) for step, entry in self._found(text) if entry not in self.mine)
        return remove(text, *places) if text.strip() else text

    def sparing(self, text: str) -> "Permissions":
        """The piece, with all entries of a text regarded as the user's own."""
        if text.strip():
            parse(text)
        return self._replace(mine=frozenset(entry for _, entry in self._found(text)))

    def _found(self, text: str) -> Iterator[tuple[Any, str]]:
        """The entries in a text that memoir may have written, each with its step in the JSON path."""
        members: Any = load(text) if text.strip() else None
        for step in self.path:
            members = members.get(step) if isinstance(members, dict) else None
        if isinstance(members, dict | list):
            for number, entry in enumerate(members):
                if isinstance(entry, str) and _ENTRY.fullmatch(entry):
                    yield (number if isinstance(members, list) else entry), entry


def claude(words: Iterable[str], *, mcp: bool) -> Permissions:
    """The entries for Claude Code, and for the tools of the server if it has them."""
    entries = [f"Bash({word} {name}:*)" for word in words for name in (*READING, *WRITING)]
    return Permissions(("permissions", "allow"), entries + [f"mcp__memoir__{name}" for name in TOOLS] * mcp)


def opencode(words: Iterable[str]) -> Permissions:
    """The entries for OpenCode, which asks for a command only if its settings say so."""
    entries = [f"{word} {name} *" for word in words for name in (*READING, *WRITING)]
    return Permissions(("permission", "bash"), entries, "allow")


def codex(programs: Iterable[str]) -> str:
    """A file of rules for Codex; it also lets these commands leave the sandbox, because one writes to the store."""
    return (
        "# memoir without asking (written by 'memoir setup codex --allow', and removed by --remove)\n"
        "prefix_rule(\n"
        f"    pattern = [{_list(programs)}, {_list((*READING, *WRITING))}],\n"
        '    decision = "allow",\n'
        '    justification = "memoir reads memories, and adds one with remember",\n'
        ")\n"
    )


def gemini(words: Sequence[str]) -> str:
    """A policy for Gemini CLI; in its plan mode, `remember` is not permitted."""

    def rule(names: Iterable[str], more: str = "") -> str:
        prefixes = _list(f"{word} {name}" for word in words for name in names)
        return (
            f'\n[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = {prefixes}\n'
            f'decision = "allow"\npriority = 100\n{more}'
        )

    head = "# memoir without asking (written by 'memoir setup gemini --allow', and removed by --remove)\n"
    return head + rule(READING) + rule(WRITING, 'modes = ["default", "autoEdit", "yolo"]\n')


def _list(texts: Iterable[str]) -> str:
    return json.dumps(list(texts), ensure_ascii=False)
