"""Vectors are never waited for: a question computes some, the newest first, and stand-ins serve for the others."""

from collections.abc import Iterator

import pytest
from index.indexing import How, MemoryStore, Stub, find, holdings, memory, memory_store, name

from memoir.embedders.static import StaticEmbedder
from memoir.index.filters import Filter
from memoir.index.request import Limits
from memoir.index.stand_ins import on_scale
from memoir.index.view import View

CONTENTS = {name(day): [memory(f"memory {day:02}", f"2026-01-{day:02}T00:00:00Z")] for day in range(1, 13)}
VECTORS_ONLY: How = {"pool": 1000, "weights": {"bm25": 0.0}}


SMALL = Limits(smallest_batch=2, largest_batch=2, batches=2, embed_seconds=0.0, embed_all_seconds=-1.0)


@pytest.fixture
def memories() -> Iterator[MemoryStore]:
    """A store of which a question embeds two batches of two contents, and has no time for more."""
    with memory_store(SMALL) as store:
        yield store


def count(view: View, table: str) -> int:
    number: int = view.database.execute(f"SELECT count(*) FROM {table}").get
    return number


def test_every_question_embeds_some_and_says_how_many_have_no_vector(memories: MemoryStore) -> None:
    stub = Stub("minilm-1")
    index, snapshot = memories.index(stub), memories.snapshot(CONTENTS)
    notes = []
    for _ in range(4):
        index.begin()
        index.read(snapshot, View.total)
        notes.append(index.degraded)

    text = "{} of 12 memories have no minilm vector yet; 'memoir index' completes it"
    assert notes == [[text.format(8)], [text.format(4)], [], []]
    assert stub.texts == [f"memory {day:02}" for day in range(12, 0, -1)]  # the newest first
    assert not index.degraded


def test_neighbours_that_were_learnt_at_once_are_embedded_together(memories: MemoryStore) -> None:
    """A vector waits for its neighbours' contents, so those of an import in any order would wait for nearly all."""
    stub, talk = Stub(), {f"talk.t{number:02}": [memory(f"turn {number:02}")] for number in range(1, 13)}
    index = memories.index(stub)
    embedded = index.read(memories.snapshot(talk), lambda view: count(view, "embedding"))

    assert stub.texts == ["turn 12", "turn 11", "turn 10", "turn 09"]
    assert embedded == 2  # the others lack a neighbour's content


def test_the_reads_of_one_question_share_its_batches(memories: MemoryStore) -> None:
    stub, snapshot = Stub(), memories.snapshot(CONTENTS)
    index = memories.index(stub)
    for _ in range(3):
        index.read(snapshot, View.total)

    assert len(stub.texts) == 4 and index.is_complete and index.degraded


@pytest.mark.parametrize("limits", [SMALL._replace(embed_all_seconds=60.0), SMALL._replace(embed_seconds=60.0)])
def test_a_question_embeds_everything_that_its_time_suffices_for(memories: MemoryStore, limits: Limits) -> None:
    memories.limits = limits
    stub, snapshot = Stub(), memories.snapshot(CONTENTS)
    index = memories.index(stub)
    index.read(snapshot, View.total)

    assert len(stub.texts) == 12 and not index.degraded


def test_a_question_that_waits_embeds_everything(memories: MemoryStore) -> None:
    index, snapshot = memories.index(Stub()), memories.snapshot(CONTENTS)
    index.begin(wait=True)
    tables = holdings(index, snapshot)

    assert (index.degraded, len(tables["embedding"]), tables["pending"]) == ([], 12, 0)
    assert index.read(snapshot, lambda view: count(view, "stand_in")) == 0


def test_what_has_no_vector_yet_is_found_by_a_stand_in(memories: MemoryStore) -> None:
    contents = {**CONTENTS, "old": [memory("the dog barks at night", "2020-01-01T00:00:00Z")]}
    index, snapshot = memories.index(Stub()), memories.snapshot(contents)

    assert find(index, snapshot, "a puppy", VECTORS_ONLY)[0] == "default:old"
    assert "9 of 13" in index.degraded[0]
    assert index.read(snapshot, lambda view: (count(view, "stand_in"), count(view, "embedding"))) == (13, 4)


def test_as_long_as_most_wait_the_learned_vectors_only_tell_the_order_of_theirs(memories: MemoryStore) -> None:
    words = [
        "a dog",
        "the moon",
        "puppies play",
        "yuppy pup",
        "a canine",
        "green tea",
        "pup up",
        "cats",
        "house",
        "sea",
    ]
    contents = {name(day): [memory(text, f"2026-01-{day:02}T00:00:00Z")] for day, text in enumerate(words, 1)}
    snapshot, stub = memories.snapshot(contents), Stub()

    def cosines(view: View) -> tuple[dict[str, float], set[str]]:
        vector, ids = view.vector("a puppy"), view.select(Filter()).ids()
        texts = {each.id: each.content for each in view.documents(ids)}
        learned = {texts[each] for (each,) in view.database.execute("SELECT document FROM embedding")}
        assert vector
        return {texts[each]: cosine for each, cosine in view.cosines(vector, ids).items()}, learned

    mixed, learned = memories.index(stub).read(snapshot, cosines)
    with memory_store() as others:
        quick, _ = others.index(StaticEmbedder()).read(others.snapshot(contents), cosines)

    assert learned == {"pup up", "cats", "house", "sea"}
    for text in quick.keys() - learned:
        assert mixed[text] == pytest.approx(quick[text], abs=1e-6)
    assert sorted(mixed[text] for text in learned) == pytest.approx(sorted(quick[text] for text in learned), abs=1e-6)
    assert max(learned, key=lambda text: mixed[text]) == "pup up"


def test_where_few_wait_the_learned_embedder_leads(memories: MemoryStore) -> None:
    with_others = memories.index(Stub())
    with_others.begin(wait=True)
    with_others.read(memories.snapshot(CONTENTS), View.total)
    memories.limits = SMALL._replace(batches=0)
    index, leaders = memories.index(Stub()), []
    for new in ("x", "xyz"):
        contents = {**CONTENTS, **{each: [memory(each)] for each in new}}
        vector = index.read(memories.snapshot(contents), lambda view: view.vector("x"))
        leaders.append(vector and vector.leader.name)

    assert leaders == ["stub", StaticEmbedder().name]


def test_the_vectors_of_an_index_of_static_become_stand_ins(
    memories: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot, before = memories.snapshot(CONTENTS), memories.index(StaticEmbedder())
    rows = dict(holdings(before, snapshot))["embedding"]
    before.close()
    monkeypatch.setattr(StaticEmbedder, "embed", None)  # so that none can be computed again

    index = memories.index(Stub())
    stand_ins = index.read(snapshot, lambda view: view.database.execute("SELECT value FROM stand_in").fetchall())

    assert len(stand_ins) == 12 and {value for (value,) in stand_ins} <= {row[-1] for row in rows}


def test_stand_ins_leave_nothing_behind(memories: MemoryStore) -> None:
    """An index that was filled bit by bit, through changes, equals one that was filled at once."""
    talk = {f"talk.t{number}": [memory(f"turn {number}", f"2026-01-{number:02}T00:00:00Z")] for number in range(1, 13)}
    later = {**talk, "talk.t7": [memory("said anew")]}
    del later["talk.t3"]
    index = memories.index(Stub())
    for contents in (talk, talk, later, later, later, later, later):
        index.begin()
        index.read(memories.snapshot(contents), View.total)
    with memory_store(SMALL) as fresh:
        once = fresh.index(Stub())
        once.begin(wait=True)

        assert holdings(index, memories.snapshot(later)) == holdings(once, fresh.snapshot(later))
    assert index.degraded == [] and index.read(memories.snapshot(later), lambda view: count(view, "stand_in")) == 0


def test_a_scaled_cosine_keeps_the_floor_and_one() -> None:
    assert [on_scale(cosine, 0.4, 0.2) for cosine in (0.4, 1.0)] == pytest.approx([0.2, 1.0])
