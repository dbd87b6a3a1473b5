"""The inbox, and what `classify` makes of it."""

import json
import re

from messages_api import MessagesApi, error
from support import Memoir

NOISE = [f"frobnitz, qq{word}" for word in ("c", "a", "b")]
BY_MODEL = ("--classifier", "model")


def _fill(memoir: Memoir) -> list[str]:
    """Three memories in the inbox, each a day older than the one before, and a category that knows their word."""
    places = [
        str(memoir.json("remember", text, "--classifier", "rules", "--timestamp", f"2026-01-0{3 - number}")["key"])
        for number, text in enumerate(NOISE)
    ]
    memoir.ok(
        "taxonomy",
        "add",
        "zx",
        "--about",
        "things",
        "--cue",
        "frobnitz",
        "--cue",
        "qqa",
        "--cue",
        "qqb",
        "--cue",
        "qqc",
    )
    memoir.ok("config", "memoir.filing.threshold", "0.01")
    return places


def test_the_best_guess_is_the_runner_up_of_the_inbox(memoir: Memoir) -> None:
    memoir.ok("config", "memoir.filing.threshold", "1")

    filing = memoir.json("remember", "I prefer tabs over spaces in Go code.")["filing"]

    assert filing["inbox"] and filing["paths"] == []
    assert filing["runner_up"]["path"].startswith("preferences.")
    assert filing["runner_up"]["confidence"] == filing["confidence"]


def test_a_memory_in_the_inbox_comes_with_its_two_best_paths_and_the_command_that_files_it(memoir: Memoir) -> None:
    memoir.ok("config", "memoir.filing.threshold", "1")
    text = "I prefer tabs over spaces in Go code."

    answer = memoir.json("remember", text, "--dry-run")
    lines = memoir.ok("remember", text).splitlines()

    first, second = (offer["path"] for offer in answer["filing"]["offers"])
    assert first == answer["filing"]["runner_up"]["path"] and second != first
    key = answer["keys"][0]
    assert [line.partition("memoir mv --append ")[2] for line in lines if "memoir mv" in line] == [
        f"{key} {first}",
        f"{key} {second}",
    ]
    assert all(f"memoir mv --append {key} {path}" in memoir.ok("classify") for path in (first, second))
    memoir.ok("mv", key, first)
    assert text in memoir.ok("get", first)


def test_a_memory_without_evidence_comes_with_two_paths_too(memoir: Memoir) -> None:
    in_an_empty_store = memoir.json("remember", "zxqv", "--dry-run")["filing"]
    memoir.remember("settings.editor.zxqv", "zxqv is set to mode 4 here.")
    beside_another = memoir.json("remember", "zxqv?", "--dry-run")["filing"]

    assert in_an_empty_store["inbox"] and len({offer["path"] for offer in in_an_empty_store["offers"]}) == 2
    assert (
        beside_another["inbox"] and next(offer["path"] for offer in beside_another["offers"]) == "settings.editor.zxqv"
    )
    assert len(beside_another["offers"]) == 2


def test_where_nothing_tells_of_a_path_the_answer_says_so(memoir: Memoir) -> None:
    assert memoir.json("remember", "!!!", "--dry-run")["filing"]["offers"] == []

    (line,) = (line for line in memoir.ok("remember", "!!!").splitlines() if "memoir mv" in line)
    assert line.startswith("nothing tells where it belongs; to file it: ") and line.endswith(" PATH")


def test_the_command_that_files_a_memory_keeps_it_in_its_namespace(memoir: Memoir) -> None:
    memoir.ok("config", "memoir.filing.threshold", "1")

    lines = memoir.ok("remember", "Carol prefers tea to coffee", "-n", "user:carol").splitlines()
    command = next(line.partition("memoir ")[2] for line in lines if "memoir mv" in line)
    memoir.ok(*command.split())

    assert "Carol" in memoir.ok("recall", "tea", "-n", "user:carol")
    assert memoir.json("summarize")["total_namespaces"] == 1


def test_the_command_that_files_a_memory_adds_it_to_what_is_at_the_path(memoir: Memoir) -> None:
    memoir.remember("settings.editor.zxqv", "zxqv is set to mode 4 here.")

    lines = memoir.ok("remember", "zxqv?").splitlines()
    command = next(line.partition("memoir ")[2] for line in lines if "memoir mv" in line)
    memoir.ok(*command.split())

    assert {*(memoir.content("settings.editor.zxqv") or "").split("\n")} == {"zxqv?", "zxqv is set to mode 4 here."}


def test_what_is_filed_has_no_offers(memoir: Memoir) -> None:
    assert memoir.json("remember", "I prefer tabs over spaces in Go code.")["filing"]["offers"] == []


def test_items_moved_to_one_path_are_added_oldest_first(memoir: Memoir) -> None:
    places = _fill(memoir)

    done = memoir.json("classify")

    (target,) = {to for item in done["inbox"] for to in item["to"]}
    assert memoir.content(target.partition(":")[2]) == "\n".join(reversed(NOISE))
    entries = memoir.json("blame", target)["entries"]
    assert {entry["key"] for entry in entries if entry["operation"] == "added"} == set(places)


def test_both_paths_of_a_memory_have_its_history(memoir: Memoir, api: MessagesApi) -> None:
    paths = [{"path": path, "confidence": 0.9} for path in ("preferences.coding.tabs", "knowledge.go.tabs")]
    api.answers += ["no idea", json.dumps({"memory": True, "paths": paths, "reason": "so"})]
    place = memoir.json("remember", "Tabs are Go's way", *BY_MODEL)["key"]

    memoir.ok("config", "memoir.filing.paths", "2")
    memoir.json("classify", *BY_MODEL)

    for path in ("preferences.coding.tabs", "knowledge.go.tabs"):
        assert [entry["key"] for entry in memoir.json("blame", path)["entries"]] == [path, place]


def test_a_model_that_does_not_answer_is_asked_once(memoir: Memoir, api: MessagesApi) -> None:
    places = _fill(memoir)
    api.answers.append(error(401, "no such key"))

    done = memoir.json("classify", *BY_MODEL)

    assert len(api.requests) == 1
    assert [item["to"] for item in done["inbox"]] == [[], [], []] and all(item["degraded"] for item in done["inbox"])
    assert all(memoir.content(place) for place in places)


def test_the_merge_policy_setting_does_not_apply_to_filed_memories(memoir: Memoir) -> None:
    first = memoir.json("remember", "We use Redis as our cache")
    for policy in ("replace", "reject"):
        memoir.ok("config", "memoir.remember.mergePolicy", policy)
        answer = memoir.json("remember", f"We use Redis as our cache {policy}")
        assert answer["conflicts"] == [] or not answer["conflicts"][0]["superseded"]
    assert "We use Redis as our cache" in (memoir.content(first["key"]) or "")


def test_capitals_in_an_answer_are_ignored_and_bad_text_is_reported(memoir: Memoir, api: MessagesApi) -> None:
    paths = [{"path": "Preferences.Coding.Tabs", "confidence": 0.9}]
    api.answers += [json.dumps({"memory": True, "paths": paths, "reason": "so"}), "I would say: preferences"]

    assert memoir.json("remember", "Tabs, please", *BY_MODEL)["key"] == "preferences.coding.tabs"
    assert "not a JSON object" in memoir.json("remember", "Spaces, please", *BY_MODEL)["degraded"]


def test_what_classify_did_is_said_in_words_that_fit(memoir: Memoir) -> None:
    assert memoir.ok("classify") == "the inbox is empty\n"
    memoir.ok("remember", "mail retries 3x then gives up")
    for args in ((), ("--dry-run",)):
        assert memoir.ok("classify", *args).endswith("nothing to file: 1 memory stays in the inbox\n")


def test_a_memory_that_stays_in_the_inbox_is_said_to_have_one_best_guess(memoir: Memoir) -> None:
    """The figure of the best guess is said once: the same twice reads as two paths that are alike."""
    text = memoir.ok("remember", "mail retries 3x then gives up")

    assert re.match(r"left in the inbox: the best guess is \S+, too unsure \(rules, 0\.\d\d\)\n", text)


def test_a_memory_in_another_language_is_left_with_the_reason(memoir: Memoir) -> None:
    said = "(rules, 0.00); the rules know English only\n"

    assert said in memoir.ok("remember", "Das hat uns der Kunde so gesagt, und wir machen es nicht mehr anders")
    assert "English" not in memoir.ok("remember", "mail retries 3x then gives up")
