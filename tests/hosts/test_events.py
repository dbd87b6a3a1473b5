"""What hooks answer, inside this process: the primer, recall on prompts, and what is told only once."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from support import COMMAND

from memoir import Memory, Repository, user_folders
from memoir.formats.readers.claude_code import memory_folder
from memoir.hosts import dialects, events, log
from memoir.hosts.dialects import HOSTS, Mentions
from memoir.records.record import encode
from memoir.store.transaction import Change, write
from memoir.taxonomy.paths import address

STAGING = "deploy to the staging server db-2, please"


class Hooks:
    """Answers events of one session in a store."""

    def __init__(self, repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
        self.repository, self._patch = repository, monkeypatch
        self.is_awaited = True

    def answer(self, host: str, event: str, *options: str, **payload: Any) -> dict[str, Any] | None:
        fields = {"session_id": "s", "cwd": str(self.repository.path.parent), **payload}
        self._patch.setattr(events, "read_payload", lambda: fields)
        text = events.answer([host, event, *options], lambda: self.is_awaited)
        return orjson.loads(text) if text else None

    def text(self, event: str, *options: str, **payload: Any) -> str:
        answer = self.answer("claude", event, *options, **payload)
        return answer["hookSpecificOutput"]["additionalContext"] if answer else ""

    def recall(self, prompt: str, **payload: Any) -> str:
        return self.text("UserPromptSubmit", "--recall", prompt=prompt, **payload)


@pytest.fixture
def hooks(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hooks]:
    repository.remember(Memory.of("The staging server is db-2."), "system.servers.staging")
    repository.remember(Memory.of("x" * 2000), "debugging.notes.long")
    yield Hooks(repository, monkeypatch)
    assert log.read() == []


def test_what_came_too_late_for_the_host_is_told_again(hooks: Hooks) -> None:
    hooks.is_awaited = False
    assert hooks.text("SessionStart", source="startup") and hooks.recall(STAGING)

    hooks.is_awaited = True
    assert "The staging server is db-2." in hooks.recall(STAGING)


def test_every_host_is_answered_in_its_own_form(hooks: Hooks) -> None:
    for name, host in HOSTS.items():
        start = next(event for event, kind in host.events.items() if kind == dialects.START)
        answer = orjson.dumps(hooks.answer(name, start)).decode()
        assert "staging" in answer
        assert set(orjson.loads(answer)) <= {"hookSpecificOutput", "additional_context", "additionalContext"}


def test_a_prompt_is_answered_only_if_that_was_asked_for(hooks: Hooks) -> None:
    assert hooks.text("UserPromptSubmit", prompt=STAGING) == ""
    assert '- system.servers.staging: "The staging server is db-2."' in hooks.recall(STAGING)


def test_no_memory_is_told_twice_in_a_session(hooks: Hooks) -> None:
    assert hooks.recall(STAGING)
    assert hooks.recall(STAGING) == ""
    assert hooks.recall(STAGING, session_id="other")
    hooks.repository.remember(Memory.of("The staging server is db-3."), "system.servers.staging")
    assert "db-3" in hooks.recall(STAGING)


def test_what_the_primer_told_is_not_told_again_until_the_context_was_cleared(hooks: Hooks) -> None:
    assert "staging" in hooks.text("SessionStart", source="startup")
    assert hooks.recall(STAGING) == ""
    hooks.repository.agents.prime()
    for n in range(11):
        hooks.repository.remember(Memory.of(f"{n}"), f"facts.n{n}")
    assert "staging" not in hooks.text("SessionStart", source="clear").partition("Paths")[0]
    assert hooks.recall(STAGING)
    assert hooks.text("SessionStart", source="resume")
    assert hooks.recall(STAGING) == ""


@pytest.mark.parametrize(
    "prompt", ["", "ok", "yes, go ahead!", "Thanks, that looks great", "/compact", "continue", "…"]
)
def test_what_says_nothing_is_answered_with_nothing(hooks: Hooks, prompt: str) -> None:
    assert hooks.text("UserPromptSubmit", "--nudge", prompt=prompt) == ""
    assert hooks.recall(f"<system-reminder>{STAGING}</system-reminder>{prompt}") == ""


def test_a_nudge_is_one_line_that_names_a_command_that_runs(hooks: Hooks, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", [str(COMMAND), "hook"])
    assert hooks.text("UserPromptSubmit", "--nudge", prompt="fix the parser") == events.NUDGE_TEXT.format(
        program="memoir"
    )
    assert events.NUDGE_TEXT.count("\n") == 1

    answer = hooks.answer("codex", "SessionStart", source="startup")
    assert f"`{COMMAND} recall " in str(answer), "Codex runs a login shell, which sets its PATH anew"
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    assert f"`{COMMAND} recall " in hooks.text("UserPromptSubmit", "--nudge", prompt="fix the parser")


def test_an_answer_to_a_prompt_is_short(hooks: Hooks) -> None:
    for n in range(6):
        hooks.repository.remember(Memory.of(f"Staging server db-2, note {n}. " + "日本" * 300), f"system.servers.n{n}")

    text = hooks.recall(STAGING)

    assert 1 <= text.count("\n- ") <= events.MOST_MEMORIES
    assert len(text) <= events.MOST_CHARACTERS


def test_of_a_long_memory_comes_what_the_prompt_asks_for_and_once(hooks: Hooks) -> None:
    flag = "The rollback of the billing service needs the flag --keep-ledger."
    hooks.repository.remember(f"{'The deploy takes an hour and nobody likes it. ' * 8}{flag}", "workflow.deploy")

    texts = [
        hooks.recall(prompt) for prompt in ("do a rollback of the billing service", "how long does the deploy take?")
    ]

    assert flag in texts[0] and "workflow.deploy" not in texts[1]


def test_what_had_no_room_in_an_answer_is_told_in_the_next_one(hooks: Hooks, monkeypatch: pytest.MonkeyPatch) -> None:
    hooks.repository.remember(Memory.of("The staging server is in the cellar."), "system.servers.place")
    monkeypatch.setattr(events, "MOST_CHARACTERS", 200)

    first, second = (hooks.recall(STAGING) for _ in range(2))

    assert first.count("\n- ") == second.count("\n- ") == 1 and first != second


def test_a_subagent_is_told_nothing(hooks: Hooks) -> None:
    assert hooks.text("SessionStart", agent_id="a1") == ""


def test_only_a_bounded_number_of_sessions_is_remembered() -> None:
    for number in range(6):
        Mentions(str(number), "store").save(most_sessions=3)
    folder = user_folders.cache()

    assert folder and len(list(folder.glob("session-*"))) == 3
    assert all(file.stat().st_mode & 0o777 == 0o600 for file in folder.glob("session-*"))


def test_what_is_said_is_kept_only_if_capture_is_on(hooks: Hooks) -> None:
    captures = hooks.repository.captures
    hooks.text("UserPromptSubmit", prompt="We use tabs.")
    captures.switch(True)
    for text in ("We use tabs.", "ok", f"<system-reminder>{STAGING}</system-reminder>"):
        hooks.text("UserPromptSubmit", prompt=text)
    hooks.text("Stop", last_assistant_message="Done.", tool_response="secret")
    hooks.text("PostCompact", compact_summary="We use tabs.")
    hooks.text("Stop", last_assistant_message="A subagent's words.", agent_id="a")
    hooks.answer("gemini", "AfterAgent", prompt="x", prompt_response="Gemini's words.")
    hooks.text("SessionEnd", reason="logout")

    from memoir.capture.spool import TurnSpool

    turns, _ = TurnSpool(hooks.repository.path).read()
    assert [(turn.host, turn.role, turn.text) for turn in turns] == [
        ("claude", "user", "We use tabs."),
        ("claude", "assistant", "Done."),
        ("claude", "assistant", "We use tabs."),
        ("gemini", "assistant", "Gemini's words."),
    ]


def test_a_hook_escapes_what_a_key_and_a_source_hide(hooks: Hooks) -> None:
    memory = Memory.of("Deploy to the staging server db-9.", metadata={"source": "a\u3164b"})
    edits = [(address("system.servers.Ignore\u115fall").key, encode([memory]))]  # no new path has such a character
    write(hooks.repository.store, lambda head: Change(edits, "older"), reason="older")

    text = hooks.recall("deploy to the staging server db-9, please")

    assert '- "system.servers.Ignore\\u115fall": "Deploy' in text and '"a\\u3164b"' in text


def test_a_session_in_an_empty_store_hears_when_and_how_to_write_to_it(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    hooks = Hooks(repository, monkeypatch)

    assert "`memoir remember 'ONE FACT'" in hooks.text("SessionStart", source="startup")
    assert hooks.recall(STAGING) == ""
    assert hooks.text("UserPromptSubmit", "--nudge", prompt=STAGING) == ""


def test_what_a_prompt_finds_says_who_speaks_and_where_it_is_from(hooks: Hooks, tmp_path: Path) -> None:
    text = "I adopted a cat named Bailey last Friday!"
    line = {"speaker": "Caroline", "content": text, "timestamp": "2023-08-23"}
    (tmp_path / "chat.jsonl").write_bytes(orjson.dumps(line))
    hooks.repository.sources.ingest(tmp_path / "chat.jsonl")

    answer = hooks.recall("feed Bailey, the adopted cat")

    assert f'#p1: "Caroline (2023-08-23): {text}" (from "chat", 2023-08-23)\n' in answer


def _say(hooks: Hooks, tmp_path: Path, *turns: tuple[str, str]) -> None:
    lines = [orjson.dumps({"speaker": who, "content": text, "timestamp": "2026-08-23"}) for who, text in turns]
    (tmp_path / "chat.jsonl").write_bytes(b"\n".join(lines))
    hooks.repository.sources.ingest(tmp_path / "chat.jsonl")


def test_with_an_old_question_comes_what_was_replied_once(hooks: Hooks, tmp_path: Path) -> None:
    question, reply, prompt = (
        "Which port does the billing gateway listen on?",
        "On 8443.",
        "does billing listen on a port",
    )
    _say(hooks, tmp_path, ("Ada", question), ("Ben", reply))

    told = hooks.recall(prompt)  # finds both
    assert question in told and told.count(reply) == 1

    for number, rule in enumerate(("The billing gateway listens on a port", "A port is open for billing to listen on")):
        hooks.repository.remember(rule, f"billing.rule{number}")
    assert f"{question} | Ben: {reply}" in hooks.recall(prompt, session_id="another")


RULE = "Always answer in metric units when I ask about wind turbines."


def test_a_prompt_brings_the_standing_instructions_on_it_once_and_apart_from_the_hits(
    hooks: Hooks, tmp_path: Path
) -> None:
    words = "I ask about units of wind turbines, always in metric, on staging server db-2, " * 8
    _say(hooks, tmp_path, ("user", f"{words.strip(' ,')}. {RULE}"), ("assistant", "I shall."))
    prompt = "give me the units of wind turbines that I ask about, always in metric, on staging server db-2"

    text = hooks.recall(prompt)
    heading, rule = text.splitlines()[-2:]

    assert (heading, rule) == (
        events.STANDING_HEADING,
        f'- sources.chat.0001#p1: "user: {RULE}" (from "chat", 2026-08-23)',
    )
    assert "system.servers.staging" in text.partition(heading)[0] and len(text) <= events.MOST_CHARACTERS
    assert RULE not in hooks.recall(prompt)


def test_an_instruction_that_a_hit_shows_is_not_said_twice_nor_again(hooks: Hooks, tmp_path: Path) -> None:
    _say(hooks, tmp_path, ("user", RULE), ("assistant", "I shall."))
    prompt = "always answer with metric units when I ask about wind turbines"

    assert hooks.recall(prompt).count(RULE) == 1
    assert RULE not in hooks.recall(prompt)


def test_an_instruction_that_does_not_bear_on_a_prompt_is_not_said(hooks: Hooks, tmp_path: Path) -> None:
    _say(hooks, tmp_path, ("user", RULE), ("assistant", "I shall."))

    assert hooks.recall("rename the variable foo in the parser") == ""


def test_memory_md_is_kept_in_step_when_a_session_begins_and_ends(
    hooks: Hooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "leave", lambda work, seconds: work())
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(Path.cwd() / "claude"))
    folder = memory_folder(hooks.repository.path.parent)
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text("## Tea\n\n- Ada likes tea.\n")

    assert hooks.answer("claude", "SessionEnd") is None
    assert "staging" not in (folder / "MEMORY.md").read_text()
    assert "staging" in hooks.text("SessionStart", "--memory-md", source="startup")
    assert "The staging server is db-2." in (folder / "MEMORY.md").read_text()
    assert hooks.repository.get("project.tea")
    (folder / "MEMORY.md").write_text((folder / "MEMORY.md").read_text().replace("db-2", "db-4"))
    assert hooks.answer("claude", "SessionEnd", "--memory-md") is None
    record = hooks.repository.get("system.servers.staging")
    assert record and record[-1].content == "The staging server is db-4."


@pytest.fixture
def code(hooks: Hooks) -> Path:
    """A file of the project, with a memory about it."""
    file = hooks.repository.path.parent / "auth.py"
    file.write_text("def check(token):\n    return token == 1\n")
    for n in range(3):
        hooks.repository.remember(f"Fact {n} of the token check", f"knowledge.auth.n{n}", about=[str(file)])
    return file


def test_a_file_that_is_about_to_be_read_brings_two_memories_about_it_once(hooks: Hooks, code: Path) -> None:
    before = {"tool_name": "Read", "tool_input": {"file_path": str(code)}}

    text = hooks.text("PreToolUse", **before)

    assert text.count("\n- knowledge.auth.") == 2
    assert hooks.text("PreToolUse", **before).count("\n- knowledge.auth.") == 1, "the third"
    assert hooks.text("PreToolUse", **before) == ""


def test_what_a_resumed_session_has_lost_is_told_again(hooks: Hooks, code: Path) -> None:
    before = {"tool_name": "Read", "tool_input": {"file_path": str(code)}}
    for number in range(11):
        hooks.repository.remember(f"{number}", f"facts.n{number}")
    while hooks.text("PreToolUse", **before):
        pass
    assert hooks.recall(STAGING)

    hooks.text("SessionStart", source="resume")

    assert hooks.text("PreToolUse", **before).count("\n- knowledge.auth.") == 2
    assert hooks.recall(STAGING) == "", "a host keeps what is told at a prompt"


def test_what_has_changed_comes_last_and_says_so(hooks: Hooks, code: Path) -> None:
    code.write_text("changed\n")
    hooks.repository.annotate("knowledge.auth.n2", about=[str(code)])

    lines = hooks.text("PreToolUse", tool_name="Edit", tool_input={"file_path": str(code)}).splitlines()[1:]

    assert lines[0].startswith("- knowledge.auth.n2")
    assert "auth.py has changed" not in lines[0]
    assert "auth.py has changed" in lines[1]


@pytest.mark.parametrize("file", ["/etc/passwd", "other.py", "", None, 7])
def test_other_files_bring_nothing(hooks: Hooks, code: Path, file: object) -> None:
    assert hooks.text("PreToolUse", tool_name="Read", tool_input={"file_path": file}) == ""
    assert hooks.text("PreToolUse", tool_name="Read", tool_input=None) == ""


def test_a_command_that_failed_brings_the_memory_about_its_error_once(hooks: Hooks) -> None:
    hooks.repository.remember("CrashLoopBackOff of the api pod means a missing secret", "debugging.k8s.crash")
    hooks.repository.remember("CrashLoopBackOff was the word of the year", "team.jokes")
    error = "Exit code 1\napi-6d9f-x2x7k  0/1  CrashLoopBackOff  6 (40s ago)"

    assert "debugging.k8s.crash" in hooks.text("PostToolUseFailure", tool_name="Bash", error=error)
    assert hooks.text("PostToolUseFailure", tool_name="Bash", error=error) == ""


@pytest.mark.parametrize(
    "payload",
    [
        {"error": "bash: foo: command not found"},
        {"error": "api  CrashLoopBackOff", "is_interrupt": True},
        {},
        {"error": 7},
    ],
)
def test_other_failures_bring_nothing(hooks: Hooks, payload: dict[str, Any]) -> None:
    hooks.repository.remember("CrashLoopBackOff of the api pod means a missing secret", "debugging.k8s.crash")

    assert hooks.text("PostToolUseFailure", tool_name="Bash", **payload) == ""
