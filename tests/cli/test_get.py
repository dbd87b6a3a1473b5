"""`memoir get`: point reads."""

import json

from support import Memoir


def test_a_missing_key_is_answered_not_refused(memoir: Memoir) -> None:
    memoir.remember("preferences.coding.testing", "Use pytest")

    answer = memoir.json("get", "preferences.coding.testing", "no.such.path")

    assert [item["found"] for item in answer["items"]] == [True, False]
    assert answer["items"][0]["value"]["content"] == "Use pytest"
    assert answer["items"][1]["value"] is None
    assert (answer["count"], answer["found_count"]) == (2, 1)


def test_metadata_are_shown_as_words_and_not_as_json(memoir: Memoir) -> None:
    memoir.remember("c.d", "The suite is fast")
    memoir.remember("a.b", "We test with pytest", "--meta", "tag=x", "--meta", "tag=y", "--link", "causes=c.d")
    memoir.ok("remember", "We deploy with Nomad")
    key = next(key for key in memoir.ok("ls").split() if key not in ("a.b", "c.d"))

    shown = memoir.ok("get", "a.b")
    assert "  links.causes=default:c.d  " in shown
    assert "  tag=x, y\n" in shown
    assert "  filed by rules (0." in memoir.ok("get", key)
    memoir.ok("mv", key, "a.c")
    assert f"  moved from {key}\n" in memoir.ok("get", "a.c")


def test_a_memory_that_holds_no_more_says_so(memoir: Memoir) -> None:
    line = {"path": "a.b", "content": "We test with nose", "status": "superseded", "timestamp": "2026-01-02T00:00:00Z"}
    memoir.ok("import", "-", stdin=json.dumps(line))

    assert memoir.ok("get", "a.b").splitlines()[1].endswith("origin import  superseded")
    assert memoir.ok("ls", "-l") == "a.b  2026-01-02  We test with nose  (superseded)\n"


def test_an_imported_memory_says_of_which_kind_its_source_is(memoir: Memoir) -> None:
    (memoir.folder / "AGENTS.md").write_text("## Tests\n\n- Use pytest.\n")
    memoir.ok("import", "--from", "agents-md")

    _, notes, _ = memoir.ok("get", "project.tests").splitlines()

    assert notes.endswith("origin import  imported from agents-md  source=AGENTS.md")


def test_an_item_says_who_speaks(memoir: Memoir) -> None:
    line = '{"speaker": "Caroline", "content": "I adopted a cat last Friday!", "timestamp": "2023-08-23"}'
    (memoir.folder / "chat.jsonl").write_text(line)
    memoir.ok("ingest", "chat.jsonl")

    assert "    Caroline: I adopted a cat last Friday! (last Friday → 2023-08-18)\n" in memoir.ok("get", "*")
    assert [each["dates"] for each in memoir.json("get", "*")["items"]] == [
        [{"text": "last Friday", "from": "2023-08-18", "to": "2023-08-18"}]
    ]


def test_a_passage_is_its_key_its_day_who_says_it_and_its_words(memoir: Memoir) -> None:
    chat(memoir, "chat", "Ada: I moved to Lisbon.", "Ben: When?")
    key = memoir.json("recall", "Lisbon", "-l", "1", "--sources", "only")["memories"][0]["address"]

    assert memoir.ok("get", key) == "sources.chat.0001#p1 2024-03-01 Ada: I moved to Lisbon.\n"
    assert memoir.ok("get", "~0001") == ("sources.chat.0001#p1-2 2024-03-01 Ada: I moved to Lisbon.\n    Ben: When?\n")
    assert memoir.ok("get", "~0001#p1", "~0001#p2") == (
        "sources.chat.0001#p1 2024-03-01 Ada: I moved to Lisbon.\n~0001#p2 Ben: When?\n"
    )


def test_of_several_memories_at_a_path_each_says_which_days_its_words_mean(memoir: Memoir) -> None:
    for day in ("2024-03-01", "2024-05-01"):
        memoir.ok("remember", f"Moved yesterday, {day}", "-p", "a.b", "--timestamp", day, "--merge-policy", "append")

    (item,) = memoir.json("get", "a.b")["items"]

    days = [each["from"] for memory in item["value"]["memories"] for each in memory["dates"]]
    assert days == ["2024-02-29", "2024-04-30"] and "dates" not in item


def test_each_line_of_a_passage_says_which_days_its_words_mean(memoir: Memoir) -> None:
    chat(memoir, "chat", "Ada: I moved yesterday.", "Ben: Last week I was ill, today I am well, and in May I am off.")

    assert memoir.ok("get", "~0001") == (
        "sources.chat.0001#p1-2 2024-03-01 Ada: I moved yesterday. (yesterday → 2024-02-29)\n"
        "    Ben: Last week I was ill, today I am well, and in May I am off. (Last week → 2024-02-19..25)\n"
    )
    (item,) = memoir.json("get", "~0001")["items"]
    assert [each["text"] for each in item["dates"]] == ["yesterday", "Last week", "in May"]


def test_context_reads_the_turns_around_a_passage_across_segments(memoir: Memoir) -> None:
    turns = [f"{'Ada' if at % 2 else 'Ben'}: Turn {at} " + "has many words. " * 20 for at in range(40)]
    chat(memoir, "chat", *turns)

    lines = memoir.ok("get", "~0002#p1", "-C", "2").splitlines()
    items = memoir.json("get", "0002#p1", "--context", "2")["items"]

    assert len(lines) == len(items) == 5
    numbers = [int(item["value"]["content"].partition("Turn ")[2].split()[0]) for item in items]
    assert numbers == list(range(numbers[0], numbers[0] + 5))
    assert items[2]["id"] == "p1" and items[1]["key"].endswith("0001")
    keys = [f"{item['key'][-4:]}#{item['id']} " for item in items]
    starts = (f"{'~' if at else 'sources.chat.'}{key}" for at, key in enumerate(keys))
    assert all(map(str.startswith, lines, starts))


def test_context_ends_where_the_conversation_does(memoir: Memoir) -> None:
    chat(memoir, "chat", "Ada: One.", "Ben: Two.", "Ada: Three.")

    assert [item["id"] for item in memoir.json("get", "0001#p1", "-C", "5")["items"]] == ["p1", "p2", "p3"]
    nothing = memoir.run("get", "0001#p9", "-C", "5")
    assert nothing.out == "" and nothing.err.count("not found") == 1


def test_a_key_that_holds_nothing_has_the_nearest_one_in_json_as_in_text(memoir: Memoir) -> None:
    memoir.remember("people.bob.city", "Paris")

    near, held = memoir.json("get", "people.bob.citi", "people.bob.city")["items"]

    assert near["hint"] == "did you mean 'people.bob.city'?" and "hint" not in held
    assert near["hint"] in memoir.run("get", "people.bob.citi").err


def test_context_of_a_path_are_the_paths_before_and_after_it(memoir: Memoir) -> None:
    for number in range(8, 12):
        memoir.remember(f"talk.turn_{number}", f"Turn {number}")
    memoir.remember("talk.style", "Tabs")

    assert [item["key"] for item in memoir.json("get", "talk.turn_9", "-C", "1")["items"]] == [
        "talk.turn_8", "talk.turn_9", "talk.turn_10",
    ]  # fmt: skip
    assert [item["key"] for item in memoir.json("get", "talk.style", "-C", "1")["items"]] == ["talk.style"]


def test_the_end_of_an_address_that_several_sources_have_is_refused_and_they_are_named(memoir: Memoir) -> None:
    for name in ("one", "two"):
        chat(memoir, name, f"Ada: This is {name}.", "Ben: I see.")

    failed = memoir.run("get", "~0001#p1")

    assert failed.status == 2 and "name the source: sources.one.0001#p1, sources.two.0001#p1" in failed.err
    assert "This is two." in memoir.ok("get", "two.0001#p1")
    assert "This is two." in memoir.ok("why", "two.0001#p1")
    assert memoir.json("get", "three.0001#p1")["items"][0]["found"] is False


def chat(memoir: Memoir, name: str, *turns: str) -> None:
    """Ingest a conversation, every turn of one day."""
    messages = (turn.partition(": ") for turn in turns)
    lines = [{"speaker": who, "content": said, "timestamp": "2024-03-01T12:00:00Z"} for who, _, said in messages]
    (memoir.folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, lines)))
    memoir.ok("ingest", f"{name}.jsonl")


def test_the_last_passage_of_a_segment_says_where_a_long_turn_goes_on(memoir: Memoir) -> None:
    chat(memoir, "chat", "Ada: " + "".join(f"Plant {at} is on the sill. " for at in range(200)), "Ben: Good.")
    first, second = (memoir.json("get", f"~000{number}")["items"][0]["value"] for number in (1, 2))

    assert first["metadata"]["goes_on"] == "sources.chat.0002#p1"
    assert memoir.ok("get", "~0001").splitlines()[-1].strip() == "goes on: sources.chat.0002#p1"
    number = first["content"].count("Plant ")
    assert second["content"].startswith(f"Ada (2024-03-01): Plant {number} is")
    shown = memoir.ok("get", "~0001", "~0002")
    assert "    goes on: sources.chat.0002#p1\n~0002#p1" in shown
    assert "goes_on" not in memoir.json("get", "~0004#p1")["items"][0]["value"]["metadata"]


def test_a_section_does_not_go_on_in_another_one_of_the_same_heading(memoir: Memoir) -> None:
    text = "".join("## Example\n\n" + f"The pump {name} is new. " * 70 + "\n\n" for name in ("A", "B"))
    (memoir.folder / "guide.md").write_text(text)
    memoir.ok("ingest", "guide.md")

    assert "The pump A" in memoir.ok("get", "~0001") and "goes on" not in memoir.ok("get", "~0001")


def test_a_pattern_that_nothing_matches_is_reported_and_no_error(memoir: Memoir) -> None:
    memoir.remember("a.one", "First.")

    done = memoir.run("get", "nope.*", "a.*")

    assert done.status == 0 and "First." in done.out
    assert done.err == "nope.*  not found  ('memoir ls' lists all paths)\n"


def test_a_near_key_is_looked_for_for_the_first_few_missing_keys_alone(memoir: Memoir) -> None:
    memoir.remember("people.bob.city", "Berlin")

    items = memoir.json("get", *(f"people.bob.cit{number}" for number in range(7)))["items"]

    assert [item.get("hint") for item in items] == ["did you mean 'people.bob.city'?"] * 5 + [None] * 2
