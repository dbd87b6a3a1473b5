"""What people see: plain text in pipes, colours and a pager on a terminal, errors with hints."""

import os
import re

import pytest
from support import COMMAND, Memoir, on_terminal

ESCAPE = "\x1b["


@pytest.fixture(autouse=True)
def _command(scripts_env: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """What is called `memoir` on a terminal."""
    monkeypatch.setenv("PATH", scripts_env["PATH"])


def shown(memoir: Memoir, *args: str, columns: str = "200", rows: str = "50", **env: str) -> str:
    """What a command writes to a terminal of some size."""
    everything = {**os.environ, **env}
    return on_terminal(["memoir", *args], memoir.folder, everything, columns=int(columns), rows=int(rows))[1]


def test_a_pipe_gets_plain_text_and_a_terminal_colours(memoir: Memoir) -> None:
    memoir.remember("a.b", "hello")

    assert ESCAPE not in memoir.ok("get", "a.b")
    assert ESCAPE in shown(memoir, "get", "a.b")


def test_the_line_ends_of_windows_are_line_ends(memoir: Memoir) -> None:
    memoir.ok("remember", "-", "-p", "a.b", stdin="one\r\ntwo\rthree\r\n")

    for text in (memoir.ok("get", "a.b"), shown(memoir, "get", "a.b")):
        assert "    one\n    two\\x0dthree\n" in text


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_colours_can_be_switched_off(memoir: Memoir, env: dict[str, str]) -> None:
    memoir.remember("a.b", "hello")

    assert ESCAPE not in shown(memoir, "get", "a.b", **env)


def test_changed_words_are_highlighted_in_a_diff(memoir: Memoir) -> None:
    memoir.remember("context.a", "use tabs here")
    memoir.remember("context.a", "use spaces here")

    assert memoir.ok("diff") == "modified context.a\n- use tabs here\n+ use spaces here\n"
    text = shown(memoir, "diff")
    assert "\x1b[1;7;31mtabs" in text
    assert "\x1b[1;7;32mspaces" in text


def test_a_run_of_words_that_are_equal_has_one_colour_and_one_escape(memoir: Memoir) -> None:
    memoir.remember("context.a", "one two three\nfour five six")
    memoir.remember("context.a", "one two three\nfour five seven")

    text = shown(memoir, "diff")

    assert "\x1b[31mone two three\x1b[0m" in text
    assert "\x1b[31mfour five \x1b[0m\x1b[1;7;31msix\x1b[0m" in text


def test_a_command_that_writes_opens_no_pager(memoir: Memoir) -> None:
    lines = "\n".join(f'{{"path": "a.b{number}", "content": "Note {number}."}}' for number in range(8))
    (memoir.folder / "lines.jsonl").write_text(lines)
    (memoir.folder / "notes").mkdir()
    for number in range(8):
        (memoir.folder / "notes" / f"{number}.md").write_text(
            f"# Note {number}\n\nWe decided to use version {number}.\n"
        )
    memoir.remember("a.one", "We run the tests.")
    memoir.remember("a.two", "We run the tests")

    def answer(*command: str) -> str:
        return shown(memoir, *command, rows="4", MEMOIR_PAGER="sed s/^/PAGED/")

    assert "PAGED" in answer("ls")
    for command in (
        "import lines.jsonl", "ingest notes", "ingest notes --dry-run", "ingest notes", "consolidate", "classify",
        "pin a.b1", "forget a.b*", "undo",
    ):  # fmt: skip
        assert "PAGED" not in answer(*command.split()), command


def test_a_terminal_gets_the_configured_pager(memoir: Memoir) -> None:
    memoir.remember("a.b", "hello")

    assert shown(memoir, "log", MEMOIR_PAGER="sed s/remember/PAGED/", PAGER="cat").count("PAGED a.b") == 1
    assert "PAGED" not in memoir.ok("log", MEMOIR_PAGER="sed s/remember/PAGED/")


def test_a_pager_that_does_not_exist_is_done_without(memoir: Memoir) -> None:
    memoir.remember("a.b", "hello")

    assert "remember a.b: hello" in shown(memoir, "log", MEMOIR_PAGER="no-such-pager")


def test_json_on_a_terminal_is_indented_and_not_coloured(memoir: Memoir) -> None:
    text = shown(memoir, "status", "--json")

    assert text.startswith('{\n  "schema_version": 1,\n')
    assert ESCAPE not in text


def test_errors_go_to_standard_error_with_a_hint(memoir: Memoir) -> None:
    done = memoir.run("show", "mian", PATH=f"{COMMAND.parent}{os.pathsep}{os.environ['PATH']}")

    assert (done.status, done.out) == (4, "")
    assert done.err == "memoir: no revision named 'mian'\nhint: 'memoir branch' and 'memoir log' list what there is\n"


@pytest.mark.parametrize(
    ("args", "nearest"),
    [
        (("sumarize",), "summarize"),
        (("swich", "x"), "switch"),
        (("checkout", "mian"), "main"),
        (("blame", "coding.testin"), "coding.testing"),
    ],
)
def test_a_mistyped_name_gets_a_suggestion(memoir: Memoir, args: tuple[str, ...], nearest: str) -> None:
    memoir.remember("coding.testing", "hello")

    assert f"did you mean '{nearest}'?" in memoir.run(*args).err


def test_a_tree_is_drawn_with_a_branch_for_each_segment(memoir: Memoir) -> None:
    for path in ("a.b.c", "a.b.d", "e"):
        memoir.remember(path, "x")

    assert memoir.ok("ls", "--tree") == (
        "default\n├── a\n│   └── b\n│       ├── c\n│       └── d\n└── e\n"
    )  # fmt: skip


@pytest.mark.parametrize("command", ["get", "blame", "log", "show"])
def test_control_characters_in_memories_never_reach_the_reader(memoir: Memoir, command: str) -> None:
    hostile = "red \x1b[31m bell \x07 back \r\x08 c1 \x9b5n mark \u202e end"
    memoir.remember("a.b", hostile, "-m", hostile)

    args = (command,) if command in ("log", "show") else (command, "a.b")
    for text in (memoir.ok(*args), shown(memoir, *args, NO_COLOR="1")):
        assert not set(text) & {"\x1b", "\x07", "\x08", "\x9b", "\u202e", "\r"}
        assert "\\x1b[31m" in text


def test_text_is_wrapped_between_words_and_keeps_its_indent(memoir: Memoir) -> None:
    memoir.remember("a.b", "Run scripts/check before you push: it formats with ruff, lints, and type-checks with mypy.")

    text = shown(memoir, "get", "a.b", columns="60", NO_COLOR="1")

    assert text.splitlines()[2:] == [
        "    Run scripts/check before you push: it formats with ruff,",
        "    lints, and type-checks with mypy.",
    ]
    assert len(memoir.ok("get", "a.b").splitlines()) == 3


def test_a_row_of_a_table_goes_on_in_its_column(memoir: Memoir) -> None:
    rows = shown(memoir, "setup", "--list", columns="50", NO_COLOR="1").splitlines()

    assert rows[-2:] == ["agents    rules       AGENTS.md, for every other", f"{' ' * 22}host"]


def test_a_word_longer_than_the_terminal_stays_whole(memoir: Memoir) -> None:
    url = "https://example.org/" + "x" * 70
    memoir.remember("a.b", f"It is described in some words at {url} for everybody.")

    assert url in shown(memoir, "get", "a.b", columns="40")


def test_a_diff_shows_local_dates_and_changed_fields(memoir: Memoir) -> None:
    zone = {"TZ": "Asia/Tokyo"}
    write = ("remember", "-p", "people.bob")
    memoir.ok(*write, "Bob is in Busan", MEMOIR_NOW="2026-01-01T20:00:00.123456Z")
    memoir.ok(*write, "Bob is in Busan", MEMOIR_NOW="2026-01-03T20:00:00Z")
    memoir.ok(*write, "Bob is in Seoul", "--confidence", "0.4", MEMOIR_NOW="2026-01-04T20:00:00Z")

    blame = memoir.ok("blame", "people.bob", **zone)

    assert blame.count("2026-01-05 05:00") == 1
    assert "      “Bob is in Seoul” stored as superseded (confidence 0.4)\n" in blame
    assert "      last_confirmed 2026-01-04 05:00\n" in blame
    assert "\n  “Bob is in Seoul” stored as superseded (confidence 0.4)\n" in memoir.ok("diff")
    assert "Date:   2026-01-05 05:00\n" in memoir.ok("log", "-l", "1", **zone)
    assert "2026-01-02 05:00  people.bob" in memoir.ok("timeline", **zone)
    assert [entry["fields"] for entry in memoir.json("blame", "people.bob")["entries"]] == [
        ["superseded"], ["metadata"], []
    ]  # fmt: skip


def test_remember_says_the_outcome_in_a_word(memoir: Memoir) -> None:
    for path, options, word in (
        ("people.bob", (), "replaced"), ("people.bob", ("--confidence", "0.4"), "kept"), ("debugging.ci", (), "added")
    ):  # fmt: skip
        memoir.remember(path, f"first of {word}")
        assert f"({word})" in memoir.ok("remember", f"second of {word}", "-p", path, *options)


def test_gc_tells_the_store_from_the_index_in_units(memoir: Memoir) -> None:
    memoir.remember("a.b", "hello")
    memoir.ok("recall", "hello")

    first, second = memoir.ok("gc").splitlines()
    assert first.startswith("store: ") and first.endswith("kB after") and second.startswith("index: ")


def test_grep_marks_what_matches_on_a_terminal(memoir: Memoir) -> None:
    memoir.remember("a.b", "Use pytest, not unittest")

    assert shown(memoir, "grep", "[a-z]+test").count("\x1b[1;31m") == 2
    assert "\x1b[1;31mpytest\x1b[0m, not \x1b[1;31munittest" in shown(memoir, "grep", "[a-z]+test")
    assert memoir.ok("grep", "-F", "test") == "a.b 2026-01-02: Use pytest, not unittest\n"
    assert memoir.ok("grep", "x*") == "a.b 2026-01-02: Use pytest, not unittest\n"


@pytest.mark.parametrize(("command", "what"), [("fsck", "checking"), ("gc", "packing")])
def test_long_work_draws_a_bar_on_a_terminal_alone(command: str, what: str, memoir: Memoir) -> None:
    memoir.remember("a.b", "hello")

    assert what in shown(memoir, command)
    assert what not in shown(memoir, command, "-q")
    assert memoir.run(command).err == ""


@pytest.mark.parametrize("columns", ["60", "80"])
def test_no_row_ends_inside_of_a_command(memoir: Memoir, columns: str) -> None:
    """What is copied from a terminal runs, however narrow that is."""
    key = "settings.environment.timeout"
    memoir.remember(key, "db timeout is 5s, dont raise it")
    added = shown(memoir, "remember", "db timeout is 10s now", columns=columns, NO_COLOR="1")

    offer = re.search(r";\s+\S*(memoir replace \S+)\s+makes", added)
    assert offer and offer[1].split()[-1].startswith(key)
    fixes = shown(memoir, "doctor", columns=columns, NO_COLOR="1")
    assert re.search(rf"^        \S*memoir replace {key}#\w+ {key}#\w+$", fixes, re.MULTILINE)


def test_the_command_that_files_a_memory_of_the_inbox_is_on_one_row(memoir: Memoir) -> None:
    text = shown(memoir, "remember", "mail retries 3x then gives up", columns="60", NO_COLOR="1")

    offers = re.findall(r"(memoir mv --append inbox\.\S+ \S+)$", text, re.MULTILINE)
    assert len(offers) == 2
    memoir.ok(*offers[0].split()[1:])
