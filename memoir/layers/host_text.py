"""What a host puts into a user's message besides the user's words: reminders, commands and their output, its state."""

import re

ELEMENTS = (
    "system-reminder|task-notification|user-prompt-submit-hook|command-[a-z]+|local-command-[a-z]+|bash-[a-z]+"
    "|ide_[a-z_]+|hook_context|session_context|state_snapshot|environment_context|user_instructions|turn_aborted"
    "|user_shell_command|subagent_notification|rollout_budget"
)
"""The names of elements that hosts put into messages, as a pattern."""
_TAG = re.compile(rf"<(?P<end>/)?(?P<name>{ELEMENTS})(?:\s[^<>]{{0,200}}+)?>")


def strip_host_text(text: str) -> str:
    """A user's message without the elements that a host has put there; what begins one and does not end it stays."""
    parts, at, name, start = list[str](), 0, "", 0
    for tag in _TAG.finditer(text):
        if not name and not tag["end"]:
            name, start = tag["name"], tag.start()
        elif tag["end"] and tag["name"] == name:
            parts.append(text[at:start])
            name, at = "", tag.end()
    return "".join([*parts, text[at:]]).strip() if at else text
