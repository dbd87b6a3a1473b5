"""The running `memoir` command, and the word by which an agent's shell runs the same one.

Commands that memoir gives to an agent must work. An agent's shell has the PATH of its host, as a hook has: if that PATH
leads to no memoir, or to another one, the word is the absolute path.
"""

import os
import sys
from collections.abc import Iterator

NAME = "memoir"
_LOGIN_PATH = "/usr/local/bin:/usr/bin:/bin"
"""The folders that are on the PATH of every login shell."""


def executable() -> str | None:
    """The absolute path of the running command: by the PATH, which survives an upgrade, else its own file.

    None if memoir runs without its command, as a library may.
    """
    own = os.path.abspath(sys.argv[0])
    file = own if os.path.basename(own) == NAME else os.path.join(os.path.dirname(sys.executable), NAME)
    if not os.access(file, os.X_OK):
        return None
    first = next(_on_path(), None)
    return os.path.abspath(first) if first and os.path.samefile(first, file) else file


def shell_word(*, login: bool = False) -> str:
    """The word that runs this memoir in a shell: `memoir` if the PATH leads to it, else its quoted absolute path.

    A `login` shell sets its own PATH, so this process's PATH does not count for it.
    """
    import shlex

    file, first = executable(), next(_on_path(_LOGIN_PATH if login else None), None)
    if file is None:
        return f"{shlex.quote(sys.executable)} -m {NAME}"
    return NAME if first and os.path.samefile(first, file) else shlex.quote(file)


def runnable(text: str) -> str:
    """Replace `memoir` in the commands of a text by `shell_word`; only for memoir's own texts, never for a user's."""
    if f"{NAME} " not in text or (word := shell_word()) == NAME:
        return text
    import re

    return re.sub(r"(?:^|(?<=['`])|(?<=[:;,] )|(?<= or ))memoir (?=[a-z-])", lambda _: f"{word} ", text)


def _on_path(path: str | None = None) -> Iterator[str]:
    """The `memoir` commands on a PATH, by default this process's, in order; a shell runs the first."""
    for folder in (path or os.environ.get("PATH", os.defpath)).split(os.pathsep):
        file = os.path.join(folder, NAME)
        if os.path.isfile(file) and os.access(file, os.X_OK):
            yield file
