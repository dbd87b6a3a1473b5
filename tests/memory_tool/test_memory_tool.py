"""The memory tool: Anthropic's commands, answered in the words of its documentation, each one commit."""

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from messages_api import MessagesApi, tool_use
from support import PROJECT, without_endless_work

from memoir.memory_tool.file_paths import ToolFailure, read_path
from memoir.records.origins import origins_of
from memoir.records.record import Memory
from memoir.repository.repository import Repository

if TYPE_CHECKING:
    from memoir.memory_tool import MemoryTool

NOTES = "/memories/default/work/notes.md"


@pytest.fixture
def tool(repository: Repository) -> "MemoryTool":
    """The tool, whose import each worker would pay for that only collects the tests."""
    from memoir.memory_tool import MemoryTool

    return MemoryTool(repository)


def do(tool: "MemoryTool", name: str, path: str | None = None, **fields: Any) -> str:
    return str(tool.call({"command": name, **({"path": path} if path else {}), **fields}))


def refusal(tool: "MemoryTool", name: str, path: str | None = None, **fields: Any) -> str:
    with pytest.raises(ToolFailure) as error:
        do(tool, name, path, **fields)
    return repr(error.value)


def test_what_comes_by_the_tool_is_an_agents_whoever_opened_the_store(repository: Repository) -> None:
    from memoir.memory_tool import MemoryTool

    tool = MemoryTool(repository.by("user"))

    do(tool, "create", NOTES, file_text="Use tabs.\n")
    do(tool, "str_replace", NOTES, old_str="tabs", new_str="spaces")

    assert [origins_of(memory.metadata) for memory in repository.get("work.notes") or ()] == [("agent",)]


def test_a_file_that_names_code_of_the_project_offers_to_be_tied_to_it(tool: "MemoryTool") -> None:
    (tool.repository.path.parent / "auth.py").write_text("def check():\n    pass\n")

    text = do(tool, "create", NOTES, file_text="Tokens are compared in auth.py:1.\n")

    assert text.endswith(
        "\nIt names auth.py:1: in a shell, `memoir edit work.notes --about auto` ties it to that code."
    )


def test_a_file_is_a_memory_at_its_path(tool: "MemoryTool") -> None:
    text = do(tool, "create", NOTES, file_text="one\ntwo\n")

    assert text == f"File created successfully at: {NOTES}"
    assert tool.repository.content("work.notes") == "one\ntwo\n"
    assert do(tool, "view", NOTES) == (
        f"Here's the content of {NOTES} with line numbers:\n     1\tone\n     2\ttwo\n     3\t"
    )
    assert do(tool, "view", NOTES, view_range=[2, -1]).splitlines()[1] == "     2\ttwo"
    assert refusal(tool, "create", NOTES, file_text="x") == f"Error: File {NOTES} already exists"
    assert "blank" in refusal(tool, "create", "/memories/a/b.md", file_text="")
    assert "[1, 3]" in refusal(tool, "view", NOTES, view_range=[4, 2])
    assert refusal(tool, "view", "/memories/a/b.md") == (
        "The path /memories/a/b.md does not exist. Please provide a valid path."
    )


@pytest.mark.parametrize("part", ["x ", "ab\n", "aaaa"])
def test_a_text_that_stands_often_is_refused_in_a_bounded_answer_and_linear_time(part: str) -> None:
    from memoir.memory_tool.memory_tool import only_line

    with (
        without_endless_work(),
        pytest.raises(ToolFailure) as error,
    ):  # counting all lines anew took 95 seconds
        only_line(part * 500_000, part * 2_000, NOTES)
    answer = repr(error.value)

    assert len(answer) < 1_500
    first = ", ".join(map(str, range(1, 6))) if "\n" in part else "1, 1, 1, 1, 1"
    assert f"in lines: {first} and 245 more. Please" in answer


def test_places_of_a_text_that_overlap_are_several() -> None:
    from memoir.memory_tool.memory_tool import only_line

    with pytest.raises(ToolFailure, match=r"in lines: 1, 1\. Please"):
        only_line("aaa", "aa", NOTES)


def test_no_answer_grows_with_a_line_or_a_folder(tool: "MemoryTool") -> None:
    do(tool, "create", NOTES, file_text="x" * 100_000 + "\n" + "y " + "x" * 100_000)
    assert len(do(tool, "str_replace", NOTES, old_str="y", new_str="z")) < 17_000
    assert len(refusal(tool, "str_replace", NOTES, old_str="q" * 100_000, new_str="z")) < 1_500

    lines = (b'{"path": "many.path_with_a_name_%d", "content": "x"}' % number for number in range(1_000))
    tool.repository.import_lines(lines)
    listing = do(tool, "view", "/memories/default")
    assert len(listing) < 17_000 and " more lines: view a folder among these]" in listing


def test_a_folder_lists_two_levels_with_sizes(tool: "MemoryTool") -> None:
    head = "Here're the files and directories up to 2 levels deep in {}, excluding hidden items and node_modules:"
    assert do(tool, "view", "/memories") == f"{head.format('/memories')}\n0B\t/memories"

    do(tool, "create", NOTES, file_text="x" * 1536)
    do(tool, "create", "/memories/user:alice/tea.md", file_text="green")
    tool.repository.taxonomy.add("cooking", about="Food")  # what memoir itself keeps is not a file

    assert do(tool, "view", "/memories/").splitlines() == [
        head.format("/memories"),
        "1.5K\t/memories",
        "1.5K\t/memories/default/",
        "1.5K\t/memories/default/work/",
        "5B\t/memories/user:alice/",
        "5B\t/memories/user:alice/tea.md",
    ]
    assert do(tool, "view", "/memories/default/work").endswith(f"/memories/default/work\n1.5K\t{NOTES}")
    assert "does not exist" in refusal(tool, "view", "/memories/nobody")
    assert "does not exist" in refusal(tool, "view", "/memories/default/wor")


def test_str_replace_changes_a_text_that_is_there_once(tool: "MemoryTool") -> None:
    do(tool, "create", NOTES, file_text="a\nb\nc\nd\ne\nf\na")

    text = do(tool, "str_replace", NOTES, old_str="d", new_str="D\nDD")

    assert text == (
        "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n"
        "     2\tb\n     3\tc\n     4\tD\n     5\tDD\n     6\te"
    )
    assert refusal(tool, "str_replace", NOTES, old_str="z", new_str="y") == (
        f"No replacement was performed, old_str `z` did not appear verbatim in {NOTES}."
    )
    assert refusal(tool, "str_replace", NOTES, old_str="a", new_str="y") == (
        "No replacement was performed. Multiple occurrences of old_str `a` in lines: 1, 8. Please ensure it is unique"
    )
    do(tool, "str_replace", NOTES, old_str="b\n")
    assert tool.repository.content("work.notes").startswith("a\nc\n")


def test_insert_puts_lines_after_a_line(tool: "MemoryTool") -> None:
    do(tool, "create", NOTES, file_text="one\nthree\n")

    assert do(tool, "insert", NOTES, insert_line=1, insert_text="two\n") == f"The file {NOTES} has been edited."
    do(tool, "insert", NOTES, insert_line=0, insert_text="zero")
    assert tool.repository.content("work.notes") == "zero\none\ntwo\nthree\n"
    assert refusal(tool, "insert", NOTES, insert_line=9, insert_text="x") == (
        "Invalid `insert_line` parameter: 9. It should be within the range [0, 4]."
    )


def test_delete_and_rename_take_files_and_folders(tool: "MemoryTool") -> None:
    for name in ("a", "b/c", "b/d"):
        do(tool, "create", f"/memories/default/x/{name}.md", file_text=name)

    new = "/memories/default/y"
    assert do(tool, "rename", old_path="/memories/default/x/b", new_path=new) == (
        f"Successfully renamed /memories/default/x/b to {new}"
    )
    assert tool.repository.content("y.c") == "b/c"
    assert refusal(tool, "rename", old_path="/memories/default/x/a.md", new_path=f"{new}/c.md") == (
        f"The destination {new}/c.md already exists"
    )
    assert "does not exist" in refusal(tool, "rename", old_path="/memories/default/q.md", new_path=f"{new}/z.md")
    do(tool, "rename", old_path="/memories/default/x/a.md", new_path="/memories/user/a.md")
    assert tool.repository.content("user:a") == "a"
    assert do(tool, "delete", new) == f"Successfully deleted {new}"
    assert refusal(tool, "delete", new) == f"The path {new} does not exist"
    assert refusal(tool, "delete", f"{new}.md") == f"The path {new}.md does not exist"
    assert refusal(tool, "delete", "/memories") == "Cannot delete the /memories directory itself"
    tool.clear_all_memory()
    assert tool.repository.count() == 0
    tool.repository.undo()
    assert tool.repository.count() == 1


def test_each_command_is_one_commit_and_reading_is_none(tool: "MemoryTool") -> None:
    do(tool, "create", NOTES, file_text="one")
    do(tool, "insert", NOTES, insert_line=1, insert_text="two")
    do(tool, "view", NOTES)
    do(tool, "delete", "/memories/default/work")

    assert len(list(tool.repository.log())) == 3
    assert [version.operation for version in tool.repository.blame("work.notes")] == ["removed", "modified", "added"]


def test_several_memories_are_one_text_and_an_edit_makes_them_one(tool: "MemoryTool") -> None:
    for content in ("first", "second"):
        tool.repository.remember(Memory.of(content, confidence=0.5), "work.notes", policy="append")

    assert do(tool, "view", NOTES).endswith("     1\tfirst\n     2\tsecond")
    do(tool, "str_replace", NOTES, old_str="second", new_str="last")
    (memory,) = tool.repository.get("work.notes") or ()
    assert (memory.content, memory.confidence) == ("first\nlast", 0.5)


@pytest.mark.parametrize(
    "path", ["/memories/guide.xml", "/memories/a/guide.txt", "/memories/1.2", "/memories/1.2/a.md"]
)
def test_a_name_with_a_dot_is_refused_with_the_ending_that_names_have(path: str) -> None:
    with pytest.raises(ToolFailure, match=r"cannot be the name of a file or folder \(names of files end in \.md\)"):
        read_path(path)


@pytest.mark.parametrize(
    "path",
    [
        "/memories/../etc/passwd", "/memories/default/../../etc/passwd.md", "/memories/%2e%2e/secret.md",
        "/memories/%252e%252e%252fsecret.md", "/memories/default/..\\..\\secret.md", "/memories/..%2f..%2fsecret.md",
        "/memories/．．/secret.md", "/memories/default/a\x00b.md", "/memories/default/v1.2.md",
        "/memories/default//a.md", "/memories/default/.hidden.md", "/memories/default/not a name.md",
        "/memoriesx/a.md", "/etc/passwd", "memories/default/a.md", "", "/memories/default/notes.txt",
        "/memories/default/notes", "/memories/default/user:alice:name.md",
    ],
)  # fmt: skip
def test_what_is_no_path_of_a_file_is_refused(tool: "MemoryTool", path: str) -> None:
    text = refusal(tool, "create", path or "/", file_text="x")

    assert text and tool.repository.count() == 0


def test_a_file_right_below_the_root_belongs_to_the_default_namespace(tool: "MemoryTool") -> None:
    do(tool, "create", "/memories/progress.md", file_text="half")

    assert tool.repository.content("progress") == "half"
    assert do(tool, "view", "/memories/progress.md").endswith("half")


def test_memoirs_own_refusals_are_answers_too(tool: "MemoryTool") -> None:
    assert "credential" in refusal(tool, "create", NOTES, file_text="password=hunter2hunter2")
    assert "'file_text'" in refusal(tool, "create", NOTES)
    assert "no command 'format'" in refusal(tool, "format", NOTES)


@pytest.mark.slow
def test_the_example_runs_against_the_api(api: MessagesApi, tmp_path: Path) -> None:
    create = {"command": "create", "path": "/memories/user/drinks.md", "file_text": "Likes coffee."}
    api.answers.extend([tool_use("memory", **create), "I will remember that."])

    argv = [sys.executable, str(PROJECT / "examples/memory_tool.py"), str(tmp_path), "I like coffee."]
    done = subprocess.run(argv, capture_output=True, text=True, env=dict(os.environ), timeout=60, check=False)

    assert (done.returncode, done.stdout) == (0, "I will remember that.\n"), done.stderr
    assert api.requests[0].body["tools"] == [{"type": "memory_20250818", "name": "memory"}]
    (result,) = api.requests[1].body["messages"][-1]["content"]
    assert result["content"] == "File created successfully at: /memories/user/drinks.md"
    with Repository.open(tmp_path) as repository:
        assert repository.content("user:drinks") == "Likes coffee."
