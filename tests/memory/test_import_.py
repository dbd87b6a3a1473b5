"""Import and export: all or nothing, and the same root in the store that imports."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import commits

from memoir.errors import Conflict, InvalidInput, MemoirError
from memoir.git import pack_writer
from memoir.git.lock import writer_lock
from memoir.memory import import_
from memoir.memory.external_sort import ValueSpool
from memoir.memory.read import get
from memoir.memory.write_options import WriteOptions
from memoir.records.record import MAX_ACTIVE, Memory, projection
from memoir.repository.repository import Repository
from memoir.taxonomy.paths import address

LINES = st.lists(
    st.fixed_dictionaries(
        {"path": st.sampled_from(["a", "a.b", "c", "é.漢"]), "content": st.text(min_size=1).filter(str.strip)},
        optional={
            "namespace": st.sampled_from(["default", "user:x"]),
            "confidence": st.floats(0, 1),
            "timestamp": st.sampled_from(["2026-01-02", "2025-12-31T23:00:00+01:00"]),
            "status": st.sampled_from(["active", "superseded"]),
            "metadata": st.dictionaries(st.text(max_size=3), st.integers(0, 9) | st.text(max_size=3), max_size=2),
        },
    ),
    max_size=12,
)


def lines(*rows: dict[str, Any]) -> list[bytes]:
    return [json.dumps(row).encode() + b"\n" for row in rows]


def row(path: str, content: str, **fields: Any) -> dict[str, Any]:
    return {"path": path, "content": content, "timestamp": "2026-01-01", **fields}


def content(repository: Repository, key: str) -> str | None:
    record = repository.get(key)
    return projection(record) if record else None


@given(LINES)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_an_export_imported_into_a_new_store_gives_the_same_root(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]]
) -> None:
    folder = tmp_path_factory.mktemp("stores")
    with Repository.init(folder / "one") as one, Repository.init(folder / "two") as two:
        one.import_lines(lines(*rows))
        export = list(one.export_lines())
        two.import_lines(export)

        assert two.store.head().tree.root == one.store.head().tree.root
        assert list(two.export_lines()) == export
        assert len(export) == len(rows)


def test_lines_of_one_path_are_its_memories_in_order(repository: Repository) -> None:
    result = repository.import_lines(lines(row("a", "one"), row("b", "x"), row("a", "two")))

    assert (result.lines, result.paths) == (3, 2)
    assert content(repository, "a") == "one\ntwo"
    assert commits(repository.store) == 1


@pytest.mark.parametrize(
    ("policy", "day", "count"),
    [("replace", "2026-01-01", 1), ("replace", "2026-01-03", 0), ("append", "2026-01-01", 0)],
)
def test_newer_memories_that_older_lines_replace_are_counted(
    policy: str, day: str, count: int, repository: Repository
) -> None:
    repository.import_lines(lines(row("a", "mine", timestamp="2026-01-02"), row("b", "other")))
    imported = lines(row("a", "theirs", timestamp=day), row("c", "free"))

    planned = repository.import_lines(imported, policy=policy, options=WriteOptions(dry_run=True))

    assert planned.newer_replaced == repository.import_lines(imported, policy=policy).newer_replaced == count
    assert repository.import_lines(imported, policy=policy).newer_replaced == 0


def test_every_bad_line_is_named_and_nothing_is_imported(repository: Repository) -> None:
    data = [
        *lines(row("fine", "x")),
        b"not json\n",
        b"\n",
        b"[1]\n",
        *lines(row("a..b", "x"), {"path": "a"}, row("a", "x", extra=1), row("a", "x", confidence=7), {"content": "x"}),
        b'{"path":"a","content":"\xff"}\n',
        *lines(row("user:a.b", "x"), row("a", "x", namespace="a b"), row("a", "x", metadata=[])),
    ]

    with pytest.raises(InvalidInput) as error:
        repository.import_lines(data)

    assert [bad["line"] for bad in error.value.details["lines"]] == [2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]
    assert all(bad["message"] for bad in error.value.details["lines"])
    assert repository.store.head().commit is None


def test_bad_lines_can_be_skipped_and_are_named(repository: Repository, tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2" * 9
    good = [row("a", "one"), row("b", "two"), row("a", "three")]
    bad = [row("c", secret), row("c..d", "x"), row("c", "<private>x"), row("p\u0430th", "look-alike")]
    data = [*lines(good[0], bad[0], good[1]), b"nonsense\n", *lines(bad[1], bad[2], good[2], bad[3])]
    report = tmp_path / "report.jsonl"

    with pytest.raises(InvalidInput) as error:
        repository.import_lines(data)
    assert "--skip-bad" in (error.value.hint or "")
    result = repository.import_lines(data, report=str(report))

    assert (result.lines, result.paths) == (3, 2)
    assert [each["line"] for each in result.skipped] == [2, 4, 5, 6, 8]
    assert error.value.details["lines"] == list(result.skipped)
    assert [json.loads(line) for line in report.read_text().splitlines()] == list(result.skipped)
    assert (content(repository, "a"), content(repository, "b"), content(repository, "c")) == ("one\nthree", "two", None)
    assert secret not in report.read_text()


def linked(path: str, *targets: str, **links: Any) -> dict[str, Any]:
    return row(path, f"text of {path}", metadata={"links": {"derives_from": list(targets), **links}})


def test_a_link_to_what_neither_store_nor_import_has_makes_a_line_bad(repository: Repository) -> None:
    repository.remember(Memory.of("there"), "in.store")
    data = lines(
        linked("a", "in.store", "b"), row("b", "two"), linked("c", "no.such"), linked("d", "c"), linked("e", "e")
    )

    with pytest.raises(InvalidInput) as error:
        repository.import_lines(data)
    assert repository.get("b") is None
    result = repository.import_lines(data, skip_bad=True)

    bad = [(each["line"], each["message"]) for each in result.skipped]
    assert bad == [
        (3, "it links to default:no.such, where there is no memory"),
        (4, "it links to default:c, where there is no memory"),
    ]
    assert error.value.details["lines"] == list(result.skipped[:1])
    assert [path for path in "abcde" if repository.get(path)] == ["a", "b", "e"]


def test_links_that_were_sound_once_are_imported_as_they_were_exported(repository: Repository, tmp_path: Path) -> None:
    repository.remember(Memory.of("base"), "base")
    repository.remember(Memory.of("x"), "a.b", links=["derives_from=base"])
    repository.sources.ingest_text("# Notes\n\nWe deploy on Tuesdays.\n", name="notes")
    repository.forget("base")
    exported = [each for each in repository.export_lines() if b'"default:raw"' not in each.split(b'"content"')[0]]

    with Repository.init(tmp_path / "two") as two:
        assert two.import_lines(exported).lines == len(exported) > 1


@pytest.mark.parametrize(
    "fields",
    [
        {"derives_from": ["a..b"]}, {"causes": "no path"}, {"derives_from": ["b", 7]}, {"calls": {"b": 1}},
        {"derives_from": ["b"], "ids": {"a..b": "m1"}}, {"ids": {"b": 7}}, {"ids": ["b"]},
    ],
    ids=str,
)  # fmt: skip
def test_a_link_that_why_would_pass_over_makes_a_line_bad(repository: Repository, fields: dict[str, Any]) -> None:
    data = lines(row("a", "text", metadata={"links": fields}), row("b", "two"))

    result = repository.import_lines(data, skip_bad=True)

    assert [each["message"] for each in result.skipped] == [f"its links have a malformed {[*fields][-1]!r}"]
    assert repository.import_lines(lines(row("a", "text", metadata={"links": "https://example.org"}))).lines == 1


def test_an_import_that_skips_bad_lines_is_that_of_the_good_ones(tmp_path: Path) -> None:
    good = [row(f"p{number % 40}", f"text {number}") for number in range(1300)]
    mixed = [each for good_line in lines(*good) for each in (good_line, b"bad\n")]
    with Repository.init(tmp_path / "one") as one, Repository.init(tmp_path / "two") as two:
        one.import_lines(lines(*good))
        result = two.import_lines(mixed, skip_bad=True)

        assert (result.lines, len(result.skipped)) == (1300, 1300)
        assert two.store.head().tree.root == one.store.head().tree.root


def test_memories_that_a_path_has_no_room_for_can_be_skipped(repository: Repository) -> None:
    data = lines(row("b", "x"), *(row("a", str(number)) for number in range(MAX_ACTIVE + 2)))

    result = repository.import_lines(data, skip_bad=True)

    assert [each["line"] for each in result.skipped] == [1002, 1003]
    assert (result.lines, result.paths) == (1001, 2)
    assert len(repository.get("a") or ()) == MAX_ACTIVE


def test_if_every_line_is_bad_all_are_skipped_and_named(repository: Repository, tmp_path: Path) -> None:
    report = tmp_path / "bad.jsonl"
    result = repository.import_lines([b"nonsense", b"{}"], report=str(report))

    assert (result.commit, result.lines, [each["line"] for each in result.skipped]) == (None, 0, [1, 2])
    assert len(report.read_text().splitlines()) == 2 and repository.store.head().commit is None
    with pytest.raises(MemoirError, match="there is no folder"):
        repository.import_lines([b"x\n", *lines(row("a", "x"))], report=str(tmp_path / "no/report"))


def test_a_byte_order_mark_is_ignored(repository: Repository) -> None:
    repository.import_lines([b"\xef\xbb\xbf" + lines(row("a", "x"))[0]])

    assert content(repository, "a") == "x"


@pytest.mark.parametrize(
    ("policy", "expected"),
    [("replace", "new"), ("append", "old\nnew"), ("confidence_gated", "old")],
)
def test_the_policy_decides_on_an_occupied_path(repository: Repository, policy: str, expected: str) -> None:
    repository.import_lines(lines(row("a", "old")))

    repository.import_lines(lines(row("a", "new", confidence=0.5)), policy=policy)

    record = get(repository.store.head(), [address("a")])[address("a")]
    assert record
    assert content(repository, "a") == expected
    assert {facet.content for facet in record} == {"old", "new"}


def test_rejecting_leaves_the_store_as_it_was(repository: Repository) -> None:
    repository.import_lines(lines(row("a", "old")))

    with pytest.raises(Conflict, match="default:a is occupied"):
        repository.import_lines(lines(row("b", "x"), row("a", "new")), policy="reject")

    assert content(repository, "b") is None


@pytest.mark.parametrize("policy", ["replace", "append", "confidence_gated", "reject"])
def test_importing_the_same_lines_again_changes_nothing(repository: Repository, policy: str) -> None:
    data = lines(row("a", "one"), row("a", "two"), row("b", "three", metadata={"k": 1}))
    repository.import_lines(data)

    assert repository.import_lines(data, policy=policy).commit is None


@pytest.mark.parametrize("policy", ["replace", "append", "confidence_gated", "reject"])
def test_lines_without_a_time_come_in_once(
    repository: Repository, policy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = lines({"path": "a", "content": "one"}, {"path": "a", "content": "two"}, {"path": "b", "content": "three"})
    monkeypatch.setenv("MEMOIR_NOW", "2026-01-02T00:00:00Z")
    first = repository.import_lines(data)
    monkeypatch.setenv("MEMOIR_NOW", "2026-01-03T00:00:00Z")

    assert first.commit and repository.import_lines(data, policy=policy).commit is None
    repository.import_lines(lines({"path": "b", "content": "four"}))
    assert [(each.content, each.timestamp[:10]) for each in repository.get("b") or ()] == [
        ("three", "2026-01-02"),
        ("four", "2026-01-03"),
    ]


def test_more_memories_than_a_path_holds_are_refused_not_dropped(repository: Repository) -> None:
    with pytest.raises(InvalidInput) as error:
        repository.import_lines(lines(*(row("a", str(number)) for number in range(MAX_ACTIVE + 1))))

    assert error.value.details["lines"] == [{"line": 1001, "message": "a path holds 1000 active memories at most"}]


def test_an_import_does_not_keep_contents_in_memory(repository: Repository, tmp_path: Path) -> None:
    """Thirty memories of a mebibyte each must not be held at once."""
    import tracemalloc

    file = tmp_path / "big.jsonl"
    with file.open("wb") as out:
        for number in range(30):
            out.writelines(lines(row(f"k{number}", f"{number} " + "x" * (1 << 20))))
    tracemalloc.start()
    with file.open("rb") as data:
        repository.import_lines(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < 20 << 20


def test_others_write_while_an_imports_large_values_are_compressed(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """New ones, and those that are joined with what is at their paths."""
    repository.remember(Memory.of("old"), "a.joined")
    monkeypatch.setattr(import_, "LARGE", 1000)
    monkeypatch.setattr(pack_writer, "LARGE", 1000)
    sizes, git_dir = list[int](), repository.store.git_dir
    compress = pack_writer._deflate

    def compress_unlocked(data: bytes) -> bytes:
        if len(data) > 1000:
            sizes.append(len(data))
            with writer_lock(git_dir):
                return compress(data)
        return compress(data)

    monkeypatch.setattr(pack_writer, "_deflate", compress_unlocked)
    monkeypatch.setenv("MEMOIR_LOCK_TIMEOUT", "0")
    lengths = {b"a.joined": 2000, b"a.large": 2000, b"a.small": 20}
    lines = [b'{"path":"%s","content":"%s"}' % (path, b"x" * length) for path, length in lengths.items()]
    repository.import_lines(lines, policy="append")

    assert len(sizes) == 2
    assert [len(memory.content) for memory in repository.get("a.joined") or ()] == [3, 2000]


def test_memories_of_an_import_hold_until_their_own_date_or_that_of_the_import(repository: Repository) -> None:
    lines = [b'{"path":"a","content":"x"}', b'{"path":"b","content":"y","metadata":{"expires":"2030-01-01T00:00:00Z"}}']
    repository.import_lines(lines, expires="2027-02-01")

    assert [dates(repository, path) for path in "ab"] == [["2027-02-01T00:00:00Z"], ["2030-01-01T00:00:00Z"]]


def test_an_import_of_the_same_with_another_date_moves_the_date(repository: Repository) -> None:
    line = b'{"path":"a","content":"x","timestamp":"2026-01-01T00:00:00Z"}'
    repository.import_lines([line], expires="2027-02-01")
    repository.import_lines([line], expires="2027-03-01")

    assert dates(repository, "a") == ["2027-03-01T00:00:00Z"]
    with pytest.raises(InvalidInput, match="not a date or a span"):
        repository.import_lines([line], expires="soon")


def dates(repository: Repository, key: str) -> list[str]:
    """Until when the memories at a key hold, superseded ones included."""
    return [memory.metadata["expires"] for memory in repository.get(key) or ()]


@pytest.mark.parametrize("run", [1, 7, 1000])
def test_values_are_read_by_key_in_input_order(run: int) -> None:
    chance = random.Random(run)
    keys = [f"ключ={chance.randrange(40)}".encode() for _ in range(300)]
    with ValueSpool(run) as spool:
        for number, key in enumerate(keys):
            spool.add(key, b"text\n\t%d" % number, number)
        for _ in range(2):
            groups = [(key, [(spool.read(place), place.line) for place in places]) for key, places in spool.groups()]

            assert groups == [
                (key, [(b"text\n\t%d" % number, number) for number, each in enumerate(keys) if each == key])
                for key in sorted(set(keys))
            ]
