"""The vector of a command's one query is that of the whole model, from the rows of that query or another process."""

import fcntl
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

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


BEGIN = """
import os, sys, threading
from array import array
from memoir.embedders.minilm import QueryProcess

me = os.getpid()

def embed(text):
    print("said where nobody hears it", flush=True)
    if text == "bad":
        raise ValueError(text)
    return array("f", [len(text), os.getpid() != me])

def children():
    try:
        return os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return None
"""


def _printed(script: str, *arguments: str, **variables: str) -> str:
    command = [sys.executable, "-c", BEGIN + script, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, **variables}).stdout


def test_it_has_the_vectors_of_the_query_and_of_what_is_asked_later() -> None:
    script = """
beside = QueryProcess("query", embed, 2)
print(*(list(beside.vector(text)) for text in ("a longer text", "query", "né\\udc80", "query")))
beside.close()
print(children())
"""
    assert _printed(script) == "[13.0, 1.0] [5.0, 1.0] [3.0, 1.0] [5.0, 1.0]\nNone\n"


def test_where_it_fails_there_is_no_vector_and_it_ends() -> None:
    script = """
first, second = QueryProcess("bad", embed, 2), QueryProcess("query", embed, 2)
print(first.vector("bad"), first.vector("query"), second.vector("bad"), list(second.vector("query")))
first.close()
second.close()
print(children())
"""
    assert _printed(script) == "None None None [5.0, 1.0]\nNone\n"


def test_it_ends_with_the_process_that_asks(tmp_path: Path) -> None:
    script = f"""
def note(text):
    open({str(tmp_path / "id")!r}, "w").write(str(os.getpid()))
    return embed(text)

QueryProcess("query", note, 2).vector("query")
sys.stdout.write("done")
sys.stdout.flush()
os._exit(0)
"""
    assert _printed(script) == "done"  # so nobody has its standard output open any more
    stat = Path("/proc", (tmp_path / "id").read_text(), "stat")
    for _ in range(1000):
        if not stat.exists() or ") Z " in stat.read_text():
            return
        time.sleep(0.01)
    raise AssertionError("it is still there")


def test_the_vector_of_minilm_is_the_same_and_a_process_with_threads_is_not_forked(tmp_path: Path) -> None:
    script = """
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
    alone, threaded = (_printed(script, *how, PROLLYTREE_EMBEDDER_CACHE=str(tmp_path)) for how in ((), ("threads",)))

    assert (alone, threaded) == ("1\n0 None\n", "0\n0 None\n")
