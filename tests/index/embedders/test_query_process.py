"""A query is embedded in a process beside the one that asks, which can do without it.

Each test forks in a process of its own: a test's process may have threads.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

BEGIN = """
import os, sys, threading
from array import array
from memoir.index.embedders.minilm import QueryProcess

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
from memoir.index.embedders import minilm, weights

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
