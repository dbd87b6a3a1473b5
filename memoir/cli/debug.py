"""The traceback of a failure with all its causes, for those who look for a fault."""

from memoir.errors import MemoirError
from memoir.settings import DEBUG

_OFF = ("", "0", "false", "no", "off")


def show_causes(error: MemoirError) -> None:
    """Print where an error and its causes were raised, without credentials, if `MEMOIR_DEBUG` says so."""
    is_raised = error.__traceback__ is not None or error.__cause__ is not None
    if DEBUG.read({}).lower() in _OFF or not is_raised:
        return
    import traceback

    from memoir.answers import terminal
    from memoir.answers.answer import line
    from memoir.secrets.secrets import redact

    text = redact("".join(traceback.format_exception(error)))
    terminal.note(line(row) for row in text.splitlines())
