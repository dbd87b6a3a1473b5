"""`consolidate`, as a user meets it."""

import json
import os
import pty
import subprocess

import pytest
from support import Memoir, built_once

FACT = "The tests are run with pytest."
SAME = "Tests are run with pytest."


@built_once
def twins(memoir: Memoir) -> None:
    """A store that knows one thing twice, and another."""
    texts = {"workflow.tests.runner": FACT, "workflow.tests.tool": SAME, "hobbies.birds": "I like owls in the snow."}
    lines = [
        json.dumps({"path": path, "content": text, "timestamp": f"2025-11-0{number}"})
        for number, (path, text) in enumerate(texts.items(), 1)
    ]
    memoir.ok("import", "-", stdin="\n".join(lines))


def dialogue(memoir: Memoir, keys: bytes, *args: str) -> str:
    """What a command asks somebody who types some answers."""
    reader, writer = pty.openpty()
    process = subprocess.Popen(
        memoir.argv(*args), cwd=memoir.folder, stdin=writer, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    os.close(writer)
    os.write(reader, keys)
    _, question = process.communicate(timeout=60)
    os.close(reader)
    assert process.returncode == 0, question
    return question.decode()


def head(memoir: Memoir) -> object:
    return memoir.json("status")["commit"]


def test_the_answer_lists_superseded_memories_and_their_successors(twins: Memoir) -> None:
    answer = twins.json("consolidate")

    (only,) = answer["superseded"]
    assert (only["full_key"], only["content"]) == ("default:workflow.tests.runner", FACT)
    assert only["by"] == {
        "key": "workflow.tests.tool", "namespace": "default", "full_key": "default:workflow.tests.tool", "content": SAME
    }  # fmt: skip
    assert only["cosine"] == pytest.approx(1, abs=1e-5)
    assert (answer["count"], answer["dry_run"], answer["commit_hash"]) == (1, False, head(twins))
    assert twins.json("log", "-l", "1")["commits"][0]["message"] == "consolidate 1 near-duplicate"


def test_the_superseded_one_is_marked_and_no_longer_recalled(twins: Memoir) -> None:
    twins.ok("consolidate", "-m", "tidy up")

    value = twins.json("get", "workflow.tests.runner")["items"][0]["value"]
    assert (value["content"], value["status"]) == (FACT, "superseded")
    assert value["metadata"] == {"superseded_by": "default:workflow.tests.tool"}
    assert [m["content"] for m in twins.json("recall", "pytest", "--strict")["memories"]] == [SAME]
    assert twins.json("log", "-l", "1")["commits"][0]["message"] == "tidy up"


def test_a_dry_run_shows_the_same_and_writes_nothing(twins: Memoir) -> None:
    before = head(twins)

    plan = twins.json("consolidate", "--dry-run")

    assert (plan["commit_hash"], plan["commit_date"], plan["dry_run"]) == (None, None, True)
    assert head(twins) == before
    assert twins.json("consolidate")["superseded"] == plan["superseded"]


def test_undo_takes_it_back(twins: Memoir) -> None:
    before = twins.ok("export")
    twins.ok("consolidate")
    assert twins.ok("export") != before

    twins.ok("undo")

    assert twins.ok("export") == before


def test_people_see_both_texts(twins: Memoir) -> None:
    rows = [
        f"1.000  workflow.tests.runner  {FACT}",
        f"    by workflow.tests.tool  {SAME}",
    ]
    rule = "they differ only in small words (a, the, is), contractions or the final full stop; the newer one stays"

    assert twins.ok("consolidate", "--dry-run").splitlines() == [
        *rows,
        "1 near-duplicate would be superseded",
        rule,
    ]
    *lines, last, why = twins.ok("consolidate").splitlines()
    assert (lines, why) == (rows, rule)
    assert last == f"{str(head(twins))[:8]}  1 near-duplicate superseded"
    assert twins.ok("consolidate").splitlines() == ["no near-duplicates found"]


def test_a_threshold_decides_how_like_candidates_must_be(twins: Memoir) -> None:
    twins.remember("workflow.tests.how", "Tests are run with pytest daily.", "--timestamp", "2025-11-04")

    counts = [twins.json("consolidate", "--dry-run", "--threshold", t)["candidate_count"] for t in ("0.99", "0.7")]

    assert counts == [0, 1]


OPPOSITES = [
    ("Retry works when the cache is cold", "Retry fails when the cache is cold"),
    ("Increase the timeout when the test is flaky", "Decrease the timeout when the test is flaky"),
    ("The staging server allows anonymous access", "The staging server forbids anonymous access"),
    ("The build is slower with the cache", "The build is faster with the cache"),
]


@built_once
def opposites(memoir: Memoir) -> None:
    """A store of contradictions."""
    texts = [text for pair in OPPOSITES for text in pair]
    lines = [json.dumps({"path": f"a.m{number}", "content": text}) for number, text in enumerate(texts)]
    memoir.ok("import", "-", stdin="\n".join(lines))


def test_a_contradiction_is_never_superseded_unless_it_is_named(opposites: Memoir) -> None:
    answer = opposites.json("consolidate", "--threshold", "0.5")

    assert (answer["superseded"], answer["commit_hash"]) == ([], None)
    assert {frozenset((c["content"], c["by"]["content"])) for c in answer["candidates"]} >= set(
        map(frozenset, OPPOSITES)
    )
    candidate = answer["candidates"][0]
    text = opposites.ok("consolidate", "--threshold", "0.5")
    assert f"{candidate['id']}\n" in text and "--accept ID" in text

    done = opposites.json("consolidate", "--threshold", "0.5", "--accept", candidate["id"])
    assert [one["full_key"] for one in done["superseded"]] == [candidate["full_key"]]
    assert opposites.json("consolidate", "--accept", candidate["id"], status=4)["error"]["hint"]


def test_the_nearest_candidates_come_first_and_a_limit_says_what_it_leaves_out(opposites: Memoir) -> None:
    whole = opposites.json("consolidate", "--threshold", "0.5", "--dry-run")
    first = opposites.json("consolidate", "--threshold", "0.5", "--dry-run", "-l", "1")
    shown = opposites.run("consolidate", "--threshold", "0.5", "--dry-run", "-l", "1")

    cosines = [each["cosine"] for each in whole["candidates"]]
    assert cosines == sorted(cosines, reverse=True) and len(cosines) == whole["candidate_count"] > 1
    assert first["candidates"] == whole["candidates"][:1] and first["candidate_count"] == len(cosines)
    assert f"{len(cosines) - 1} more candidates are left out: -l N" in shown.err


def test_many_candidates_come_with_advice(memoir: Memoir) -> None:
    lines = [json.dumps({"path": f"a.m{number}", "content": f"Rack {number} has a spare fan"}) for number in range(30)]
    memoir.ok("import", "-", stdin="\n".join(lines))

    done = memoir.run("consolidate", "--threshold", "0.5", "--dry-run")

    assert "29 candidates" in done.out and "-l 20 shows 20 of them" in done.err


def test_ask_prompts_for_each_candidate_on_a_terminal(opposites: Memoir) -> None:
    assert opposites.run("consolidate", "--ask").status == 2
    candidates = opposites.json("consolidate", "--threshold", "0.5", "--dry-run")["candidates"]

    question = dialogue(opposites, b"n\ny\nq\n", "consolidate", "--threshold", "0.5", "--ask")

    assert "supersede the first by the second?" in question
    ids = {one["id"] for one in opposites.json("consolidate", "--threshold", "0.5", "--dry-run")["candidates"]}
    assert candidates[0]["id"] in ids and candidates[1]["id"] not in ids


@pytest.mark.parametrize("threshold", ["0.49", "1.01", "nan", "95%"])
def test_a_threshold_that_is_none_is_refused(memoir: Memoir, threshold: str) -> None:
    assert memoir.json("consolidate", "--threshold", threshold, status=2)["error"]["code"]


def test_only_the_given_namespaces_and_branch_are_changed(twins: Memoir) -> None:
    twins.ok("branch", "side")

    twins.json("consolidate", "-n", "team", status=4)
    assert twins.json("consolidate", "--branch", "side")["count"] == 1
    assert twins.json("consolidate", "--dry-run")["count"] == 1
    assert twins.json("consolidate", "--branch", "nowhere", status=4)["error"]["code"] == "not_found"


def test_an_empty_store_has_nothing_to_consolidate(memoir: Memoir) -> None:
    answer = memoir.json("consolidate")

    assert (answer["superseded"], answer["count"], answer["commit_hash"]) == ([], 0, None)


def test_an_embedder_that_does_not_answer_is_an_error(twins: Memoir) -> None:
    before = head(twins)
    nobody = {"MEMOIR_EMBED_PROVIDER": "http", "MEMOIR_EMBED_URL": "http://127.0.0.1:9"}

    assert twins.json("consolidate", status=1, **nobody)["error"]["code"] == "embedder_unavailable"
    assert head(twins) == before
