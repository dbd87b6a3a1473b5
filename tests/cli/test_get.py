"""`memoir get`: point reads."""

from support import Memoir


def test_a_missing_key_is_answered_not_refused(memoir: Memoir) -> None:
    memoir.remember("preferences.coding.testing", "Use pytest")

    answer = memoir.json("get", "preferences.coding.testing", "no.such.path")

    assert [item["found"] for item in answer["items"]] == [True, False]
    assert answer["items"][0]["value"]["content"] == "Use pytest"
    assert answer["items"][1]["value"] is None
    assert (answer["count"], answer["found_count"]) == (2, 1)


def test_metadata_are_shown_as_words_and_not_as_json(memoir: Memoir) -> None:
    memoir.remember("a.b", "We test with pytest", "--meta", "tag=x", "--meta", "tag=y", "--link", "causes=c.d")
    memoir.ok("remember", "We deploy with Nomad")
    key = next(key for key in memoir.ok("ls").split() if key != "a.b")

    assert "  links.causes=default:c.d  tag=x, y\n" in memoir.ok("get", "a.b")
    assert "  filed by rules (0." in memoir.ok("get", key)
    memoir.ok("mv", key, "a.c")
    assert f"  moved from {key}\n" in memoir.ok("get", "a.c")


def test_an_item_says_who_speaks(memoir: Memoir) -> None:
    line = '{"speaker": "Caroline", "content": "I adopted a cat last Friday!", "timestamp": "2023-08-23"}'
    (memoir.folder / "chat.jsonl").write_text(line)
    memoir.ok("ingest", "chat.jsonl")

    assert "    Caroline: I adopted a cat last Friday!\n" in memoir.ok("get", "*")


def test_a_passage_is_its_key_its_time_and_its_words(memoir: Memoir) -> None:
    memoir.ok("ingest", "-", stdin="Ada: I moved to Lisbon.\nBen: When?\n")
    key = memoir.json("recall", "Lisbon", "-l", "1")["memories"][0]["address"]

    head, words = memoir.ok("get", key).splitlines()

    assert "#p1  " in head and "source=" not in head and "confidence" not in head
    assert words.strip().startswith("Ada") and words.endswith(": I moved to Lisbon.")
