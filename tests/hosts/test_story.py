"""From an empty store to a second session that knows: the whole story, with the real Claude Code and a stub model."""

import json
import re
import shlex
from pathlib import Path

import pytest
from hosts.claude import Claude, OffPath, needs_claude, results_of, text_of
from hosts.programs import FOUND_OUT, RULE
from messages_api import Answer, MessagesApi, Request, tool_use
from support import Memoir

pytestmark = [pytest.mark.hosts, needs_claude]


@pytest.mark.parametrize("place", ["on the PATH", "off the PATH, in a folder with a blank"])
def test_the_second_session_knows_what_the_first_one_learnt(tmp_path: Path, api: MessagesApi, place: str) -> None:
    project, config = tmp_path / "project", tmp_path / "config"
    project.mkdir()
    memoir, program = Memoir(project), "memoir"
    if "off" in place:
        memoir = OffPath(project, tmp_path / "my tools")
        program = shlex.quote(str(memoir.program))
    claude = Claude(memoir, config, api)

    # Two commands, and one for what is said.
    memoir.ok("init")
    claude.setup("--allow")
    memoir.ok("capture", "on")

    # The first session is told that there is a memory, and how to write to it. Its model does, without an approval.
    def learn(request: Request) -> Answer:
        """Quote a fact as the text at the beginning did: `…` and $ are nothing to the shell."""
        quote = re.findall(r"remember (['\"])ONE FACT", text_of(json.dumps(request.body["messages"])))[0]
        if results_of(request.body["messages"]):
            return "It needs Redis. I have made a note of it."
        return tool_use("Bash", command=f"{program} remember {quote}{FOUND_OUT}{quote} -p debugging.tests.login")

    api.respond = learn
    first, last = claude.ask(f"Why does the login test fail? {RULE}")
    assert "it is empty so far" in text_of(first) and f"`{program} remember " in text_of(first)
    (result,) = results_of(json.loads(last))
    assert "debugging.tests.login" in result and "approval" not in result
    assert memoir.content("debugging.tests.login") == FOUND_OUT

    # What was said waits for a look, and one command files it.
    (waiting,) = memoir.json("capture", "review")["proposals"]
    assert "make lint" in waiting["content"] and waiting["session"] == claude.session
    memoir.ok("capture", "accept", "--all")

    # The second session begins with both: what was remembered, and what was said, with its source.
    api.respond = lambda request: "Lint, then push."
    (second,) = claude.ask("Push this, please.")
    assert second.count(FOUND_OUT) == 1 and claude.session != waiting["session"]
    (line,) = (line for line in text_of(second).split("\n") if "make lint" in line)
    assert waiting["path"] in line and 'from "capture:claude"' in line

    # And everything is as it was before once it is taken back.
    claude.setup("--remove")
    assert not (config / "settings.json").exists()
    (third,) = claude.ask("Push this, please.")
    assert "memoir" not in third
