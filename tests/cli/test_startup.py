"""Start-up is the product: what a command does not need, it does not import."""

import re
import subprocess
import sys
from importlib import import_module

import pytest
from support import COMMAND, Memoir

from memoir.repository.repository import Repository

HEAVY = {
    "rich",
    "pydantic",
    "anthropic",
    "prollytree",
    "apsw",
    "numpy",
    "asyncio",
    "dataclasses",
    "importlib.metadata",
    "json.decoder",
    "unittest",
    "difflib",
    "email",
    "memoir.error_fields",
}
WRITE_MODULES = {"memoir.store.transaction", "memoir.tree.edit", "memoir.memory.write", "hashlib", "tempfile"} | {
    "memoir.git.fsync", "memoir.git.lock", "memoir.git.reflog", "memoir.tree.chunking",
    "memoir.repository.repository", "memoir.repository.writes", "memoir.memory.write_options",
}  # fmt: skip
ELSEWHERE = {
    "memoir.cli.commands.recall", "memoir.memory.layer_namespaces", "memoir.records.metadata",
    "memoir.repository.idle_engines", "memoir.store.ancestry", "_sha256", "_blake2",
}  # fmt: skip
"""What reading a path or its history does not use."""


def imports_of(memoir: Memoir, *args: str) -> set[str]:
    """The modules that a command line imports."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", str(COMMAND), *args],
        capture_output=True,
        text=True,
        cwd=memoir.folder,
        check=False,
    )
    return {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}


@pytest.mark.parametrize(
    "args",
    [
        ("--help",),
        ("--version",),
        ("get", "a.b"),
        ("get", "a.b", "--json"),
        ("summarize", "--depth", "1"),
        ("blame", "a.b"),
        ("diff",),
    ],
    ids=" ".join,
)
def test_no_command_on_the_hot_path_loads_anything_heavy(memoir: Memoir, args: tuple[str, ...]) -> None:
    memoir.remember("a.b", "x")

    assert not imports_of(memoir, *args) & HEAVY


@pytest.mark.parametrize("command", ["get a.b", "ls", "grep x", "summarize --depth 1", "blame a.b", "log", "diff"])
def test_reading_does_not_load_what_writing_needs(memoir: Memoir, command: str) -> None:
    memoir.remember("a.b", "x")

    assert not imports_of(memoir, *command.split(), "--json") & WRITE_MODULES


@pytest.mark.parametrize(
    ("command", "others"),
    [
        ("get a.b", {"memoir.memory.survey", "memoir.store.commit", "memoir.repository.past"}),
        ("summarize --depth 1", {"memoir.memory.facets", "memoir.store.commit"}),
        ("blame a.b", {"memoir.memory.revisions", "memoir.answers.differences"}),
        ("diff", {"memoir.memory.versions", "memoir.store.commit", "memoir.answers.history"}),
    ],
)
def test_reading_loads_what_it_uses(memoir: Memoir, command: str, others: set[str]) -> None:
    memoir.remember("a.b", "x")

    assert not imports_of(memoir, *command.split(), "--json") & (others | ELSEWHERE)


def test_ranked_recall_loads_the_index_and_nothing_of_a_model(memoir: Memoir) -> None:
    memoir.remember("a.b", "x")
    memoir.ok("recall", "x")

    modules = imports_of(memoir, "recall", "x", "--mode", "simple", "--json")

    assert modules & HEAVY == {"apsw"}
    assert not modules & {"sqlite_vec", "memoir.llm.anthropic", "memoir.recall.pickers", "memoir.embedders.http"}
    assert not modules & {"memoir.llm.model", "memoir.recall.rerank"}
    assert not modules & {"memoir.repository.writes", "memoir.repository.past", "memoir.english.excerpts"}
    assert not modules & {"memoir.git.lock", "memoir.index.word_tables"}


@pytest.mark.parametrize(
    "module",
    [
        *("memoir.english.code_text", "memoir.english.excerpts", "memoir.english.requests", "memoir.memory.passages"),
        *("memoir.records.record", "memoir.tree.node"),
    ],
)
def test_patterns_that_few_commands_need_are_compiled_when_they_are_used(module: str) -> None:
    values = vars(import_module(module)).values()

    assert not [value for value in values if isinstance(value, re.Pattern)]


@pytest.mark.parametrize("command", [("get", "a.b"), ("grep", "bread"), ("get", "a.b", "--json")], ids=" ".join)
def test_reading_loads_what_reads_times_only_for_a_text_that_names_one(
    memoir: Memoir, command: tuple[str, ...]
) -> None:
    memoir.remember("a.b", "We bake bread")
    assert "memoir.english.dates" not in imports_of(memoir, *command)

    memoir.remember("a.b", "We baked bread last week")
    assert "memoir.english.said_dates" in imports_of(memoir, *command)


def test_a_hit_loads_what_reads_times_only_for_a_time_in_what_is_shown_of_it(memoir: Memoir) -> None:
    about_ovens = "The oven of the small bakery by the river bakes at 230 degrees, and it is made of brick and clay. "
    memoir.remember(
        "a.b", about_ovens + "Flour comes from the mill, and salt comes by boat. " * 6 + "Ada left last week."
    )

    assert "memoir.english.said_dates" not in imports_of(memoir, "recall", "how hot is the oven?")
    assert "memoir.english.said_dates" in imports_of(memoir, "recall", "when did Ada leave?")


def test_a_write_loads_only_what_writes(memoir: Memoir) -> None:
    """Nor what would follow one in a store with a remote; Click looks for what resembles `-p`, if it is let."""
    modules = imports_of(memoir, "remember", "x", "-p", "a.b")

    assert "memoir.store.transaction" in modules
    assert not modules & {"difflib", "json.decoder", "memoir.exchange.auto_sync", "memoir.repository.exchange", "shlex"}


def test_correcting_a_word_does_not_load_string(memoir: Memoir) -> None:
    memoir.remember("a.b", "The kitchen is warm")
    memoir.ok("recall", "kitchen")

    modules = imports_of(memoir, "recall", "kitchn")

    assert "memoir.index.view" in modules
    assert "string" not in modules


def test_recall_over_a_chat_loads_no_rules_for_what_people_tell_an_assistant(memoir: Memoir) -> None:
    memoir.ok("ingest", "-", stdin="user: Always use metric units.\nassistant: I will.\n")
    memoir.ok("recall", "units")

    modules = imports_of(memoir, "recall", "units")

    assert "memoir.recall.standing_instructions" in modules
    assert not modules & {"memoir.english.lasting.instructions", "memoir.english.lasting.lasting_clauses"}


@pytest.mark.parametrize("path", [("-p", "a.b"), ()], ids=["a path", "filed"])
def test_remember_loads_neither_remotes_nor_models_nor_what_only_some_recalls_need(
    memoir: Memoir, path: tuple[str, ...]
) -> None:
    memoir.remember("a.b", "x")

    modules = imports_of(memoir, "remember", "We bake bread", *path)

    assert not modules & {"tempfile", "random", "memoir.exchange.remotes", "memoir.primer.standing_memories"}
    assert not modules & {
        "memoir.memory.links",
        "memoir.llm.model",
        "memoir.index.insight_state",
        "memoir.english.dates",
    }


_OF_INSPECT = {"ast"} if sys.version_info >= (3, 14) else set[str]()
"""What `inspect`, which Typer imports, uses while it loads."""


def late_imports(memoir: Memoir, *args: str) -> set[str]:
    """The deferred modules that a command line comes to load after all."""
    code = """if True:
        import sys
        from memoir.cli.deferral import FUNCTIONS, NAMES, VALUES, DeferredModule, defer
        defer()
        names = [name for name in (*NAMES, *FUNCTIONS, *VALUES) if isinstance(sys.modules[name], DeferredModule)]
        from memoir.cli.main import run
        run(sys.argv[1:])
        print(*(name for name in names if not isinstance(sys.modules[name], DeferredModule)), file=sys.stderr)
    """
    done = subprocess.run(
        [sys.executable, "-c", code, *args], capture_output=True, text=True, cwd=memoir.folder, check=True
    )
    return set(done.stderr.split()) - {"signal", *_OF_INSPECT}  # the first if git has not ended when memoir does


def test_modules_that_only_imports_of_typer_name_are_never_loaded(memoir: Memoir) -> None:
    memoir.remember("a.b", "x")

    assert late_imports(memoir, "get", "a.b", "--json") == set()


def test_a_deferred_module_is_the_real_one_as_soon_as_it_is_used(memoir: Memoir) -> None:
    """Writing compresses with zlib, and exchanges bytes with git in both directions at once."""
    assert late_imports(memoir, "remember", "x", "--path", "a.b") == {"selectors", "zlib"}


def test_completion_offers_commands_with_their_help_and_loads_no_rich(
    memoir: Memoir, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("_MEMOIR_COMPLETE", "complete_zsh")
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "memoir unp")

    done = subprocess.run([sys.executable, str(COMMAND)], capture_output=True, text=True, cwd=memoir.folder, check=True)

    assert '"unpin":"Unpin memories."' in done.stdout
    assert not {name for name in imports_of(memoir) if name.startswith("rich.")}


def test_help_imports_no_command(memoir: Memoir) -> None:
    assert not {name for name in imports_of(memoir, "--help") if name.startswith("memoir.cli.commands.")}


def test_the_packages_that_answer_are_found_without_loading_them() -> None:
    code = "import sys, memoir; assert not {'memoir.store', 'memoir.memory'} & set(sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_recall_and_captures_load_no_openssl(memoir: Memoir) -> None:
    """The index's name comes from a hash that Python has of its own; `hashlib` would cost more than many a search."""
    memoir.remember("a.b", "an apple")
    memoir.ok("recall", "apple")

    assert not {"hashlib", "_hashlib"} & imports_of(memoir, "recall", "apple")
    assert not {"hashlib", "_hashlib"} & imports_of(memoir, "capture")


def test_blame_and_log_open_no_table_for_a_short_history(memoir: Memoir) -> None:
    memoir.remember("a.b", "an apple")

    for command in (("blame", "a.b"), ("log", "-n", "default"), ("log", "a.b")):
        assert not {"apsw", "memoir.index.commits"} & imports_of(memoir, *command)


def test_a_history_of_eighty_commits_loads_no_table_of_them(memoir: Memoir) -> None:
    with Repository.open(memoir.folder) as repository:
        for number in range(80):
            repository.remember(f"Fact {number}.", "a.b" if number < 2 else "a.other", policy="replace")

    assert len(memoir.json("blame", "a.b")["entries"]) == 2
    assert not imports_of(memoir, "blame", "a.b", "--json") & {"apsw", "memoir.index.database"}


def test_a_list_of_sources_loads_no_index(memoir: Memoir) -> None:
    memoir.remember("a.b", "x")

    assert not imports_of(memoir, "sources", "--json") & {
        "apsw",
        "memoir.index.index",
        "memoir.recall.answer",
        "memoir.sources.cutting",
    }
