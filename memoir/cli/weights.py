"""Laying the weights of minilm out before a command needs them, with a line that says so."""

import sys
from contextlib import suppress

from memoir.answers.terminal import Progress
from memoir.cli.session import Session
from memoir.errors import EmbedderUnavailable


def lay_out_weights(here: Session) -> None:
    """Lay the weights out if the command would: once a machine. One that fails leaves it to the command to say so."""
    if not here.repository.awaits_weights():
        return
    from memoir.repository import Repository

    if not here.quiet:
        sys.stderr.write("laying out the weights of minilm (91 MB, once on this machine)\n")
    with Progress("laying out", shown=here.chatty) as progress, suppress(EmbedderUnavailable):
        Repository.install_minilm(progress)
