"""The vector of a command's one query is that of the whole model, from the rows of that query or another process."""

import fcntl
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from embedders.scripts import printed

from memoir.embedders import minilm, weights
from memoir.embedders.embedder import Vector
from memoir.embedders.minilm import MiniLm

WORDS = weights.VOCABULARY.read_text("utf-8").splitlines()


@pytest.fixture(scope="module")
def folder(laid_out: Path) -> Iterator[Path]:
    """The weights, laid out."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PROLLYTREE_EMBEDDER_CACHE", str(laid_out))
        yield minilm.folder()


def _alone(folder: Path, text: str) -> Vector | None:
    model = minilm.load_lone(folder, text, minilm._load_layout)
    return model.vector(text) if model else None


TEXTS = (
    "Which database do we use for the billing service?",
    "",
    " \t\r\n ",
    "it's   a_b-c/d e.g. UPPER Case, (x+y)**2 == 42%!",
    "unaffable embeddings tokenization zyzzyva qwxkjv 3.14159",
    "a" * 101,
    "x" * 100,
    "buffalo buffalo Buffalo",
    "one more word " * 60,
)


@pytest.mark.parametrize("text", TEXTS)
def test_it_is_the_same_bit_for_bit(folder: Path, text: str) -> None:
    assert _alone(folder, text) == MiniLm().embed([text])[0]


def test_so_is_that_of_random_texts_one_after_the_other(folder: Path) -> None:
    chance = random.Random(1)
    ascii_words = [word.removeprefix("##") for word in WORDS if word.isascii() and word[0] != "["]
    signs = " ,.;:'\"-_/@#!?()\t\n"
    for length in (1, 2, 3, 5, 8, 13, 21, 30):
        text = "".join(chance.choice(ascii_words) + chance.choice(signs) for _ in range(length))
        assert _alone(folder, text) == MiniLm().embed([text])[0], text


@pytest.mark.parametrize("text", ["naïve café", "数据库", "a\x00b", "\x0b", "what is [MASK] here", "“quoted”"])
def test_what_is_not_plain_is_left_to_the_whole_model(folder: Path, text: str) -> None:
    assert _alone(folder, text) is None


def test_while_another_process_writes_its_rows_the_whole_model_is_used(folder: Path) -> None:
    with (weights.query_folder(folder) / weights.MODEL).open("r+b") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        assert _alone(folder, "busy") is None
    assert _alone(folder, "busy") is not None


def test_what_another_query_or_a_killed_process_left_is_not_read(folder: Path) -> None:
    _alone(folder, "one more word " * 60)
    with (weights.query_folder(folder) / weights.MODEL).open("r+b", buffering=0) as file:
        for slot in range(weights.SLOTS):
            weights.write_row(file.fileno(), slot, b"\xff" * 700)

    assert _alone(folder, "which editor?") == MiniLm().embed(["which editor?"])[0]


def test_what_is_left_of_a_query_is_answered_from_the_same_rows(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A time or a person in it is taken out of the text; meanwhile, another process may have written its rows."""
    monkeypatch.setattr(minilm, "_models", {})
    monkeypatch.setattr(minilm, "_lone", {})
    MiniLm().expect("What did we deploy on Friday?")
    MiniLm().embed_query("What did we deploy on Friday?", lambda word: 1.0)
    assert _alone(folder, "Quite another question")

    rest = MiniLm().embed_query("What did we deploy ?", lambda word: 1.0)

    assert minilm._models == {} and rest == MiniLm().embed(["What did we deploy ?"])[0]


def test_without_its_layout_the_weights_are_laid_out_again(folder: Path) -> None:
    assert weights.are_laid_out(folder)
    (weights.query_folder(folder) / weights.MODEL).rename(folder.parent / "gone")

    assert not weights.are_laid_out(folder) and _alone(folder, "which editor?") is None
    (folder.parent / "gone").rename(weights.query_folder(folder) / weights.MODEL)


def test_a_damaged_layout_is_not_used_and_laid_out_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right = _alone(folder, "which editor?")
    with (weights.query_folder(folder) / weights.MODEL).open("r+b") as file:
        file.seek(30_000_000)
        file.write(bytes(100_000))

    assert right and _alone(folder, "which editor?") is None and not weights.are_laid_out(folder)
    monkeypatch.setattr(minilm, "_models", {})
    assert MiniLm().embed(["which editor?"])[0] == right
    assert _alone(folder, "which editor?") == right


def test_meanings_are_near_without_a_common_word(folder: Path) -> None:
    question, right, wrong = MiniLm().embed(
        ["Is anybody a musician?", "She plays the violin in an orchestra.", "Quarterly revenue rose by four percent."]
    )

    assert _cosine(question, right) > _cosine(question, wrong) + 0.2


def _cosine(a: Vector, b: Vector) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def test_a_process_that_asks_again_loads_the_whole_model(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm, "_models", {})
    monkeypatch.setattr(minilm, "_lone", {})
    embedder = MiniLm()
    embedder.expect("which editor?")
    first = embedder.embed_query("which editor?", lambda word: 1.0)
    assert minilm._models == {}

    embedder.expect("which shell?")
    embedder.embed_query("which shell?", lambda word: 1.0)
    assert list(minilm._models) == [minilm.cache()]
    assert embedder.embed(["which editor?"])[0] == first


def test_the_vector_of_minilm_is_the_same_and_a_process_with_threads_is_not_forked(tmp_path: Path) -> None:
    script = """
import threading
from memoir.embedders import minilm, weights

weights.lay_out(minilm.folder())
if sys.argv[1:] == ["threads"]:
    threading.Thread(target=threading.Event().wait, daemon=True).start()
model = minilm.MiniLm()
model.expect("which editor?")
print(len(minilm._beside), flush=True)
for text in ("which editor?", "editor", "something else"):
    assert model.embed_query(text, len) == minilm.MiniLm().embed([text])[0], text
model.expect("a second query")
print(len(minilm._beside), children(), flush=True)
assert model.embed_query("a second query", len) == minilm.MiniLm().embed(["a second query"])[0]
os._exit(0)
"""
    alone, threaded = (printed(script, *how, PROLLYTREE_EMBEDDER_CACHE=str(tmp_path)) for how in ((), ("threads",)))

    assert (alone, threaded) == ("1\n0 None\n", "0\n0 None\n")


def test_a_forked_process_embeds_as_its_parent_has_done(laid_out: Path) -> None:
    """The native code's threads are not in it, so that its first text waited for them for ever."""
    script = """
import signal
from memoir.embedders.minilm import MiniLm

texts = "which editor?", "editor", "nothing of the kind", "né"
vectors = lambda: [MiniLm().embed([text])[0] for text in texts] + [MiniLm().embed_query(text, len) for text in texts]
expected = vectors()
for generation in ("child", "grandchild"):
    if process := os.fork():
        _, end = os.waitpid(process, 0)
        sys.exit(os.waitstatus_to_exitcode(end))
    signal.alarm(50)  # where it waits for ever, it shall not outlive the test
    print(generation, vectors() == expected, flush=True)
"""
    assert printed(script, PROLLYTREE_EMBEDDER_CACHE=str(laid_out)) == "child True\ngrandchild True\n"
