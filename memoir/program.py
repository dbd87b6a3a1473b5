"""The `memoir` command that runs, and the word by which an agent's shell runs the same one.

Whatever memoir tells an agent to run must run. The shell of an agent has the PATH of its host, which a hook has, too:
where that PATH leads to no memoir, or to another one, the absolute path is the word.
"""

import os
import sys
from collections.abc import Iterator

NAME = "memoir"
_LOGIN_PATH = "/usr/local/bin:/usr/bin:/bin"
"""The folders that are on the PATH of every login shell."""


def executable() -> str | None:
    """The absolute path of the command that runs: the one on the PATH, which outlives an upgrade, else its own file.

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

    A `login` shell sets its PATH anew, so that of this process says nothing about it.
    """
    import shlex

    file, first = executable(), next(_on_path(_LOGIN_PATH if login else None), None)
    if file is None:
        return f"{shlex.quote(sys.executable)} -m {NAME}"
    return NAME if first and os.path.samefile(first, file) else shlex.quote(file)


def runnable(text: str) -> str:
    """Words of memoir's own with the word that runs this memoir in each command that they name; never a user's text."""
    if f"{NAME} " not in text or (word := shell_word()) == NAME:
        return text
    import re

    return re.sub(r"(?:^|(?<=['`])|(?<=[:;,] )|(?<= or ))memoir (?=[a-z-])", lambda _: f"{word} ", text)


def _on_path(path: str | None = None) -> Iterator[str]:
    """The commands of this name on a PATH, by default this process's, in its order; a shell runs the first."""
    for folder in (path or os.environ.get("PATH", os.defpath)).split(os.pathsep):
        file = os.path.join(folder, NAME)
        if os.path.isfile(file) and os.access(file, os.X_OK):
            yield file
