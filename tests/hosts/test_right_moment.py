"""The real Claude Code with `--recall-on-file` and `--recall-on-failure`: a memory comes when it is needed, once."""

import json
from pathlib import Path

import pytest
from hosts.claude import Claude, acting, needs_claude, results_of, text_of
from messages_api import MessagesApi
from support import Memoir

from memoir.hosts.events import RECALL_HEADING
from memoir.primer.length import tokens

pytestmark = [pytest.mark.hosts, needs_claude]

ABOUT_FILE = "Tokens are compared in constant time; never use == here."
ABOUT_ERROR = "The broker connection is refused until docker compose up broker has run."
FAILING = "echo 'ConnectionRefusedError: the broker at localhost:5672 refused the connection' >&2; exit 1"


def told(request: str) -> list[str]:
    """What the hooks have added to a request, in its order."""
    texts = text_of(request).split(RECALL_HEADING)[1:]
    return [text.partition("\n\n")[0].partition("</system-reminder>")[0].strip() for text in texts]


@pytest.fixture
def claude(memoir: Memoir, tmp_path: Path, api: MessagesApi) -> Claude:
    """Claude Code in a project that has learnt something of a file and of an error, and much else since."""
    (memoir.folder / "auth.py").write_text("def same(a, b):\n    return a == b\n")
    memoir.remember("knowledge.auth.tokens", ABOUT_FILE, "--about", "auth.py:2", "--timestamp", "2026-01-01")
    memoir.remember("debugging.broker", ABOUT_ERROR, "--timestamp", "2026-01-01")
    facts = ({"path": f"rivers.r{number}", "content": f"River {number} is long."} for number in range(40))
    memoir.ok("import", "-", stdin="".join(json.dumps(fact) + "\n" for fact in facts))
    memoir.ok("recall", "rivers")  # the index is there before the session
    claude = Claude(memoir, tmp_path / "config", api)
    claude.setup("--recall-on-file", "--recall-on-failure")
    return claude


def test_what_is_known_of_a_file_and_of_an_error_comes_when_it_is_needed(claude: Claude) -> None:
    file = str(claude.memoir.folder / "auth.py")
    failing = ("Bash", {"command": FAILING, "description": "start the worker"})
    read = ("Read", {"file_path": file})
    calls = [
        read,
        ("Edit", {"file_path": file, "old_string": "a == b", "new_string": "b == a"}),
        ("Bash", {"command": "echo fine", "description": "say something"}),
        failing,
        failing,
    ]
    claude.api.respond = acting(*calls)
    rights = ("--permission-mode", "acceptEdits", "--allowedTools", "Bash")

    # Nothing at the start; with the file its memory, once; nothing for what succeeds; with the error its memory, once.
    requests = claude.ask("Fix the comparison, then start the worker.", *rights)
    assert "return b == a" in Path(file).read_text("utf-8"), results_of(json.loads(requests[-1]))
    assert [len(told(request)) for request in requests] == [0, 1, 1, 1, 2, 2]
    about_file, about_error = told(requests[-1])
    assert ABOUT_FILE in about_file and "knowledge.auth.tokens" in about_file
    assert ABOUT_ERROR in about_error and "debugging.broker" in about_error
    assert tokens(about_file) <= 260 and tokens(about_error) <= 150

    # A session that is resumed has kept what came after the error, and not what came before the file.
    claude.api.respond = acting(*calls, read, failing)
    first, *_, resumed = claude.ask("Try again.", "--resume", claude.session, *rights)
    assert len(told(first)) == 1 and ABOUT_ERROR in told(first)[0]
    assert len(results_of(json.loads(resumed))) == 7
    assert [ABOUT_FILE in text for text in told(resumed)] == [False, True]

    # The next session is told anew, and of the code that has changed since.
    claude.api.respond = acting(read)
    first, after = claude.ask("Read it.", *rights)
    assert told(first) == []
    assert "auth.py:2 has changed" in told(after)[0]
