"""Layers: marked namespaces that only memoir writes, and that surveys and recall keep apart."""

import pytest
from orjson import dumps

from memoir.errors import Conflict, InvalidInput, MemoirError
from memoir.memory import layer_namespaces, soundness, write
from memoir.memory.export import export_lines
from memoir.memory.import_ import import_lines
from memoir.memory.move import move
from memoir.memory.survey import summarize
from memoir.memory.write_many import remember_many
from memoir.memory.write_options import WriteOptions
from memoir.records.record import Memory, encode
from memoir.repository.repository import Repository
from memoir.store.store import Store
from memoir.store.transaction import Change
from memoir.store.transaction import write as commit
from memoir.taxonomy.paths import address, memory_address

NAMES = ["default", "user:alice", "a_b", "a:b@c", "_", "a_3a_b", "größe"]


def make(
    store: Store, namespace: str = "default", kind: str = layer_namespaces.RAW, content: str = "Zebras graze."
) -> None:
    """Write one memory into a layer, as memoir does."""
    place = address("sources.talk.0001", layer_namespaces.layer_of(kind, namespace))

    def change(head: object) -> Change:
        edits = {**layer_namespaces.mark(store.head(), kind, namespace), place.key: encode([Memory.of(content)])}
        return Change(edits.items(), "ingest")

    commit(store, change, reason="ingest")


def test_a_mark_names_its_layer_whatever_the_namespace(store: Store) -> None:
    for name in NAMES:
        make(store, name)
        make(store, name, layer_namespaces.INSIGHTS)

    assert layer_namespaces.layers(store.head()) == {
        f"{name}:{kind}" for name in NAMES for kind in layer_namespaces.KINDS
    }


def test_only_a_marked_namespace_is_a_layer(store: Store) -> None:
    write.remember(store, Memory.of("mine"), [address("a.b", "user:raw")])
    make(store)

    for key in ("default:raw:a.b", "default:raw:sources.talk.0001", "memoir:layers:raw.user"):
        with pytest.raises(InvalidInput):
            write.remember(store, Memory.of("x"), [address(key)])
        with pytest.raises(InvalidInput):
            remember_many(store, [("x", "a.free"), ("x", key)], "default", "agent")
    write.remember(store, Memory.of("x"), [address("c.d", "user:raw"), address("c.d", "default:insights")])


def test_a_namespace_with_memories_becomes_no_layer_and_a_layer_has_none(store: Store) -> None:
    write.remember(store, Memory.of("mine"), [address("a.b", "user:raw")])
    make(store)

    with pytest.raises(Conflict, match="user:raw would be a layer"):
        make(store, "user")
    with pytest.raises(InvalidInput):
        make(store, "default:raw")


def test_a_layer_is_not_moved_or_edited(store: Store) -> None:
    make(store)
    write.remember(store, Memory.of("mine"), [address("a.b")])
    segment = memory_address("default:raw:sources.talk.0001")

    for old, new in ((segment, address("c.d")), (memory_address("a.b"), address("default:raw:a.b"))):
        with pytest.raises(InvalidInput):
            move(store, old, new)
    with pytest.raises(InvalidInput):
        write.edit(store, segment, lambda record: [Memory.of("other")])
    assert write.forget(store, [segment], WriteOptions())


def test_a_survey_counts_a_layer_apart_unless_it_is_asked_for(store: Store) -> None:
    make(store)
    write.remember(store, Memory.of("mine"), [address("a.b")])

    survey, layer = summarize(store.head(), depth=1, globs=["*"]), summarize(store.head(), ["default:raw"], depth=1)

    assert (survey.total, survey.namespaces) == (1, {"default": 1, "default:raw": 1})
    assert (survey.prefixes, survey.matches) == ({"default": {"a": 1}}, {"default": ["a.b"]})
    assert (layer.total, layer.prefixes) == (1, {"default:raw": {"sources": 1}})


def test_recall_finds_what_was_said_unless_it_is_left_out(store: Store) -> None:
    make(store)
    write.remember(store, Memory.of("Zebras have stripes."), [address("a.b")])
    repository = Repository(store)

    both, memories, layer = (
        [memory.path for memory in repository.recall("zebras", sources=which).memories]
        for which in ("yes", "no", "only")
    )

    assert (memories, layer) == (["a.b"], ["sources.talk.0001"])
    assert sorted(both) == [*memories, *layer]
    assert [memory.path for memory in repository.recall("zebras", namespace="default:raw").memories] == layer
    assert {match.address.namespace for match in repository.grep("Zebras")} == {"default", "default:raw"}


BAD_MARKS = (
    "alice.user", "facts.default", "raw", "raw.user_ffffffffffff_x", "raw._d800_", "raw._1f600_", "raw.a_62_c",
    "raw.a_b", "raw.default.more", "insights._2d_x", "raw.user_3A_alice",
)  # fmt: skip
"""Paths that memoir gives no mark."""


def lay(store: Store, path: str, record: bytes) -> None:
    """Write a record where marks lie, as anybody with git can."""
    commit(store, lambda head: Change({f"memoir:layers={path}".encode(): record}.items(), "pull"), reason="pull")


@pytest.mark.parametrize("path", BAD_MARKS)
def test_what_memoir_would_not_write_marks_nothing(store: Store, path: str) -> None:
    write.remember(store, Memory.of("Zebras graze."), [address("a.b", "user:alice")])
    lay(store, path, encode([Memory("x is a layer of y", 1.0, "1970-01-01T00:00:00Z")]))
    repository = Repository(store)

    assert layer_namespaces.layers(store.head()) == frozenset()
    assert [each.path for each in repository.recall("zebras").memories] == ["a.b"]
    assert repository.summarize().total == 1 and repository.status() and repository.agents.prime()
    (problem,) = repository.upkeep.fsck().report.problems
    assert path in problem and "names no layer" in problem
    assert soundness.fault(f"memoir:layers={path}".encode(), None)
    write.forget(store, [memory_address(f"memoir:layers:{path}")])
    assert not store.head().tree.get([f"memoir:layers={path}".encode()])


@pytest.mark.parametrize("kind", layer_namespaces.KINDS)
def test_a_mark_with_other_bytes_marks_nothing(store: Store, kind: str) -> None:
    write.remember(store, Memory.of("mine"), [address("a.b", f"user:{kind}")])
    for content, time in ((f"user:{kind} is a layer of user", "2026-01-01T00:00:00Z"), ("x", "1970-01-01T00:00:00Z")):
        lay(store, f"{kind}.user", encode([Memory(content, 1.0, time)]))

        assert layer_namespaces.layers(store.head()) == frozenset()
        assert all("not how memoir marks" in each for each in Repository(store).upkeep.fsck().report.problems)
        assert Repository(store).upkeep.fsck().report.problems


def test_an_import_takes_memoirs_own_marks_and_no_other(store: Store) -> None:
    mark = {"namespace": "memoir:layers", "content": "user:raw is a layer of user", "timestamp": "1970-01-01T00:00:00Z"}

    def take(path: str, **fields: str) -> None:
        import_lines(store, [dumps({**mark, "path": path, **fields})], allow_look_alikes=True)

    for path in BAD_MARKS:
        with pytest.raises(InvalidInput):
            take(path)
    for fields in ({"content": "user:raw is mine"}, {"timestamp": "2026-01-01T00:00:00Z"}):
        with pytest.raises(InvalidInput):
            take("raw.user", **fields)
    assert store.head().commit is None
    write.remember(store, Memory.of("mine"), [address("a.b", "user:raw")])
    with pytest.raises(InvalidInput) as refusal:
        take("raw.user")
    assert "holds 1 memory" in str(refusal.value.details["lines"])

    write.forget(store, [memory_address("user:raw:a.b")])
    take("raw.user")
    take("raw.user")

    assert layer_namespaces.layers(store.head()) == {"user:raw"} and not Repository(store).upkeep.fsck().report.problems
    with pytest.raises(InvalidInput):
        write.forget(store, [memory_address("memoir:layers:raw.user")])


def test_a_pull_of_a_mark_that_memoir_would_not_write_is_refused(
    store: Store, tmp_path_factory: pytest.TempPathFactory
) -> None:
    write.remember(store, Memory.of("mine"), [address("a.b", "user:alice")])
    with Repository.clone(str(store.git_dir), tmp_path_factory.mktemp("copy")) as copy:
        lay(store, "alice.user", encode([Memory("x", 1.0, "1970-01-01T00:00:00Z")]))

        with pytest.raises(MemoirError, match="names no layer"):
            copy.remotes.pull()
        assert copy.get("user:alice:a.b")


def test_an_export_takes_layers_along(store: Store, tmp_path_factory: pytest.TempPathFactory) -> None:
    make(store)

    with Repository.init(tmp_path_factory.mktemp("copy")) as copy:
        import_lines(copy.store, export_lines(store.head()))

        assert layer_namespaces.layers(copy.store.head()) == {"default:raw"}
        assert copy.store.head().stored_root == store.head().stored_root
