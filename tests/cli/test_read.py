"""`ls`, `grep`, `summarize`, `get --stdin`: finding what is there."""

import json

from support import Memoir

PATHS = ["a", "a-b", "a.b", "a.b.c", "ab.x", "user:alice:a.z"]


def fill(memoir: Memoir) -> Memoir:
    rows = [
        {"path": path.rpartition(":")[2], "namespace": path.rpartition(":")[0] or "default", "content": f"at {path}"}
        for path in PATHS
    ]
    memoir.ok("import", "-", stdin="".join(json.dumps(row) + "\n" for row in rows))
    return memoir


def names(memoir: Memoir, *args: str) -> list[str]:
    return [key["full_key"] for key in memoir.json("ls", *args)["keys"]]


def test_ls_lists_all_namespaces_or_one_and_stays_under_its_prefix(memoir: Memoir) -> None:
    fill(memoir)

    assert names(memoir) == [f"default:{path}" for path in PATHS[:5]] + ["user:alice:a.z"]
    assert names(memoir, "a") == ["default:a", "default:a.b", "default:a.b.c", "user:alice:a.z"]
    assert names(memoir, "a.b.", "-n", "default") == ["default:a.b", "default:a.b.c"]
    assert names(memoir, "user:alice:a") == ["user:alice:a.z"]


def test_long_lists_are_paged_without_losing_a_key(memoir: Memoir) -> None:
    fill(memoir)
    keys, after = [], None
    while True:
        answer = memoir.json("ls", "--limit", "2", *(["--after", after] if after else []))
        keys += [key["full_key"] for key in answer["keys"]]
        if (after := answer["next"]) is None:
            break

    assert keys == names(memoir)


def test_a_long_list_shows_each_memory_with_its_day(memoir: Memoir) -> None:
    memoir.remember("a.b", "Use pytest\nnot unittest")
    memoir.remember("c", "Bob is here.", "--meta", "speaker=Ada")
    memoir.remember("c", "So is Eve.", "--merge-policy", "append")

    first, second, third = memoir.ok("ls", "-l").splitlines()
    assert first == "a.b  2026-01-02  Use pytest…"
    assert second.startswith("c#") and third.startswith("c#") and third.endswith("  2026-01-02  So is Eve.")
    assert memoir.content(third.split()[0]) == "So is Eve.", "the key of one of several is one to go on with"
    assert [key["value"]["content"] for key in memoir.json("ls", "a", "--long")["keys"]] == ["Use pytest\nnot unittest"]
    assert memoir.json("ls", "--long", "--limit", "1")["next"] == "default:a.b"
    assert memoir.run("ls", "--long", "--tree").status == 2


def test_grep_finds_lines_and_exits_1_without_a_match(memoir: Memoir) -> None:
    memoir.remember("a", "Use pytest\nnot unittest")
    memoir.remember("b", "use tox")

    assert memoir.ok("grep", "-i", "USE", "--keys", "a*") == "a 2026-01-02: Use pytest\n"
    answer = memoir.json("grep", "^not")
    assert answer["matches"][0]["lines"] == [
        {
            "address": "default:a",
            "line": 2,
            "text": "not unittest",
            "timestamp": "2026-01-02T03:04:05Z",
            "speaker": None,
        }
    ]
    assert memoir.ok("grep", "-l", "use") == "a\nb\n"
    assert memoir.ok("grep", "-l", "use", "--case-sensitive") == "b\n"
    assert memoir.run("grep", "use", "-i", "--case-sensitive").status == 2
    nothing = memoir.run("grep", "-F", "py.est", "--json")
    assert (nothing.status, nothing.json["count"], nothing.json["success"]) == (1, 0, True)
    assert memoir.run("grep", "(").status == 2


def test_grep_shows_the_lines_around_each_match_once(memoir: Memoir) -> None:
    words = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight"]
    memoir.remember("a", "\n".join(words))

    assert memoir.ok("grep", "-C", "1", "two|three|seven") == (
        "    one\na 2026-01-02: two\na 2026-01-02: three\n    four\n--\n    six\na 2026-01-02: seven\n    eight\n"
    )
    lines = memoir.json("grep", "-C", "1", "zero|two")["matches"][0]["lines"]
    assert [[line["text"] for line in hit["before"]] for hit in lines] == [[], ["one"]]
    assert [[line["full_key"] for line in hit["after"]] for hit in lines] == [["default:a"]] * 2
    assert memoir.ok("-C", ".", "grep", "-C", "0", "zero") == "a 2026-01-02: zero\n"


def test_grep_says_which_days_the_words_that_it_shows_mean(memoir: Memoir) -> None:
    rest = "Her week is full. " * 8
    memoir.remember("a", f"We swam last week.\nWe hike. {rest}Last year we rowed.\nAnd yesterday?")

    swam, _ = memoir.json("grep", "swam|hike")["matches"][0]["lines"]
    assert swam["dates"] == [{"text": "last week", "from": "2025-12-22", "to": "2025-12-28"}]
    assert memoir.ok("grep", "swam|hike") == (
        "a 2026-01-02: We swam last week. (last week → 2025-12-22..28)\na 2026-01-02: We hike.…\n"
    )
    assert memoir.ok("grep", "-C", "1", "rowed").endswith("    And yesterday? (yesterday → 2026-01-01)\n")


def test_grep_shows_of_a_long_line_a_sentence_for_each_word_that_matches(memoir: Memoir) -> None:
    swims, hikes = "On Sundays she swims in the lake.", "In autumn she hikes with her sister."
    memoir.remember("a", f"Her week is full. {swims} {'She sleeps well after that. ' * 5}{hikes} She swims alone.")

    assert memoir.ok("grep", "swim") == f"a 2026-01-02: …{swims}…\n"
    assert memoir.ok("grep", "swim|hike") == f"a 2026-01-02: …{swims}…{hikes}…\n"
    assert memoir.ok("grep", "h.*sister").startswith("a 2026-01-02: Her week is full.")


def test_grep_shows_the_sentence_of_a_match_deep_in_a_long_line(memoir: Memoir) -> None:
    memoir.remember(
        "a", "Nothing happens here. " * 5_000 + "She found a needle in the hay. " + "Nothing more. " * 5_000
    )

    assert memoir.ok("grep", "needle") == "a 2026-01-02: …She found a needle in the hay.…\n"


def test_grep_cuts_a_long_line_between_words(memoir: Memoir) -> None:
    words = " ".join(["lighthouse keepers"] * 20)
    memoir.remember("a", f"{words} needle {words}\n{words}")

    found, around = memoir.ok("grep", "-C", "1", "needle").splitlines()

    for shown in (found.removeprefix("a 2026-01-02: "), around):
        assert shown.endswith("…") and {*shown.replace("…", " ").split()} <= {"lighthouse", "keepers", "needle"}


def test_grep_each_shows_some_lines_for_each_word_that_matches(memoir: Memoir) -> None:
    memoir.remember("a", "She swims.\nShe swims a mile.\nShe hikes.\nShe swims, and she rows.")
    memoir.remember("b", "Rowing is hard.\nShe rows.")

    shown = memoir.run("grep", "--each", "1", "swim|hike|row")
    assert shown.out.splitlines() == ["a 2026-01-02: She hikes.", "a 2026-01-02: She swims, and she rows."]
    assert shown.err == ""
    assert "without -m 1 --each 1 all are shown" in memoir.run("grep", "--each", "1", "-m", "1", "swim|hike|row").err
    answer = memoir.json("grep", "--each", "2", "-m", "3", "swim|hike|row")
    assert (len(answer["matches"][0]["lines"]), answer["count"], answer["more"]) == (3, 1, True)
    assert memoir.json("grep", "--each", "3", "swim|hike|row")["more"] is False


def test_grep_each_shows_of_a_long_line_the_sentences_of_the_words_that_it_was_chosen_for(memoir: Memoir) -> None:
    about = "It was a long day for all of us in the town by the sea. "
    memoir.remember("a", "I went to swim in the lake. I also hike. " + 3 * about + "I play golf. We play polo. I row.")
    memoir.remember("b", "I go to swim in the lake, as every summer, with Ada and Ben.")

    shown = memoir.ok("grep", "-w", "--each", "1", "swim|hike|golf|polo|row")

    assert "I also hike" in shown and "I play golf. We play polo. I row" in shown and "as every summer" in shown
    assert "I went to swim" not in shown and about.strip() not in shown


def test_grep_shows_a_long_line_around_its_match_and_json_has_all_of_it(memoir: Memoir) -> None:
    text = "word " * 200 + "needle" + " word" * 200
    memoir.remember("a", text)

    shown = memoir.ok("grep", "needle")
    assert "needle" in shown and len(shown) < 200 and shown.startswith("a 2026-01-02: …word")
    assert memoir.json("grep", "needle")["matches"][0]["lines"][0]["text"] == text


def test_summarize_pages_through_keys(memoir: Memoir) -> None:
    fill(memoir)

    answer = memoir.json("summarize", "--keys", "a.*", "--keys", "ab.*", "-l", "2", "-n", "default")

    assert answer["matching_keys"] == {"default": ["a.b", "a.b.c"]}
    assert answer["next"] == "default:a.b.c"
    assert answer["total_memories"] == 5, "totals ignore the globs"
    assert memoir.run("summarize", "-l", "2").status == 2


def test_thousands_of_keys_are_all_there(memoir: Memoir) -> None:
    rows = "".join(f'{{"path":"k{number}.x","content":"{number}"}}\n' for number in range(3000))
    memoir.ok("import", "-", stdin=rows)

    assert memoir.json("summarize", "--depth", "1")["prefix_counts"]["default"] == {f"k{n}": 1 for n in range(3000)}
    assert len(memoir.json("summarize", "--keys", "*")["matching_keys"]["default"]) == 3000
    assert memoir.json("ls")["count"] == 3000
    assert memoir.ok("export").count("\n") == 3000


def test_get_reads_keys_from_standard_input_in_order(memoir: Memoir) -> None:
    fill(memoir)

    answer = memoir.json("get", "--stdin", stdin="ab.x\nno\nuser:alice:a.z\n")

    assert [(item["full_key"], item["found"]) for item in answer["items"]] == [
        ("default:ab.x", True), ("default:no", False), ("user:alice:a.z", True)
    ]  # fmt: skip
    assert memoir.json("get", "--stdin", stdin="")["items"] == []


def test_raw_prints_the_content_and_nothing_else(memoir: Memoir) -> None:
    memoir.remember("a", "exact\r\x1b[0m")

    assert memoir.run("get", "--raw", "a").out == "exact\r\x1b[0m"
    assert memoir.run("get", "--raw", "a", "b").status == 2
    assert memoir.run("get", "--raw", "b").status == 4


def test_forgetting_a_prefix_or_a_trial_run(memoir: Memoir) -> None:
    fill(memoir)

    assert memoir.json("forget", "a", "--prefix", "--dry-run")["count"] == 3
    assert memoir.json("status")["memory_count"] == 6
    memoir.ok("forget", "a", "--prefix")
    assert names(memoir) == ["default:a-b", "default:ab.x", "user:alice:a.z"]
    assert memoir.run("forget", "gone", "--prefix").status == 4


def test_keys_and_matches_come_as_they_are_found(memoir: Memoir) -> None:
    memoir.ok("import", "-", stdin="".join(f'{{"path": "k.n{n}", "content": "x{n}"}}\n' for n in range(5_000)))

    for command in (["ls"], ["grep", "x"]):
        whole = memoir.json(*command)
        assert whole["count"] == len(whole["keys" if "ls" in command else "matches"]) == 5_000
        assert memoir.ok(*command).count("\n") == 5_000
    assert memoir.json("ls", "--limit", "2")["next"] == "default:k.n1"
    assert memoir.json("ls", "--limit", "5000")["next"] is None
    assert (memoir.run("-q", "grep", "x1").status, memoir.run("-q", "grep", "none").status) == (0, 1)


def test_grep_says_the_day_and_the_speaker_where_they_change_as_its_help_does(memoir: Memoir) -> None:
    said = [("user", "We sail on Friday."), ("user", "We sail at nine."), ("assistant", "You sail then.")]
    rows = [{"role": role, "content": text, "timestamp": "2026-03-01T10:00:00Z"} for role, text in said]
    memoir.ok("ingest", "-", "--name", "c", stdin="\n".join(map(json.dumps, rows)))

    assert [line.partition(" ")[2] for line in memoir.ok("grep", "sail").splitlines()] == [
        "2026-03-01: user: We sail on Friday.",
        "We sail at nine.",
        "2026-03-01: assistant: You sail then.",
    ]
    assert "printed where they change" in memoir.ok("grep", "--help")


def test_grep_shows_the_words_of_a_line_without_the_time_and_the_name_that_it_begins_with(memoir: Memoir) -> None:
    memoir.ok("ingest", "-", stdin="[2026-01-02 09:30] Ada: Buy figs.\n[2026-01-02 09:31] Ben: How many?\n")

    assert memoir.ok("grep", "-C", "1", "--sources", "only", "figs") == (
        "sources.stdin.0001#p1 2026-01-02: Ada: Buy figs.\n    Ben: How many?\n"
    )


def test_grep_names_a_source_and_a_passage_once(memoir: Memoir) -> None:
    memoir.ok("ingest", "-", stdin="Ada: Buy figs.\nThen figs again.\nBen: No figs.\nAda: Oh.\nBen: Well.\n")

    assert memoir.ok("grep", "--sources", "only", "figs") == (
        "sources.stdin.0001#p1 2026-01-02: Ada: Buy figs.\n    Then figs again.\n~0001#p2 2026-01-02: Ben: No figs.\n"
    )
    assert memoir.ok("grep", "--sources", "only", "Buy") == "sources.stdin.0001#p1 2026-01-02: Ada: Buy figs.\n"


def test_grep_shows_a_match_behind_a_word_of_any_length(memoir: Memoir) -> None:
    memoir.remember("a", "See " + "x" * 500 + "needle")

    assert "needle" in memoir.ok("grep", "needle")


def test_grep_stops_after_as_many_lines_as_are_wanted_and_says_that_there_are_more(memoir: Memoir) -> None:
    memoir.remember("a.one", "x1\nx2\nx3")
    memoir.remember("a.two", "x4")

    two, all_four = memoir.run("grep", "-m", "2", "x"), memoir.run("grep", "-m", "4", "x")

    assert (two.out.count("\n"), two.err) == (2, "more lines match; without -m 2 all are shown\n")
    assert (all_four.out.count("\n"), all_four.err) == (4, "")
    assert [(each["count"], each["more"]) for each in (memoir.json("grep", "-m", n, "x") for n in "34")] == [
        (1, True), (2, False)
    ]  # fmt: skip
    assert "more" not in memoir.json("grep", "x") and memoir.run("grep", "-m", "0", "x").status == 2
