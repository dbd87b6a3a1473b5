"""Other processes embed for this one: a copy of it, beside other work; or a new one, for a process that was forked."""

import time
from array import array
from pathlib import Path

import pytest
from embedders.scripts import printed

from memoir.embedders import minilm
from memoir.embedders.vector_process import ModelProcess

BEGIN = """
from array import array
from memoir.embedders.vector_process import QueryProcess

me = os.getpid()

def embed(text):
    print("said where nobody hears it", flush=True)
    if text == "bad":
        raise ValueError(text)
    return array("f", [len(text), os.getpid() != me])
"""


def test_it_has_the_vectors_of_the_query_and_of_what_is_asked_later() -> None:
    script = """
beside = QueryProcess("query", embed, 2)
print(*(list(beside.vector(text)) for text in ("a longer text", "query", "né\\udc80", "query")))
beside.close()
print(children())
"""
    assert printed(BEGIN + script) == "[13.0, 1.0] [5.0, 1.0] [3.0, 1.0] [5.0, 1.0]\nNone\n"


def test_where_it_fails_there_is_no_vector_and_it_ends() -> None:
    script = """
first, second = QueryProcess("bad", embed, 2), QueryProcess("query", embed, 2)
print(first.vector("bad"), first.vector("query"), second.vector("bad"), list(second.vector("query")))
first.close()
second.close()
print(children())
"""
    assert printed(BEGIN + script) == "None None None [5.0, 1.0]\nNone\n"


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
    assert printed(BEGIN + script) == "done"  # so nobody has its standard output open any more
    stat = Path("/proc", (tmp_path / "id").read_text(), "stat")
    for _ in range(1000):
        if not stat.exists() or ") Z " in stat.read_text():
            return
        time.sleep(0.01)
    raise AssertionError("it is still there")


def test_a_model_in_another_process_embeds_one_text_after_the_other(
    laid_out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROLLYTREE_EMBEDDER_CACHE", str(laid_out))
    here, there = minilm.read_model(minilm.cache()), ModelProcess(minilm.cache())

    for text in ("which editor?", "", "né", "word " * 5000):
        assert there.embed(text) == array("f", here.embed(text)), text
    there.close()
    with pytest.raises(ValueError, match="closed"):
        there.embed("editor")


def test_a_process_without_a_model_says_that_it_has_ended(tmp_path: Path) -> None:
    process = ModelProcess(tmp_path)
    with pytest.raises(ChildProcessError, match="has ended"):
        process.embed("editor")
    process.close()
