"""A program that uses the library is refused what the command line is refused."""

import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from support import built_once

from memoir import MemoirError, Memory, Repository, WriteOptions
from memoir.errors import Conflict, InvalidInput, NotFound
from memoir.git.objects import Oid
from memoir.records.policy import LLM_MERGE
from memoir.store.ancestry import count_commits

SECRET = "The key is AKIAIOSFODNN7QRSTUVW."
DRY = WriteOptions(dry_run=True)
Act = Callable[[Repository], object]


@built_once
def full_store(repository: Repository) -> None:
    """Two memories in one commit each, and a branch."""
    repository.remember(Memory.of("Use pytest"), "preferences.testing")
    repository.remember(Memory.of("Use vim"), "preferences.editor")
    repository.store.refs.create("branch", "side", repository.store.commit("HEAD").id)


def tip(repository: Repository) -> tuple[Oid, int]:
    """The newest commit, and how many there are."""
    newest = repository.store.commit("HEAD").id
    return newest, count_commits(repository.store, newest)


@pytest.mark.parametrize(
    "act",
    [
        lambda r: r.remember(Memory.of(SECRET), "a"),
        lambda r: r.remember(Memory.of(SECRET)),
        lambda r: r.remember(Memory.of("x", metadata={"source": SECRET}), "a"),
        lambda r: r.remember(Memory.of("x"), "a.AKIAIOSFODNN7QRSTUVW"),
        lambda r: r.remember(Memory.of(SECRET), "a", policy=LLM_MERGE),
        lambda r: r.edit("preferences.editor", lambda record: [Memory.of(SECRET)]),
        lambda r: r.import_lines([b'{"path": "a", "content": "%s"}' % SECRET.encode()]),
        lambda r: r.import_lines([b'{"path": "a", "content": "x"}'], namespace="AKIAIOSFODNN7QRSTUVW"),
        lambda r: r.move("preferences.editor", "a.AKIAIOSFODNN7QRSTUVW"),
        lambda r: r.taxonomy.add("cooking", SECRET),
        lambda r: r.taxonomy.add("cooking", "x", examples=[SECRET]),
        lambda r: r.taxonomy.load(b'[cooking]\nabout = "x"\ncues = "%s"' % SECRET.encode()),
    ],
    ids=[
        "remember", "filed", "metadata", "path", "merged by a model", "edit", "import", "import's namespace", "mv",
        "category", "category's example", "catalogue",
    ],
)  # fmt: skip
def test_a_credential_is_refused(full_store: Repository, act: Act) -> None:
    before = tip(full_store)

    with pytest.raises(InvalidInput) as refusal:
        act(full_store)
    assert "looks like a credential" in f"{refusal.value} {refusal.value.details}"
    assert tip(full_store) == before


@pytest.mark.parametrize(
    "act",
    [
        lambda r, options: r.remember(Memory.of("x"), "a", options=options),
        lambda r, options: r.edit("preferences.editor", lambda record: [], options=options),
        lambda r, options: r.forget("preferences.editor", options=options),
        lambda r, options: r.move("preferences.editor", "a", options=options),
        lambda r, options: r.replace("preferences.editor", "preferences.testing", options=options),
        lambda r, options: r.restore("preferences.testing", at="HEAD~1", options=options),
        lambda r, options: r.revert("HEAD", options),
        lambda r, options: r.merge("side", options=options),
        lambda r, options: r.import_lines([b'{"path": "a", "content": "x"}'], options=options),
        lambda r, options: r.classify(options=options),
        lambda r, options: r.consolidate(options=options),
        lambda r, options: r.taxonomy.add("cooking", "x", options=options),
        lambda r, options: r.taxonomy.reset(options),
        lambda r, options: r.lexicon.add("barn = staging cluster", options),
        lambda r, options: r.lexicon.remove("barn", options),
    ],
    ids=[
        "remember", "edit", "forget", "move", "replace", "restore", "revert", "merge", "import", "classify",
        "consolidate", "category", "default categories", "words", "words removed",
    ],
)  # fmt: skip
def test_a_credential_in_the_message_is_refused(
    full_store: Repository, act: Callable[[Repository, WriteOptions], object]
) -> None:
    before = tip(full_store)

    with pytest.raises(InvalidInput, match="the message looks like a credential"):
        act(full_store, WriteOptions(SECRET))
    assert tip(full_store) == before


def test_a_credential_is_stored_where_that_is_allowed(full_store: Repository) -> None:
    options = WriteOptions(allow_secrets=True)

    full_store.remember(Memory.of(SECRET), "a", options=options)
    full_store.edit("preferences.editor", lambda record: [Memory.of(SECRET)], options=options)
    full_store.move("preferences.testing", "a.AKIAIOSFODNN7QRSTUVW", options=options)
    full_store.taxonomy.add("cooking", SECRET, options=options)

    assert full_store.content("a") == full_store.content("preferences.editor") == SECRET


def test_what_an_edit_leaves_alone_is_not_inspected_again(full_store: Repository) -> None:
    full_store.remember(Memory.of(SECRET), "a", options=WriteOptions(allow_secrets=True))

    full_store.edit("a", lambda record: [*record, Memory.of("More")])

    assert len(full_store.get("a") or ()) == 2


@pytest.mark.parametrize(
    "act",
    [
        lambda r: r.remember(Memory.of("x"), "memoir:taxonomy:a"),
        lambda r: r.remember(Memory.of("x"), namespace="memoir:taxonomy"),
        lambda r: r.move("preferences.editor", "memoir:taxonomy:editor"),
        lambda r: r.move("memoir:taxonomy:editor", "preferences.other"),
        lambda r: r.edit("memoir:taxonomy:editor", lambda record: []),
        lambda r: r.forget("memoir:taxonomy:editor"),
        lambda r: r.forget("*", namespace="memoir:taxonomy"),
        lambda r: r.restore("memoir:taxonomy:editor", at="HEAD"),
    ],
    ids=[
        "remember", "filed", "move there", "move from there", "edit", "forget", "forget by a glob", "restore",
    ],
)  # fmt: skip
def test_only_the_commands_of_the_taxonomy_write_into_its_namespace(full_store: Repository, act: Act) -> None:
    full_store.taxonomy.add("editor", "Editors and their settings.")

    with pytest.raises(InvalidInput, match="is for categories, not for memories"):
        act(full_store)


@pytest.mark.parametrize(
    "act",
    [
        lambda r: r.remember(Memory.of("barn = hall"), "memoir:lexicon:barn"),
        lambda r: r.move("preferences.editor", "memoir:lexicon:editor"),
        lambda r: r.move("memoir:lexicon:barn", "preferences.other"),
        lambda r: r.edit("memoir:lexicon:barn", lambda record: []),
        lambda r: r.restore("memoir:lexicon:barn", at="HEAD"),
    ],
    ids=["remember", "move there", "move from there", "edit", "restore"],
)
def test_only_the_commands_of_the_lexicon_write_into_its_namespace(full_store: Repository, act: Act) -> None:
    full_store.lexicon.add("barn = staging cluster")

    with pytest.raises(InvalidInput, match="is for the store's own words, not for memories"):
        act(full_store)


def test_the_default_merge_policy_is_the_setting(full_store: Repository) -> None:
    full_store.config.set("memoir.remember.mergePolicy", "reject")

    with pytest.raises(Conflict):
        full_store.remember(Memory.of("Use tox"), "preferences.testing")
    assert full_store.remember(Memory.of("Use tox"), "preferences.testing", policy="append").commit


@pytest.mark.parametrize(
    "act",
    [
        lambda r: r.remember(Memory.of("x"), "a", options=DRY),
        lambda r: r.remember(Memory.of("Use tabs"), classifier="rules", options=DRY),
        lambda r: r.edit("preferences.editor", lambda record: [], options=DRY),
        lambda r: r.forget("preferences.*", options=DRY),
        lambda r: r.move("preferences", "habits", prefix=True, options=DRY),
        lambda r: r.restore("preferences.testing", at="HEAD~1", options=DRY),
        lambda r: r.revert("HEAD", DRY),
        lambda r: r.merge("side", options=DRY),
        lambda r: r.import_lines([b'{"path": "a", "content": "x"}'], options=DRY),
        lambda r: r.classify(options=DRY),
        lambda r: r.consolidate(options=DRY),
    ],
    ids=[
        "remember", "filed", "edit", "forget", "move", "restore", "revert", "merge", "import", "classify",
        "consolidate",
    ],
)  # fmt: skip
def test_a_dry_run_changes_nothing(full_store: Repository, act: Act) -> None:
    before = tip(full_store)

    act(full_store)

    assert tip(full_store) == before


@pytest.mark.parametrize(
    ("act", "error"),
    [
        (lambda r: r.forget("preferences.nothing", options=DRY), NotFound),
        (lambda r: r.move("preferences.editor", "preferences.testing", options=DRY), Conflict),
        (lambda r: r.import_lines([b'{"path": "a"}'], options=DRY), InvalidInput),
    ],
    ids=["forget", "move", "import"],
)
def test_a_dry_run_refuses_what_the_write_would(full_store: Repository, act: Act, error: type[MemoirError]) -> None:
    with pytest.raises(error):
        act(full_store)


def test_a_branch_that_does_not_exist_is_not_begun_by_a_write(full_store: Repository) -> None:
    with pytest.raises(NotFound):
        full_store.forget("preferences.editor", options=WriteOptions(branch="sdie"))


def test_keys_and_a_namespace_that_contradict_each_other_are_refused(full_store: Repository) -> None:
    for act in (full_store.get_many, lambda keys, namespace: full_store.forget(*keys, namespace=namespace)):
        with pytest.raises(InvalidInput, match="names a namespace"):
            act(["user:a"], namespace="team")


def test_an_export_that_fails_leaves_the_file_as_it_was(full_store: Repository, tmp_path: Path) -> None:
    file = tmp_path / "memories.jsonl"
    file.write_text("kept")

    with pytest.raises(NotFound):
        full_store.export_file(str(file), namespaces=["nothing"])

    assert file.read_text() == "kept"
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["memories.jsonl"]


def test_a_branch_whose_commits_are_nowhere_else_is_not_deleted(full_store: Repository) -> None:
    full_store.remember(Memory.of("x"), "a", options=WriteOptions(branch="side"))

    with pytest.raises(Conflict, match="would be lost"):
        full_store.branches.delete("side")
    with pytest.raises(Conflict, match="checked out"):
        full_store.branches.delete("main", force=True)
    assert full_store.branches.delete("side", force=True)


def test_a_revision_is_not_checked_out(full_store: Repository) -> None:
    with pytest.raises(NotFound, match="is a revision, not a branch") as caught:
        full_store.branches.checkout("HEAD~1")
    assert "memoir checkout -b NAME REVISION" in (caught.value.hint or "")


@pytest.mark.parametrize(
    "key",
    ["a..b", "a b", "", "a.b.c.d.e.f.g.h.i", "../a", "a.\x1b[2J", "p" * 300],
    ids=["empty segment", "space", "nothing", "nine segments", "folder", "control characters", "too long"],
)
def test_a_bad_path_is_refused(full_store: Repository, key: str) -> None:
    before = tip(full_store)

    for act in (
        lambda: full_store.remember(Memory.of("x"), key),
        lambda: full_store.move("preferences.editor", key),
        lambda: full_store.import_lines([b'{"path": "%s", "content": "x"}' % key.encode()]),
    ):
        with pytest.raises(InvalidInput):
            act()
    assert tip(full_store) == before


def test_a_path_that_looks_like_another_is_refused(full_store: Repository) -> None:
    path = "preferences.\u0435ditor"  # a Cyrillic letter that is drawn as the Latin e
    line = json.dumps({"path": path, "content": "x"}).encode()

    for act in (
        lambda: full_store.remember(Memory.of("x"), path),
        lambda: full_store.move("preferences.editor", path),
        lambda: full_store.import_lines([line]),
    ):
        with pytest.raises(InvalidInput):
            act()
    assert full_store.import_lines([line], allow_look_alikes=True).commit


@pytest.mark.parametrize(
    "act",
    [
        lambda r: r.summarize(depth=0),
        lambda r: r.summarize(globs=["*"], limit=0),
        lambda r: r.timeline(limit=-1),
        lambda r: r.blame("preferences.editor", limit=0),
        lambda r: r.undo(0),
        lambda r: r.why("preferences.editor", depth=0),
        lambda r: r.why("preferences.editor", depth=101),
        lambda r: r.consolidate(threshold=0.4),
    ],
    ids=["depth", "limit", "timeline", "blame", "undo", "why", "why too deep", "consolidate"],
)
def test_a_number_out_of_its_range_is_refused(full_store: Repository, act: Act) -> None:
    with pytest.raises(InvalidInput):
        act(full_store)


@pytest.mark.parametrize(
    "act",
    [
        lambda r: r.recall(""),
        lambda r: r.recall("x", mode="double"),
        lambda r: r.recall("x", limit=0),
        lambda r: r.recall("x", threshold=2.0),
        lambda r: r.recall("x", since="someday"),
        lambda r: r.recall("x", since="2026-01-02", until="2026-01-01"),
        lambda r: r.recall("x", boost="preferences.*"),
        lambda r: r.recall("x", mode="single", trace=True),
        lambda r: r.recall("x", depth=3),
        lambda r: r.recall_lines(BytesIO(), limit=0),
        lambda r: r.explain("x", "preferences.editor", mode="single", rerank="llm"),
    ],
    ids=[
        "blank", "mode", "limit", "threshold", "date", "dates", "boost", "trace", "unknown field", "lines", "explain",
    ],
)  # fmt: skip
def test_a_bad_field_of_a_question_is_refused(full_store: Repository, act: Act) -> None:
    with pytest.raises(InvalidInput):
        act(full_store)


@pytest.mark.parametrize("name", ["", "two words", "a=b", "a/b", "..", "line\nfeed", "-x", "x" * 230])
def test_a_memory_is_not_filed_in_a_namespace_that_cannot_be(full_store: Repository, name: str) -> None:
    before = tip(full_store)

    with pytest.raises(InvalidInput, match=r"^(not a namespace|too long): "):
        full_store.remember("We use PostgreSQL 16 in production", namespace=name)

    assert tip(full_store) == before


def test_a_classifier_or_policy_that_does_not_exist_is_refused(full_store: Repository) -> None:
    with pytest.raises(InvalidInput):
        full_store.remember(Memory.of("x"), classifier="nobody")
    with pytest.raises(InvalidInput):
        full_store.remember(Memory.of("x"), "a", policy="overwrite")
    with pytest.raises(InvalidInput):
        full_store.merge("side", strategy="mine")


def test_a_revert_of_what_has_changed_again_is_refused(full_store: Repository) -> None:
    full_store.remember(Memory.of("Use tox"), "preferences.editor", policy="replace")

    with pytest.raises(Conflict, match="both sides changed 1 path"):
        full_store.revert("HEAD~1")


def test_both_sides_of_a_merge_that_contradict_each_other_are_refused(full_store: Repository) -> None:
    for content, options in (("Use emacs", WriteOptions(branch="side")), ("Use nano", WriteOptions())):
        full_store.remember(Memory.of(content), "preferences.editor", policy="replace", options=options)
    before = tip(full_store)

    with pytest.raises(Conflict) as error:
        full_store.merge("side")
    assert [row["ours"] for row in error.value.details["conflicts"]] == ["Use nano"]
    assert tip(full_store) == before
