"""Draws the README's picture: runs a real session on the example store and saves what a terminal shows.

python scripts/picture.py        writes docs/session.svg
"""

import os
import pty
import re
import subprocess
import sys
import tempfile
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
_STORED_FONT = re.compile(r"@font-face \{[^}]*\}\s*")


def run(command: str, folder: str) -> str:
    """Run a command in a pseudo-terminal and return what it wrote."""
    reader, writer = pty.openpty()
    environment = {
        **os.environ, "PATH": f"{MEMOIR.parent}:{os.environ['PATH']}", "TERM": "xterm-256color", "COLUMNS": "110",
        "MEMOIR_AUTHOR": "agent-7 <agent-7@example.org>", "MEMOIR_PAGER": "cat",
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


def main() -> None:
    """Run the session and write the picture."""
    with tempfile.TemporaryDirectory() as folder, open(os.devnull, "w") as nowhere:
        console = Console(record=True, width=110, file=nowhere, force_terminal=True)
        subprocess.run([MEMOIR, "init", folder], check=True, stdout=subprocess.DEVNULL)
        for command in SESSION:
            text = command.replace(f"{PROJECT}/", "")
            console.print(Text.assemble(("$ ", "bold green"), (text, "bold")))
            console.print(Text.from_ansi(run(command, folder).rstrip("\n")), soft_wrap=True)
    # The fonts of the drawing come from the reader's machine, not from a server.
    svg = _STORED_FONT.sub("", console.export_svg(title="memoir"))
    (PROJECT / "docs" / "session.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
