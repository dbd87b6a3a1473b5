"""The fields with which every answer begins, whether the command succeeds or fails."""

from typing import Annotated, TypedDict

from memoir.answers.answer import SCHEMA_VERSION
from memoir.answers.contract import Schema


class Envelope(TypedDict):
    """The first three fields of every answer, in this order. The command's own fields follow, or 'error'."""

    schema_version: Annotated[int, Schema(const=SCHEMA_VERSION)]
    """Raised when a field is removed or changes its meaning; not when one is added."""
    command: str
    """The command's own name, even if an alias was typed; 'memoir' if no command was given."""
    success: bool
    """Whether the command succeeded. The exit status says more."""
