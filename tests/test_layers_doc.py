"""docs/layers.md: its commands print what the page shows; `...` stands for further lines."""

import os
import re
import shlex
import subprocess

from support import PROJECT, Memoir

PAGE = (PROJECT / "docs/layers.md").read_text("utf-8")
SCRIPT = PAGE.partition("```sh\n")[2].partition("```")[0]
SESSION = "".join(re.findall(r"^```console\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))
STEPS = re.findall(r"^\$ memoir (.*)\n((?:(?!\$ ).*\n)*)", SESSION, re.MULTILINE)


def test_the_commands_print_what_the_page_shows(memoir: Memoir, scripts_env: dict[str, str]) -> None:
    now = re.findall(r"MEMOIR_NOW=(\S+)", SCRIPT)[0]
    env = {**os.environ, **scripts_env}
    subprocess.run(["bash", "-euc", SCRIPT], cwd=memoir.folder, env=env, check=True, capture_output=True)

    for command, example in STEPS:
        beginning, dots, _ = example.rstrip("\n").partition("...")
        output = memoir.ok(*shlex.split(command), MEMOIR_NOW=now)
        assert output.startswith(beginning) and (dots or output.rstrip("\n") == beginning), output

    assert [command.split()[0] for command, _ in STEPS] == ["threads", "thread", "insights"]
