"""A sample of every kind of tool: where it is real, `fixtures/README.md` says how it was made."""

import json
import shutil
import sqlite3
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from memoir.records.record import active_facets
from memoir.repository.repository import Repository

FIXTURES = Path(__file__).parent / "fixtures"
_GIT = ("-c", "user.name=Ada Lund", "-c", "user.email=ada@example.org")


def write_files(folder: Path, files: dict[str, str]) -> Path:
    """Write some files below a folder, by their names; returns the folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
    return folder


def _copied(name: str) -> Callable[[Path], Path]:
    return lambda folder: Path(shutil.copy(FIXTURES / name, folder))


def memoir_ai(folder: Path, backend: str = "file") -> Path:
    with tarfile.open(FIXTURES / "memoir-ai.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    return folder / backend


def memfs(folder: Path) -> Path:
    def commit(date: str, files: dict[str, str | None]) -> None:
        for name, text in files.items():
            if text is None:
                (folder / name).unlink()
            else:
                write_files(folder, {name: text})
        subprocess.run(["git", "-C", str(folder), "add", "-A"], check=True)
        dates = ("-c", "commit.gpgsign=false", "commit", "-q", "--date", date, "-m", f"memory of {date}")
        subprocess.run(["git", "-C", str(folder), *_GIT, *dates], check=True)

    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    human = "---\ndescription: the user\nread_only: true\n---\n"
    commit(
        "2026-04-01T10:00:00Z", {"system/human.md": f"{human}Ada likes tea.\n", "reference/old.md": "An old note.\n"}
    )
    commit("2026-04-02T10:00:00Z", {"system/human.md": f"{human}Ada likes green tea.\n"})
    commit("2026-04-03T10:00:00Z", {"reference/old.md": None})
    return folder


def agent_file(folder: Path) -> Path:
    value = {
        "agents": [
            {
                "id": "agent-0",
                "name": "helper",
                "block_ids": ["block-0"],
                "messages": [
                    {"type": "message", "role": "system", "content": [{"type": "text", "text": "You are a helper."}]},
                    {"type": "message", "role": "user", "content": [{"type": "text", "text": "Where is the office?"}]},
                    {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "In Lisbon."}]},
                ],
            }
        ],
        "blocks": [
            {
                "id": "block-0",
                "label": "human",
                "value": "# Ada\n\nAda lives in Porto.",
                "limit": 5000,
                "read_only": True,
            },
            {"id": "block-1", "label": "persona", "value": "I answer briefly.", "description": "who I am"},
        ],
        "created_at": "2026-05-01T08:00:00Z",
    }
    (folder / "helper.af").write_text(json.dumps(value))
    return folder / "helper.af"


def claude_mem(folder: Path) -> Path:
    file = folder / "claude-mem.db"
    database = sqlite3.connect(file)
    database.executescript(
        """
        CREATE TABLE sdk_sessions (id INTEGER, memory_session_id TEXT, project TEXT);
        CREATE TABLE observations (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, text TEXT, type TEXT,
            title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT, files_read TEXT, files_modified TEXT,
            merged_into_project TEXT, created_at_epoch INTEGER);
        CREATE TABLE session_summaries (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, request TEXT,
            learned TEXT, completed TEXT, created_at_epoch INTEGER);
        CREATE TABLE user_prompts (id INTEGER PRIMARY KEY, content_session_id TEXT, prompt_text TEXT,
            created_at_epoch INTEGER);
        CREATE TABLE memory_items (id TEXT PRIMARY KEY, kind TEXT, type TEXT, project TEXT, title TEXT, text TEXT,
            narrative TEXT, facts TEXT, concepts TEXT, legacy_observation_id INTEGER, created_at_epoch INTEGER);
        INSERT INTO sdk_sessions VALUES (1, 'm1', 'shop');
        INSERT INTO observations VALUES (1, 'm1', 'shop-tree', NULL, 'bugfix', 'Cold cache', 'The build broke',
            '["The cache was cold", "A retry helps"]', 'The first build of a day failed.', '["ci"]', '["ci.yml"]', '[]',
            'shop', 1772359200000);
        INSERT INTO observations VALUES (2, 'm1', 'shop', NULL, 'decision', '', '', '[]', '', '', '', '', NULL, 1);
        INSERT INTO session_summaries VALUES (1, 'm1', 'shop', 'Fix the build', 'Warm the cache', NULL, 1772359300000);
        INSERT INTO user_prompts VALUES (1, 's1', 'Why does the build break every morning?', 1772359100000);
        INSERT INTO memory_items VALUES ('i1', 'observation', 'bugfix', 'shop', 'Cold cache', NULL, 'Twice.', '[]',
            '[]', 1, 1772359200000);
        INSERT INTO memory_items VALUES ('i2', 'manual', NULL, 'shop', 'Deploys need a tag.', NULL, NULL, '[]', '[]',
            NULL, 1772359400000);
        """
    )
    database.commit()
    database.close()
    return file


def _message(parent: str | None, role: str, text: str, **fields: Any) -> dict[str, Any]:
    content = {"content_type": "text", "parts": [text]}
    message = {"id": text, "author": {"role": role}, "content": content, "create_time": 1772359100.5, **fields}
    return {"message": message, "parent": parent, "children": []}


def chatgpt(folder: Path) -> Path:
    context = {"content_type": "user_editable_context", "user_profile": "```I work in Porto.```"}
    snapshot = "1. [2026-02-01]. Has a dog named Rex.\n2. [2026-02-03]. Prefers short answers."
    mapping = {
        "root": {"message": None, "parent": None, "children": ["a"]},
        "a": _message("root", "user", "How do I sort a list in Python?"),
        "old": _message("a", "assistant", "An answer that was made again."),
        "b": _message("a", "assistant", "Call sorted() on it.", recipient="all"),
        "c": _message("b", "assistant", "Has a dog named Rex.", recipient="bio"),
        "d": _message("c", "tool", snapshot),
        "e": _message("d", "user", "Hidden.", metadata={"is_visually_hidden_from_conversation": True}),
        "f": _message("e", "user", ""),
    }
    mapping["d"]["message"]["content"] = {"content_type": "model_set_context", "model_set_context": snapshot}
    mapping["f"]["message"]["content"] = context
    rows = [{"title": "Sorting", "conversation_id": "c-1", "mapping": mapping, "current_node": "f"}, "broken"]
    with ZipFile(folder / "chatgpt.zip", "w") as archive:
        archive.writestr("export/conversations.json", json.dumps(rows))
        archive.writestr("export/user.json", "{}")
    return folder / "chatgpt.zip"


def claude_export(folder: Path) -> Path:
    def said(identity: str, parent: str, sender: str, text: str) -> dict[str, Any]:
        content = [{"type": "text", "text": text}, None]
        time = "2026-03-01T10:00:00Z"
        fields = {"uuid": identity, "parent_message_uuid": parent, "sender": sender}
        return {**fields, "content": content, "created_at": time}

    talk = [said("1", "0", "human", "Name a port."), said("2", "1", "assistant", "8443.")]
    talk += [said("3", "1", "assistant", "8080.")]
    shop = {"uuid": "p-1", "name": "Shop", "prompt_template": "Answer briefly."}
    files = {
        "conversations.json": [
            {"uuid": "t-1", "name": "", "chat_messages": talk},
            {"uuid": "t-2", "chat_messages": []},
        ],
        "memories.json": [
            {
                "conversations_memory": "**Work**\n\nAda runs the billing team.\n\n- She writes Rust.",
                "project_memories": {"p-1": "The shop sells tea."},
                "account_uuid": "account-1",
            }
        ],
        "projects.json": [{**shop, "docs": [{"filename": "a.md", "content": "# A"}]}],
        "users.json": [{"uuid": "account-1", "full_name": "Ada", "email_address": "ada@example.org"}],
    }
    return write_files(folder / "claude", {name: json.dumps(value) for name, value in files.items()})


def beads(folder: Path) -> Path:
    rows = [
        {"_schema": "beads-jsonl/1"},
        {"_type": "issue", "id": "shop-1", "title": "Warm the cache", "description": "It is cold.", "status": "closed",
         "issue_type": "bug", "priority": 1, "labels": ["ci"], "close_reason": "A cron job warms it.",
         "created_at": "2026-03-01T10:00:00Z", "closed_at": "0001-01-01T00:00:00Z",
         "comments": [{"author": "ada", "text": "Done in May."}]},
        {"id": "shop-2", "title": "Gone", "status": "tombstone"},
        {"_type": "memory", "key": "deploys-need-a-tag", "value": "Deploys need a tag."},
        {"id": "shop-3", "status": "open", "priority": 2},
    ]  # fmt: skip
    lines = [*map(json.dumps, rows), "{torn"]
    return write_files(folder / "shop", {".beads/issues.jsonl": "\n".join(lines) + "\n"})


def basic_memory(folder: Path) -> Path:
    return Path(shutil.copytree(FIXTURES / "basic-memory", folder / "notes"))


def obsidian(folder: Path) -> Path:
    files = {
        ".obsidian/app.json": "{}",
        "Projects/Shop.md": "---\ntags: [work]\ncreated: 2026-03-01\n---\nSells tea, see [[Suppliers|them]]. #retail\n",
        "Daily.md": "Met Ada.\r\n",
        "Empty.md": "",
    }
    return write_files(folder / "vault", files)


def claude_code(folder: Path) -> Path:
    files = {
        "CLAUDE.md": "## Testing\n\n- Run make check.\n- Use pytest.\n",
        ".claude/memory/MEMORY.md": "- [Tea](tea.md) — tea\n",
        ".claude/memory/tea.md": "---\nname: tea\ntype: user\n---\nAda likes tea.\n",
    }
    return write_files(folder / "project", files)


def agents_md(folder: Path) -> Path:
    return write_files(folder / "project", {"AGENTS.md": "## Build\n\n- Use make.\n\nCode is in `src`.\n"})


SAMPLES: dict[str, Callable[[Path], Path]] = {
    "memoir-ai": memoir_ai,
    "letta": agent_file,
    "claude-mem": claude_mem,
    "mem0": _copied("mem0-history.db"),
    "beads": beads,
    "mcp-memory": _copied("mcp-memory.jsonl"),
    "chatgpt-export": chatgpt,
    "claude-export": claude_export,
    "claude-code": claude_code,
    "obsidian": obsidian,
    "basic-memory": basic_memory,
    "agents-md": agents_md,
}


def contents(repository: Repository, key: str) -> list[str]:
    """The active memories of a key."""
    record = repository.get(key)
    return [memory.content for memory in active_facets(record)] if record else []
