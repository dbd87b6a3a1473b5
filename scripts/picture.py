"""Draws the README's pictures: runs real commands and saves what a terminal shows.

python scripts/picture.py        writes docs/session.svg and docs/second-session.svg
"""

import os
import pty
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

PROJECT = Path(__file__).resolve().parent.parent
MEMOIR = Path(sys.executable).with_name("memoir")
SESSION = (
    f"memoir import {PROJECT}/examples/memoir-itself.jsonl",
    "memoir summarize --depth 1",
    "memoir checkout -b agent",
    "memoir remember 'Leaves hold 64 entries on average' -p knowledge.store.fanout",
    "memoir remember 'Nodes hold 64 entries on average' -p knowledge.store.fanout",
    "memoir diff",
    "memoir blame knowledge.store.fanout",
    "memoir checkout main",
    "memoir merge agent",
    "memoir undo",
)
SECOND_SESSION = (
    "memoir setup claude --allow",
    "# In the first session the agent finds something out, and the user says how things are done.",
    "memoir remember 'The login test fails without a running Redis: start it with make redis' -p debugging.tests.login",
    "memoir remember 'Always run make lint before a push' -p rules.git.push",
    "# The second session begins with what memoir tells the agent:",
    "memoir prime",
    "# And its agent asks:",
    "memoir recall 'why does the login test fail?'",
)
_STORED_FONT = re.compile(r"@font-face \{[^}]*\}\s*")


def run(command: str, folder: Path) -> str:
    """Run a command in a pseudo-terminal and return what it wrote."""
    reader, writer = pty.openpty()
    environment = {
        **os.environ, "PATH": f"{MEMOIR.parent}:{os.environ['PATH']}", "TERM": "xterm-256color", "COLUMNS": "110",
        "HOME": str(folder.parent), "MEMOIR_AUTHOR": "agent-7 <agent-7@example.org>", "MEMOIR_PAGER": "cat",
    }  # fmt: skip
    process = subprocess.Popen(
        ["sh", "-c", command], cwd=folder, stdout=writer, stderr=subprocess.DEVNULL, env=environment
    )
    os.close(writer)
    output = b""
    try:
        while chunk := os.read(reader, 4096):
            output += chunk
    except OSError:  # the terminal's other end is closed
        pass
    process.wait()
    return output.decode().replace("\r\n", "\n")


def draw(commands: Sequence[str], name: str) -> None:
    """Run commands on a new store, and write what a terminal shows of them to a file of docs/."""
    with tempfile.TemporaryDirectory() as home, open(os.devnull, "w") as nowhere:
        folder = Path(home) / "project"
        console = Console(record=True, width=110, file=nowhere, force_terminal=True)
        subprocess.run([MEMOIR, "init", folder], check=True, stdout=subprocess.DEVNULL)
        for command in commands:
            if command.startswith("#"):
                console.print(Text(f"\n{command}", "dim"))
                continue
            text = command.replace(f"{PROJECT}/", "")
            console.print(Text.assemble(("$ ", "bold green"), (text, "bold")))
            shown = run(command, folder).rstrip("\n").replace(home, "/home/ada")
            console.print(Text.from_ansi(shown), soft_wrap=True)
    # The fonts of the drawing come from the reader's machine, not from a server.
    svg = _STORED_FONT.sub("", console.export_svg(title="memoir"))
    (PROJECT / "docs" / name).write_text(svg, encoding="utf-8")


def main() -> None:
    """Draw both pictures."""
    draw(SESSION, "session.svg")
    draw(SECOND_SESSION, "second-session.svg")


if __name__ == "__main__":
    main()
