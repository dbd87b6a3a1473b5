"""The tools on a store: what they cost, answer and refuse, and what a restricted server hides."""

import json
from pathlib import Path
from threading import Thread
from typing import Any

import orjson
import pytest
from support import built_once

from memoir.mcp.call import Cursor, checksum
from memoir.mcp.client_store import StorePlace
from memoir.mcp.service import BY_NAME, INSTRUCTIONS, TOOLS, Service
from memoir.memory.write import remember
from memoir.records.record import Memory, encode
from memoir.repository.repository import Repository
from memoir.store.transaction import Change, write
from memoir.taxonomy.paths import Address, address

TESTING = "preferences.coding.testing"


@built_once
def facts(repository: Repository) -> None:
    repository.remember(Memory.of("Use pytest, not unittest."), TESTING)
    repository.remember(Memory.of("CI has an hour."), "ci.time", links=[f"derives_from={TESTING}"])
    repository.remember(Memory.of("Alice likes tea."), "user:alice:drinks.tea")


@pytest.fixture
def folder(facts: Repository) -> Path:
    return facts.path.parent


@pytest.fixture
def service(folder: Path) -> Service:
    return Service(StorePlace(str(folder)))


def ask(service: Service, name: str, **arguments: Any) -> dict[str, Any]:
    answer = service.answer(BY_NAME[name], arguments)
    assert not answer.failed, answer
    return answer.fields


def refusal(service: Service, name: str, **arguments: Any) -> dict[str, Any]:
    answer = service.answer(BY_NAME[name], arguments)
    assert answer.failed, answer
    error = answer.fields["error"]
    assert isinstance(error, dict)
    return error


def test_recall_finds_and_get_reads(service: Service) -> None:
    best = ask(service, "recall", query="which test runner do we use?", limit=1)["memories"][0]
    assert best.endswith(f" Use pytest, not unittest.  {TESTING}")

    assert ask(service, "get", keys=["user:alice:drinks.tea"])["items"][0]["content"] == "Alice likes tea."
    assert ask(service, "get", keys=["no*"])["items"] == [{"key": "no*", "found": False, "hint": "no path matches"}]
    item, absent = ask(service, "get", keys=[TESTING, "preferences.coding.testin"])["items"]
    assert item["content"] == "Use pytest, not unittest." and item["confidence"] == 1.0
    assert absent["found"] is False and TESTING in absent["hint"]


def test_what_is_nearest_comes_marked_as_weak_unless_the_call_is_strict(service: Service) -> None:
    fitting = ask(service, "recall", query="pytest or unittest?")
    nearest = ask(service, "recall", query="zebra crossings")
    strict = ask(service, "recall", query="zebra crossings", strict=True)

    assert "weak" not in fitting
    assert nearest["weak"] is True and nearest["memories"]
    assert strict["memories"] == [] and "weak" not in strict


def test_suggest_names_the_nearest_paths(service: Service) -> None:
    near = ask(service, "suggest", text="Use pytest for the parser.")
    assert near["weak"] is False and "categories" not in near
    assert near["paths"][0].items() >= {"key": TESTING, "memories": 1, "content": "Use pytest, not unittest."}.items()

    far = ask(service, "suggest", text="My sister lives in Lisbon.")
    assert far["weak"] is True and not far["paths"]
    assert far["categories"][0]["key"].startswith("relationships.family.")


def test_lexicon_teaches_recall_what_the_project_calls_things(service: Service, folder: Path) -> None:
    line = "hourglass = CI, pipeline"

    done = ask(service, "lexicon", line=line)

    assert done["added"] == [line] and done["commit"]
    assert ask(service, "recall", query="hourglass", strict=True)["memories"][0].endswith("  ci.time")
    assert ask(service, "lexicon", line="hourglass = ci")["added"] == []
    assert "has no '='" in refusal(service, "lexicon", line="hourglass")["message"]
    assert "only" in refusal(Service(StorePlace(str(folder)), namespace="user:alice"), "lexicon", line=line)["message"]


def test_suggest_names_the_paths_that_a_restricted_server_shows(folder: Path) -> None:
    alice = Service(StorePlace(str(folder)), namespace="user:alice")

    (path,) = ask(alice, "suggest", text="Alice likes tea with milk.")["paths"]
    assert path["key"] == "user:alice:drinks.tea"
    assert not ask(alice, "suggest", text="Use pytest, not unittest.")["paths"]


def test_a_memory_of_the_user_goes_to_their_own_store(
    service: Service, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path_factory.mktemp("own")
    monkeypatch.setenv("MEMOIR_STORE_GLOBAL", "off")
    assert refusal(service, "remember", **{"content": "I write in Welsh.", "key": "me.language", "global": True})[
        "hint"
    ]
    Repository.init(own).close()
    monkeypatch.setenv("MEMOIR_STORE_GLOBAL", str(own))

    done = ask(service, "remember", **{"content": "I write in Welsh.", "key": "me.language", "global": True})

    assert done["store"] == "user"
    assert ask(service, "summarize")["path_count"] == 3
    with Repository.open(own) as repository:
        assert repository.get("me.language")


def test_summarize_counts_by_prefix_and_lists_what_matches(service: Service) -> None:
    survey = ask(service, "summarize")
    assert survey["path_count"] == 3 and survey["namespaces"] == {"default": 2, "user:alice": 1}
    assert {"prefix": "ci", "count": 1} in survey["found"] and {"prefix": "user:alice:drinks", "count": 1} in survey[
        "found"
    ]
    assert ask(service, "summarize", keys="*.testing")["found"] == [{"key": TESTING}]


def test_get_says_which_days_words_such_as_last_week_mean(service: Service) -> None:
    ask(service, "remember", content="The release left yesterday.", key="release.day")

    (item,) = ask(service, "get", keys=["release.day"])["items"]

    (day,) = item["dates"]
    assert day["text"] == "yesterday" and day["from"] == day["to"] < item["timestamp"][:10]


def test_remember_names_the_newest_memory_that_it_was_put_beside(service: Service) -> None:
    for content in ("Releases leave on Monday.", "CI runs on two cores."):
        done = ask(service, "remember", content=content, key="ci.time", policy="append")

    assert (done["beside"], done["beside_count"]) == ("Releases leave on Monday.", 2)


def test_remember_says_where_a_memory_went_and_what_gave_way(service: Service) -> None:
    done = ask(service, "remember", content="CI has two hours.", key="ci.time", policy="replace")
    assert (done["key"], done["active"], done["replaced"]) == ("ci.time", True, 1)
    assert ask(service, "get", keys=["ci.time"])["items"][0]["metadata"] == {"source": "mcp"}

    memory = ask(service, "remember", content="I prefer tabs over spaces.")
    assert ask(service, "get", keys=[memory["key"]])["items"][0]["content"] == "I prefer tabs over spaces."


def test_a_memory_of_the_inbox_comes_with_keys_that_file_it(service: Service) -> None:
    text = "boss 2 too hard, cut hp 20%"
    unsure = ask(service, "remember", content=text)
    assert unsure["key"].startswith("inbox.") and "repeat remember" in unsure["hint"]

    filed = ask(service, "remember", content=text, key=unsure["offers"][0])
    assert (filed["key"], filed["moved_from"]) == (unsure["offers"][0], unsure["key"])
    assert "offers" not in filed and "hint" not in filed


def test_a_memory_that_tells_nothing_of_its_place_offers_no_key(service: Service) -> None:
    unsure = ask(service, "remember", content="!!!")

    assert (unsure["offers"], unsure["hint"]) == ([], "repeat remember with a key of your own to file it")


def test_an_agent_is_told_what_a_memory_contradicts_and_replaces_it_with_a_second_call(service: Service) -> None:
    ask(service, "remember", content="Releases are cut on Thursdays.", key="workflow.cadence")

    (similar,) = ask(service, "remember", content="Releases are cut on Fridays.")["similar"]
    found = ask(service, "recall", query="releases cut", limit=2)["memories"]
    second = ask(service, "remember", content="Releases are cut on Fridays.", replace_similar=True)

    assert (similar["key"], similar["relation"]) == ("workflow.cadence", "contradicts")
    assert similar["content"] == "Releases are cut on Thursdays."
    assert len(found) == 2 and all("disputes the " in each for each in found)
    assert "newer" not in similar
    assert (second["key"], second["replaced"], "similar" in second) == ("workflow.cadence", 1, False)
    (hit,) = ask(service, "recall", query="releases cut", limit=1)["memories"]
    assert "Releases are cut on Fridays." in hit


def test_an_agent_is_told_that_what_contradicts_a_memory_is_the_newer_one(service: Service, facts: Repository) -> None:
    later = Memory.of("Releases are cut on Fridays.", timestamp="2999-01-01")
    facts.remember(later, "workflow.cadence")

    (similar,) = ask(service, "remember", content="Releases are cut on Thursdays.")["similar"]

    assert (similar["key"], similar["newer"]) == ("workflow.cadence", True)


def test_history_has_five_ways(service: Service) -> None:
    ask(service, "remember", content="CI has two hours.", key="ci.time", policy="replace")
    versions = ask(service, "history", what="blame", key="ci.time")["versions"]
    assert [each["content"] for each in versions] == ["CI has two hours.", "CI has an hour."]
    change = ask(service, "history", what="diff")["changes"][0]
    assert change["content"] == "- CI has an hour.\n+ CI has two hours."
    before = ask(service, "get", keys=["ci.time"], at=versions[1]["commit"])
    assert before["items"][0]["content"] == "CI has an hour."
    assert len(ask(service, "history", what="log")["commits"]) == 4
    assert len(ask(service, "history", what="log", limit=1)["commits"]) == 1
    assert {each["key"] for each in ask(service, "history", what="timeline")["memories"]} >= {TESTING, "ci.time"}
    ask(service, "forget", keys=["ci.time"])
    tree = ask(service, "history", what="why", key=TESTING)["memories"]
    assert tree == [{"key": TESTING, "found": True, "origin": "agent", "content": "Use pytest, not unittest."}]


def test_every_way_to_a_memory_says_what_became_of_its_code(service: Service, folder: Path) -> None:
    (folder / "auth.py").write_text("pass\n")
    ask(service, "remember", content="Tokens expire.", key="auth.tokens", about=["auth.py"])
    (folder / "auth.py").unlink()

    said = ["auth.py is gone"]
    assert said[0] in ask(service, "recall", query="tokens expire")["memories"][0]
    assert ask(service, "get", keys=["auth.tokens"])["items"][0]["about"] == said
    assert ask(service, "history", what="why", key="auth.tokens")["memories"][0]["about"] == said


@pytest.mark.parametrize(
    ("name", "arguments", "code", "words"),
    [
        ("recall", {}, "invalid_input", "recall needs the argument 'query'"),
        ("recall", {"query": 1}, "invalid_input", "query: 1 is not"),
        ("recall", {"query": "x", "mode": "single"}, "invalid_input", "no argument 'mode'"),
        ("get", {"keys": ["not a path"]}, "invalid_input", "path"),
        ("get", {"keys": ["a.b"], "at": "nothing"}, "not_found", "nothing"),
        ("forget", {"keys": ["no.such"]}, "not_found", "no.such"),
        ("remember", {"content": "password=hunter2hunter2", "key": "a.b"}, "invalid_input", "credential"),
        ("remember", {"content": "x", "key": TESTING, "policy": "reject"}, "conflict", "already holds"),
        ("history", {"what": "blame"}, "invalid_input", "needs a key"),
    ],
)
def test_a_failure_has_the_code_and_hint_of_memoir(
    service: Service, name: str, arguments: dict[str, Any], code: str, words: str
) -> None:
    error = refusal(service, name, **arguments)

    assert error["code"] == code and words in error["message"]


@pytest.mark.parametrize("arguments", [{}, {"keys": "a.b"}, {"keys": ["a.b"], "path": "a.b"}])
def test_a_call_with_a_wrong_argument_is_told_what_the_tool_takes(service: Service, arguments: dict[str, Any]) -> None:
    assert refusal(service, "get", **arguments)["hint"] == (
        "its arguments: keys (array of strings, needed), at (string), cursor (string)"
    )


def test_a_long_answer_continues_with_its_cursor_on_the_same_state(folder: Path) -> None:
    service = Service(StorePlace(str(folder)), budget=1000)
    text = "".join(f"line {number}\n" for number in range(400))
    ask(service, "remember", content=text, key="logs.long")
    arguments: dict[str, Any] = {"keys": ["logs.long"]}
    read, page = "", ask(service, "get", **arguments)
    ask(service, "remember", content="short", key="logs.long", policy="replace")
    while True:
        assert len(orjson.dumps(page)) <= 1000
        read += page["items"][0]["content"]
        if "cursor" not in page:
            break
        page = ask(service, "get", **arguments, cursor=page["cursor"])

    assert read == text.strip() or read == text
    assert refusal(service, "get", keys=["other"], cursor=f"1.0.{0:08x}.0")["code"] == "invalid_input"


def test_one_namespace_is_all_that_a_restricted_server_shows(folder: Path) -> None:
    service = Service(StorePlace(str(folder)), namespace="user:alice")

    assert ask(service, "status")["namespaces"] == {"user:alice": 1}
    (hit,) = ask(service, "recall", query="tea or pytest?")["memories"]
    assert hit.endswith("  user:alice:drinks.tea")
    assert ask(service, "get", keys=["*"])["items"][0]["key"] == "user:alice:drinks.tea"
    assert ask(service, "summarize")["found"] == [{"prefix": "user:alice:drinks", "count": 1}]
    assert {each["key"] for each in ask(service, "history", what="diff")["changes"]} == {"user:alice:drinks.tea"}
    assert len(ask(service, "history", what="log")["commits"]) == 1
    assert ask(service, "remember", content="She drinks it black.", key="drinks.how")["key"] == "user:alice:drinks.how"
    for name, arguments in (
        ("get", {"keys": ["default:ci.time"]}),
        ("get", {"keys": ["default:*"]}),
        ("forget", {"keys": ["default:ci.time"]}),
        ("remember", {"content": "x", "key": "default:a.b"}),
        ("history", {"what": "blame", "key": "default:ci.time"}),
    ):
        assert "shows the namespace" in refusal(service, name, **arguments)["message"]


def test_a_restricted_server_quotes_no_message_on_other_namespaces(folder: Path, facts: Repository) -> None:
    facts.remember(Memory.of("Ann owns it."), "user:bob:plans.secret", "user:alice:plans.known")
    facts.move("user:bob:plans.secret", "user:alice:plans.moved")
    service = Service(StorePlace(str(folder)), namespace="user:alice")

    commits = ask(service, "history", what="log")["commits"]
    versions = ask(service, "history", what="blame", key="plans.moved")["versions"]

    assert len(commits) == 3 and commits[-1]["content"].startswith("remember drinks.tea")
    assert "bob" not in str(commits) + str(versions) and "withheld" in commits[0]["content"]


def test_a_read_only_server_has_no_tool_that_writes(folder: Path) -> None:
    service = Service(StorePlace(str(folder)), read_only=True)

    assert service.tool("recall") and not service.tool("remember") and not service.tool("forget")


def test_parallel_calls_each_get_their_own_answer(service: Service) -> None:
    contents: dict[int, str] = {}

    def call(number: int) -> None:
        ask(service, "remember", content=f"Number {number}.", key=f"numbers.n{number}")
        contents[number] = ask(service, "get", keys=[f"numbers.n{number}"])["items"][0]["content"]

    threads = [Thread(target=call, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert contents == {number: f"Number {number}." for number in range(8)}


def test_what_nobody_would_see_is_an_escape_in_every_answer(service: Service, facts: Repository) -> None:
    hidden = "\U000e0041\u202e\u2800"
    older = Memory.of(f"Tests{hidden} run.\nTwice \u2764\ufe0f.", metadata={"by": hidden})
    edits = [(address("a.b\u115fc").key, encode([older]))]  # no new path has such a character
    write(facts.store, lambda head: Change(edits, f"older {hidden}"), reason="older")
    facts.branches.checkout("x\u2800y", create=True)

    answers = [
        ask(service, "recall", query="tests run twice"),
        ask(service, "get", keys=["a.*"]),
        ask(service, "summarize", keys="a.*"),
        ask(service, "history", what="log"),
        ask(service, "status"),
        refusal(service, "history", what="blame", key=f"a.b{hidden}"),
    ]

    for answer in answers:
        assert "\\\\u" in orjson.dumps(answer).decode()
        assert not {*hidden, "\u115f"}.intersection(orjson.dumps(answer).decode())
    assert answers[1]["items"][0]["content"] == "Tests\\U000e0041\\u202e\\u2800 run.\nTwice \u2764\ufe0f."


def test_a_text_of_escapes_is_read_to_its_end_by_pages(folder: Path, facts: Repository) -> None:
    text = "".join(f"{number:04}\u202e" for number in range(900))
    facts.remember(Memory.of(text), "a.b")
    service, parts = Service(StorePlace(str(folder)), budget=2_000), []
    answer = ask(service, "get", keys=["a.b"])
    while parts.append(answer["items"][0]["content"]) or "cursor" in answer:  # type: ignore[func-returns-value]
        answer = ask(service, "get", keys=["a.b"], cursor=answer["cursor"])

    assert "".join(parts) == text.replace("\u202e", "\\u202e")
    assert all(len(part) <= 2_000 for part in parts) and len(parts) > 4


def test_each_of_several_memories_has_an_address_that_get_and_forget_take(service: Service) -> None:
    for text in ("Bo joined.", "Bo left.", "Bo is back."):
        ask(service, "remember", content=text, key="events.bo", policy="append")

    items = ask(service, "get", keys=["events.bo"])["items"]
    assert [item["content"] for item in items] == ["Bo joined.", "Bo left.", "Bo is back."]
    second = items[1]["key"]
    assert second.startswith("events.bo#")
    assert [item["content"] for item in ask(service, "get", keys=[second])["items"]] == ["Bo left."]
    assert ask(service, "forget", keys=[second])["keys"] == [second]
    assert [item["content"] for item in ask(service, "get", keys=["events.bo"])["items"]] == [
        "Bo joined.",
        "Bo is back.",
    ]
    (absent,) = ask(service, "get", keys=[second])["items"]
    assert absent["key"] == second and absent["found"] is False and "Bo joined." in absent["hint"]
    assert refusal(service, "forget", keys=[second])["code"] == "not_found"


def test_one_memory_outside_of_the_namespace_is_refused_too(folder: Path) -> None:
    service = Service(StorePlace(str(folder)), namespace="user:alice")

    for tool in ("get", "forget"):
        assert "namespace" in refusal(service, tool, keys=["default:ci.time#1"])["message"]


def test_the_first_commit_differs_from_nothing(tmp_path: Path) -> None:
    with Repository.init(tmp_path / "new") as repository:
        repository.remember(Memory.of("Bo joined."), "events.bo")
    service = Service(StorePlace(str(tmp_path / "new")))

    assert ask(service, "history", what="diff")["from"] is None


def test_diff_has_the_memory_that_changed_and_not_its_neighbours(service: Service) -> None:
    for text in ("Bo joined.", "Bo left."):
        ask(service, "remember", content=text, key="events.bo", policy="append")
    key = ask(service, "get", keys=["events.bo"])["items"][1]["key"]

    (change,) = ask(service, "history", what="diff")["changes"]

    assert change["content"] == f"+ #{key.partition('#')[2]} Bo left."


def test_an_item_names_its_speaker_and_its_source(folder: Path, facts: Repository) -> None:
    line = b'{"speaker": "Caroline", "content": "I adopted a cat last Friday!", "timestamp": "2023-08-23"}'
    (folder / "chat.jsonl").write_bytes(line)
    (item,) = facts.sources.ingest(folder / "chat.jsonl").sources[0].items
    (key,) = (place.path for place in item.places)
    service = Service(StorePlace(str(folder)))

    found = ask(service, "recall", query="who adopted a cat?", keys=key)["memories"][0]
    assert found == f"2023-08-23 Caroline: I adopted a cat last Friday! (last Friday → 2023-08-18) (from chat)  {key}"
    for answer in (ask(service, "get", keys=[key])["items"][0], _only(service, key)):
        assert (answer["source"], answer["content"]) == ("chat", "Caroline: I adopted a cat last Friday!")
    for what, name in (("blame", "versions"), ("why", "memories"), ("diff", "changes")):
        first = ask(service, "history", what=what, key=key)[name][0]
        assert first["content"].removeprefix("+ ") == "Caroline: I adopted a cat last Friday!"
    assert "source" not in ask(service, "get", keys=[TESTING])["items"][0]


def _only(service: Service, key: str) -> dict[str, Any]:
    memories = ask(service, "history", what="timeline")["memories"]
    (memory,) = (each for each in memories if each["key"] == key)
    return dict(memory)


def test_recall_gathers_a_list_in_the_order_of_time(facts: Repository, service: Service) -> None:
    facts.remember(Memory.of("Read the book Emma.", timestamp="2026-02-02T00:00:00Z"), "events.second")
    facts.remember(Memory.of("The book Dune, read twice.", timestamp="2026-02-01T00:00:00Z"), "events.first")

    found = ask(service, "recall", query="which book was read?", gather=True)["memories"]

    assert [each.rpartition("  ")[2] for each in found] == ["events.first", "events.second"]


def test_recall_has_the_standing_instructions_that_no_hit_shows(folder: Path, service: Service) -> None:
    told = "Always include versions of dependencies."
    _ingest(folder, "Our dependencies are Flask and Redis.", "Fine.", told)

    first, both = (ask(service, "recall", query="our dependencies on Redis", limit=limit) for limit in (1, 5))

    assert first["standing"] == [f'always: "{told}"  (user, 2024-03-15, chat)']
    assert told in "".join(both["memories"]) and "standing" not in both


@pytest.mark.parametrize("key", ["sources.chat.0001#p1", "~0001#p1", "~0001", "chat.0001#p1"])
def test_each_tool_takes_each_form_of_an_address_that_recall_prints(
    facts: Repository, service: Service, key: str
) -> None:
    facts.sources.ingest_text("Ada: The API runs on Flask.", name="chat")

    assert "Flask" in ask(service, "get", keys=[key])["items"][0]["content"]
    for what, name in (("blame", "versions"), ("log", "commits"), ("diff", "changes"), ("why", "memories")):
        assert ask(service, "history", what=what, key=key)[name]
    assert ask(service, "history", what="timeline", key=key)["memories"]


def test_why_takes_a_passage_as_recall_names_it(folder: Path, service: Service) -> None:
    _ingest(folder, "Our dependencies are Flask and Redis.")
    key = ask(service, "recall", query="our dependencies on Redis")["memories"][0].rpartition("  ")[2]

    passage, segment = ask(service, "history", what="why", key=key)["memories"]

    assert passage["key"] == key == "sources.chat.0001#p1" and "Flask" in passage["content"]
    assert segment["of"] == key and segment["key"] == "default:raw:sources.chat.0001"


def test_why_names_who_wrote_an_insight_that_came_from_a_remote(
    folder: Path, service: Service, monkeypatch: pytest.MonkeyPatch, facts: Repository
) -> None:
    facts.remotes.add("origin", str(folder / "nowhere"))
    monkeypatch.setenv("MEMOIR_AUTHOR", "Ben <ben@example.org>")
    remember(facts.store, Memory.of("CI is slow."), [Address("default:insights", "ci")])
    monkeypatch.setenv("MEMOIR_AUTHOR", "Ada <ada@example.org>")

    (insight,) = ask(service, "history", what="why", key="default:insights:ci")["memories"]

    assert insight["origin"] == "by Ben"


def test_why_of_one_memory_among_several_is_of_that_one(service: Service) -> None:
    ask(service, "remember", content="CI has a runner.", key="ci.time", policy="append")
    first, second = (item["key"] for item in ask(service, "get", keys=["ci.time"])["items"])

    linked, alone = (ask(service, "history", what="why", key=key)["memories"] for key in (first, second))

    assert [each["key"] for each in linked] == [first, TESTING] and [each["key"] for each in alone] == [second]


@pytest.mark.parametrize(("origin", "end"), [("capture", '  (from "capture:claude")'), ("agent", "")])
def test_recall_names_the_source_of_what_nobody_remembered_by_hand(
    folder: Path, service: Service, origin: str, end: str
) -> None:
    with Repository.open(folder, origin=origin) as repository:
        repository.remember(Memory.of("Deploys need two approvals.", metadata={"source": "capture:claude"}), "ops.go")

    (found,) = ask(service, "recall", query="deploys need approvals", keys="ops.*")["memories"]

    assert found.endswith(f"Deploys need two approvals.  ops.go{end}")


def _ingest(folder: Path, *turns: str) -> None:
    """Ingest a chat that a user begins."""
    roles = ("user", "assistant")
    lines = [
        orjson.dumps({"role": roles[at % 2], "content": text, "timestamp": "2024-03-15"})
        for at, text in enumerate(turns)
    ]
    (folder / "chat.jsonl").write_bytes(b"\n".join(lines))
    with Repository.open(folder) as repository:
        repository.sources.ingest(folder / "chat.jsonl")


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("recall", {"query": "pytest", "limit": 1 << 63}, "limit is too large a number"),
        ("recall", {"query": "pytest", "limit": 1e30}, "limit is too large a number"),
        ("summarize", {"depth": 1 << 63}, "depth is too large a number"),
        ("history", {"what": "log", "limit": 1 << 63}, "limit is too large a number"),
        ("recall", {"query": "half a pair: \ud800"}, "not valid Unicode"),
        ("remember", {"content": "x", "about": ["a\0b"]}, "is not a file of the project"),
    ],
)
def test_what_would_overflow_or_end_a_text_is_refused(
    service: Service, tool: str, arguments: dict[str, Any], words: str
) -> None:
    assert words in refusal(service, tool, **arguments)["message"]


def test_a_whole_number_may_be_written_as_json_writes_others(service: Service) -> None:
    """To JSON Schema 1.0 is an integer."""
    assert len(ask(service, "history", what="log", limit=1.0)["commits"]) == 1


@pytest.mark.parametrize("tool", ["summarize", "get"])
def test_a_cursor_beyond_the_text_of_an_item_shows_no_more(service: Service, tool: str) -> None:
    arguments: dict[str, Any] = {"keys": [TESTING]} if tool == "get" else {}
    cursor = Cursor("0", 0, 10**17).text(checksum(tool, arguments))

    assert ask(service, tool, **arguments, cursor=cursor)


def test_history_of_one_memory_among_several_is_its_own(service: Service, facts: Repository) -> None:
    facts.remember("Use xdist.", TESTING, policy="append")
    newest = service_key(service, "Use xdist.")

    for what, field in (("blame", "versions"), ("log", "commits"), ("diff", "changes")):
        (only,) = ask(service, "history", what=what, key=newest)[field]
        assert "Use xdist." in only["content"]
    assert len(ask(service, "history", what="blame", key=TESTING)["versions"]) > 1


def service_key(service: Service, content: str) -> str:
    """The key of a memory as `recall` prints it."""
    lines = ask(service, "recall", query=content, limit=5)["memories"]
    return str(next(line for line in lines if content in line).split()[-1])


def test_names_descriptions_and_schemas_take_2450_characters_at_most() -> None:
    schemas = [json.dumps(tool.schema, separators=(",", ":")) for tool in TOOLS]

    assert sum(len(tool.name) + len(tool.description) for tool in TOOLS) + sum(map(len, schemas)) <= 2450
    assert len(INSTRUCTIONS) <= 1100


def test_every_tool_has_a_flat_schema() -> None:
    for tool in TOOLS:
        assert set(tool.required) <= tool.properties.keys()
        for about in tool.properties.values():
            assert about.get("type", "string") != "object" and "anyOf" not in about


def test_only_what_writes_is_not_called_read_only() -> None:
    assert {tool.name for tool in TOOLS if not tool.read_only} == {"remember", "lexicon", "forget"}
    assert {tool.name for tool in TOOLS if tool.destructive} == {"forget"}
