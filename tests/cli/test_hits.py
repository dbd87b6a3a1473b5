"""What `memoir recall` prints of each hit, and how it gathers lists."""

import json
import os
import subprocess
from collections.abc import Sequence

from support import Memoir, built_once

TURNS = [
    ("Ada", "2024-03-04", "What a day! How are you? I hope that the exam went well."),
    (
        "Ben",
        "2024-03-04",
        "It was long. For my mother's birthday last Friday we made macarons, and she loved them. " * 3,
    ),
    ("Ada", "2024-03-04", "Lovely! Which flavours did you try?"),
    ("Ben", "2024-03-11", "We tried pistachio macarons again. Yesterday I read a book by Ursula Le Guin."),
    ("Ada", "2024-03-18", "I finished a book too: Middlemarch. I will fly to Lisbon in May."),
    ("Ben", "2024-03-18", "Books are the best. " + "Nothing else is as good on a rainy evening. " * 12),
]


FOODS = ("hay", "figs", "apples", "straw")


@built_once
def chat(memoir: Memoir) -> None:
    lines = [
        {"speaker": who, "content": text, "timestamp": f"{day}T12:{at:02}:00Z"}
        for at, (who, day, text) in enumerate(TURNS)
    ]
    (memoir.folder / "chat.jsonl").write_text("\n".join(map(json.dumps, lines)))
    memoir.ok("ingest", "chat.jsonl")
    memoir.ok("recall", "macarons")  # which builds the index


def texts(memoir: Memoir, *args: str) -> Sequence[str]:
    """The lines of hits."""
    return memoir.ok("recall", *args).splitlines()


def test_a_hit_is_one_line_of_its_day_who_says_it_the_sentence_that_answers_and_its_key(chat: Memoir) -> None:
    (line,) = texts(chat, "mother's birthday", "-l", "1")

    assert line.startswith("2024-03-04 Ben: ") and "birthday last Friday we made macarons" in line
    assert line.count("2024-03-04") == 1 and "last Friday → 2024-03-01" in line
    key = line.split()[-1]
    assert chat.ok("get", "--raw", key).startswith("Ben (2024-03-04): It was long.")


def test_five_hits_take_a_thousand_characters_in_all_that_is_printed(chat: Memoir) -> None:
    done = chat.run("recall", "macarons book exam birthday evening")

    assert len(done.out.splitlines()) == 5
    assert (len(done.out) <= 1000, done.err) == (True, "")


def test_hits_are_the_shorter_the_later_they_come(memoir: Memoir) -> None:
    told = "The zebra of the zoo, {}. " + "It eats hay in the morning and sleeps in the afternoon. " * 10
    said = [told.format(number) for number in range(5)]
    memoir.ok("ingest", "-", stdin="".join(f"{'Ada' if at % 2 else 'Ben'}: {text}\n" for at, text in enumerate(said)))

    sizes = [len(line) for line in texts(memoir, "the zebra of the zoo")]

    assert len(sizes) == 5 and sum(sizes) <= 1000 and sizes == sorted(sizes, reverse=True) and sizes[0] > 2 * sizes[4]


def test_the_source_of_all_hits_is_named_once_and_get_reads_what_is_left_of_the_keys(chat: Memoir) -> None:
    first, *keys = [line.split()[-1] for line in texts(chat, "macarons, books", "-l", "3")]

    assert first.startswith("sources.chat.0") and len(keys) == 2 and all(key.startswith("~0") for key in keys)
    assert [chat.ok("get", key) for key in keys] == [chat.ok("get", f"sources.chat.{key[1:]}") for key in keys]


def test_hits_of_two_sources_have_whole_keys(chat: Memoir) -> None:
    (chat.folder / "other.txt").write_text("Eva: I bake macarons.\nBen: Nice.\n")
    chat.ok("ingest", "other.txt")

    keys = [line.split()[-1] for line in texts(chat, "macarons", "-l", "4", "--sources", "only")]

    assert {key.split(".")[1] for key in keys} == {"chat", "other"}


def test_what_hardly_bears_on_the_question_is_left_out_of_the_lines_and_counted(chat: Memoir) -> None:
    done = chat.run("recall", "macarons for a birthday")

    shown = done.out.splitlines()
    assert len(shown) == 3 and "macarons" in shown[0]
    assert done.err == "-l 5 shows 2 more\n"
    assert len(texts(chat, "macarons for a birthday", "-l", "5")) == 5


def test_an_answer_is_shown_with_the_question_that_it_answers(memoir: Memoir) -> None:
    said = "Ada: Hello!\nAda: Have you been to Madeira?\nBen: Yes, in spring, for the flowers!\nAda: Oh.\n"
    memoir.ok("ingest", "-", stdin=said)

    (line,) = texts(memoir, "spring flowers", "-l", "1")
    both = "\n".join(texts(memoir, "Madeira, spring flowers", "-l", "2"))

    assert "Ada: Have you been to Madeira? | Ben: Yes, in spring, for the flowers!  " in line
    assert both.count("Have you been to Madeira?") == 1


def test_a_day_that_its_month_names_is_not_told_again_and_another_only_once(memoir: Memoir) -> None:
    told = "Yesterday we signed, yesterday we paid; we move on March 31."
    (memoir.folder / "chat.jsonl").write_text(
        json.dumps({"speaker": "Ada", "content": told, "timestamp": "2024-03-15"})
        + "\n" + json.dumps({"speaker": "Ben", "content": "Good.", "timestamp": "2024-03-15"})
    )  # fmt: skip
    memoir.ok("ingest", "chat.jsonl")

    (line,) = texts(memoir, "when do we move?", "-l", "1", "--sources", "only")

    assert line.count("→") == 2 and "March 31 →" not in line


def test_a_person_is_who_says_it_and_whom_a_memory_is_about(chat: Memoir) -> None:
    chat.remember("people.ada", "She reads Middlemarch every year", "--meta", "person=Ada")

    found = texts(chat, "which books", "--person", "ada")
    lines = chat.ok("grep", "--person", "ada", "middlemarch|books?").splitlines()

    assert found and all("Ada: " in line or "  people.ada" in line for line in found)
    assert len(lines) == 2 and "Ada: I finished a book too" in lines[0] and lines[1].startswith("people.ada")
    nothing = chat.run("grep", "--person", "ben", "middlemarch")
    assert nothing.status == 1 and nothing.err == "no line matches\n"


def test_full_shows_whole_contents_and_json_keeps_them(chat: Memoir) -> None:
    whole = chat.json("recall", "rainy evening", "-l", "1")["memories"][0]["content"]

    assert len(whole) > 300
    assert whole in chat.ok("recall", "rainy evening", "-l", "1", "--full").replace("\n      ", "\n")
    assert whole not in chat.ok("recall", "rainy evening", "-l", "1")


def test_a_remembered_memory_has_its_day_and_key(memoir: Memoir) -> None:
    memoir.remember("preferences.coding.testing", "Prefers pytest", "--timestamp", "2026-03-04")

    assert texts(memoir, "pytest") == ["2026-03-04 Prefers pytest  preferences.coding.testing"]


def test_json_names_the_days_that_words_mean_by_when_they_were_said(chat: Memoir) -> None:
    by_speaker = {each["speaker"]: each for each in chat.json("recall", "Lisbon or Le Guin", "-l", "2")["memories"]}

    assert by_speaker["Ada"]["dates"] == [{"text": "in May", "from": "2024-05-01", "to": "2024-05-31"}]
    assert by_speaker["Ben"]["dates"] == [{"text": "Yesterday", "from": "2024-03-10", "to": "2024-03-10"}]
    assert "dates" not in chat.json("recall", "flavours", "-l", "1")["memories"][0]


def test_neighbours_stand_around_a_hit_in_the_order_of_time(chat: Memoir) -> None:
    before, hit, after = texts(chat, "which flavours", "-l", "1", "--context", "1")

    assert before.startswith("  -1  Ben: It was long.") and hit.startswith("2024-03-04 Ada: ")
    assert after.startswith("  +1  Ben (2024-03-11): We tried pistachio")


def test_neighbours_of_joined_turns_stand_before_the_first_and_after_the_last(memoir: Memoir) -> None:
    said = [*["Hello there."] * 5, "The zebra ate.", "Which zebra?", *["I see."] * 5]
    turns = "".join(f"{'Ada' if at % 2 else 'Ben'}: {text}\n" for at, text in enumerate(said))
    memoir.ok("ingest", "-", stdin=turns)

    (hit,) = memoir.json("recall", "zebra", "-l", "2", "--context", "1")["memories"]

    first, last = map(int, hit["id"].removeprefix("p").split("-"))
    near = [(each["distance"], each["address"].rpartition("#p")[2]) for each in hit["context"]]
    assert 1 < first < last < len(said)
    assert near == [(-1, str(first - 1)), (1, str(last + 1))]
    assert [each["speaker"] for each in hit["context"]] == [
        "Ada" if (at - 1) % 2 else "Ben" for at in (first - 1, last + 1)
    ]


def test_gather_lists_what_answers_in_the_order_of_time_a_line_a_turn(chat: Memoir) -> None:
    lines = texts(chat, "which books have they read?", "--gather")
    answer = chat.json("recall", "which books have they read?", "--gather")

    assert [line[:15] for line in lines] == ["2024-03-11 Ben:", "2024-03-18 Ada:", "2024-03-18 Ben:"]
    assert answer["metadata"]["gathered"] is True
    assert [each["speaker"] for each in answer["memories"]] == ["Ben", "Ada", "Ben"]
    assert [("truncated" in each, len(each["content"]) < 200) for each in answer["memories"]] == [
        (False, True), (False, True), (True, False),
    ]  # fmt: skip
    assert len(texts(chat, "which books have they read?", "--gather", "--limit", "2")) == 2


def test_gather_leaves_out_what_shares_nothing_with_the_question(chat: Memoir) -> None:
    assert all("macarons" in line for line in texts(chat, "macarons", "--gather"))


def test_what_gather_lists_can_be_read_and_what_it_left_out_is_counted(chat: Memoir) -> None:
    done = chat.run("recall", "macarons", "--gather")
    answer = chat.json("recall", "macarons", "--gather")

    keys = [line.split()[-1] for line in done.out.splitlines()]
    assert all("macarons" in chat.ok("get", "--raw", key) for key in keys)
    left_out = answer["metadata"]["weaker"]
    assert left_out == len(TURNS) - len(keys)
    assert f"-l {len(TURNS)} shows {left_out} more" in done.err
    everything = chat.run("recall", "macarons", "--gather", "-l", str(len(TURNS)))
    assert (len(everything.out.splitlines()), everything.err) == (len(TURNS), "")


def test_gather_leaves_out_what_has_only_a_common_word_of_the_question(memoir: Memoir) -> None:
    told = ["We hiked to a volcano in June.", "Another volcano in July was steeper.", "Dinner in June was late."]
    fillers = [f"In June we met in room {number}." for number in range(12)]
    (memoir.folder / "trips.txt").write_text("".join(f"Ada: {text}\nBen: Fine.\n" for text in (*told, *fillers)))
    memoir.ok("ingest", "trips.txt")

    lines = texts(memoir, "volcano hikes in June", "--gather")

    assert len(lines) == 2 and all("volcano" in line for line in lines)


def test_a_question_is_shown_with_what_somebody_else_replies(memoir: Memoir) -> None:
    memoir.ok("ingest", "-", stdin="Ada: Hello!\nBen: Which flavours did you try?\nAda: Only pistachio.\nBen: Good.\n")

    (line,) = texts(memoir, "which flavours", "-l", "1")
    both = texts(memoir, "which flavours, pistachio", "-l", "2")

    assert "Ben: Which flavours did you try? | Ada: Only pistachio.  " in line
    assert "\n".join(both).count("Only pistachio.") == 1
    assert not any("pistachio" in line for line in texts(memoir, "which flavours", "--gather"))


def test_a_statement_is_shown_without_a_reply(memoir: Memoir) -> None:
    memoir.ok(
        "ingest", "-", stdin="Ada: Hello!\nBen: We tried two flavours.\nAda: Only pistachio is good.\nBen: Good.\n"
    )

    (line,) = texts(memoir, "flavours", "-l", "1")

    assert "pistachio" not in line


def test_neighbours_of_two_hits_are_two_groups(chat: Memoir) -> None:
    lines = texts(chat, "exam, Lisbon", "-l", "2", "--context", "1")

    assert lines.count("--") == 1 and lines[0] != "--" != lines[-1]
    assert len(set(lines)) == len(lines)


def test_where_nothing_fits_the_answer_says_so(chat: Memoir) -> None:
    asked = "how deep do submarines dive?"
    failed = chat.run("recall", asked)
    found = chat.run("recall", "mother's birthday macarons")

    assert "nothing fits well; the nearest:" in failed.err and failed.out
    assert "nothing fits" not in found.err
    assert chat.json("recall", asked)["metadata"]["weak"] is True
    assert "weak" not in chat.json("recall", "mother's birthday macarons")["metadata"]


def test_the_entry_of_a_list_that_answers_is_first_in_its_line(memoir: Memoir) -> None:
    team = {"Ada": "the parser", "Ben": "all servers", "Eva": "the plants"}
    team |= {f"Zoe {number}": "every bill" for number in range(4)}
    entries = "\n".join(f"- {who} looks after {what} and meets the others at noon" for who, what in team.items())
    (memoir.folder / "team.md").write_text(f"# Team\n\n{entries}\n")
    memoir.ok("ingest", "team.md")

    (line,) = texts(memoir, "who meets the plants", "-l", "1")

    assert line.split(" ", 1)[1].startswith("… - Eva looks after the plants and meets the others at noon")


def test_a_mode_in_which_a_model_picks_gathers_no_list(chat: Memoir) -> None:
    failure = chat.run("recall", "books", "--gather", "--mode", "single")

    assert failure.status == 2 and "gathers no list" in failure.err


def test_person_finds_passages_by_who_says_them(chat: Memoir) -> None:
    assert {each["speaker"] for each in chat.json("recall", "books", "--person", "ada")["memories"]} == {"Ada"}


def assisted(memoir: Memoir, *turns: str) -> None:
    """Ingest a chat with an assistant, who begins none."""
    lines = [
        {"role": "assistant" if at % 2 else "user", "content": text, "timestamp": "2024-03-15"}
        for at, text in enumerate(turns)
    ]
    (memoir.folder / "chat.jsonl").write_text("\n".join(map(json.dumps, lines)))
    memoir.ok("ingest", "chat.jsonl")


def test_person_tells_what_the_user_says_from_what_the_assistant_says(memoir: Memoir) -> None:
    assisted(memoir, "Which cache do we use?", "Redis is a cache that many use.", "We use Redis as our cache.")

    for role in ("user", "assistant"):
        answer = memoir.json("recall", "Redis cache", "--person", role)
        assert {each["speaker"] for each in answer["memories"]} == {role}

    memoir.remember("a.b", "Redis is our cache.")
    found = memoir.json("explain", "Redis cache", "a.b", "--person", "user")
    assert "not about user" in json.dumps(found)


def test_grep_names_who_speaks_where_the_person_is_unknown(chat: Memoir) -> None:
    failure = chat.run("grep", "macarons", "--person", "user")

    assert failure.status == 4 and failure.err == (
        "memoir: nobody is called 'user' there\nhint: --person takes Ada, Ben\n"
    )
    assert chat.run("grep", "macarons", "--person", "ada").status == 1


def test_standing_instructions_take_the_room_that_the_memories_leave(memoir: Memoir) -> None:
    rules = [f"Always name the harbour {word} when I ask about boats." for word in ("master", "pilot", "port")]
    assisted(
        memoir, "We keep two boats in the harbour of Lisbon.", "Fine.", *(x for each in rules for x in (each, "Ok."))
    )

    def ask(tokens: str, *options: str) -> str:
        return memoir.ok("recall", "where are our boats in the harbour", "-l", "2", "--max-tokens", tokens, *options)

    for tokens in ("40", "60", "90", "130", "400"):
        assert "Lisbon" in ask(tokens) and len(ask(tokens)) <= int(tokens) * 4
    for tokens in ("400", "600"):
        answer = ask(tokens, "--json")
        assert json.loads(answer)["memories"] and len(answer) <= int(tokens) * 4
    assert len(json.loads(ask("2000", "--json"))["standing"]) > 0


def test_in_a_store_without_chats_the_user_is_nobody(memoir: Memoir) -> None:
    memoir.remember("a.b", "Redis is our cache.")

    failure = memoir.run("recall", "Redis", "--person", "user")

    assert failure.status == 4 and "no memory is about 'user'" in failure.err


def test_a_standing_instruction_is_a_line_after_the_hits_that_do_not_show_it(memoir: Memoir) -> None:
    assisted(memoir, "Our dependencies are Flask and Redis.", "Fine.", "Always include versions of dependencies.")

    (flask, last), both = (texts(memoir, "our dependencies on Redis", "-l", limit) for limit in ("1", "2"))

    assert last.startswith('always: "Always include versions') and last.endswith("(user, 2024-03-15)")
    assert "Flask" in flask and sum("Always include" in line for line in both) == 1
    assert not any(line.startswith("always: ") for line in both)
    assert memoir.json("recall", "what is the weather like?")["standing"] == [] != texts(memoir, "the weather")


def test_five_hits_and_the_instructions_beside_them_take_a_thousand_characters(memoir: Memoir) -> None:
    told = "Our Flask app number {0} has its own dependencies, such as Redis {0} and a queue of jobs that is long, " * 3
    asked = [
        "Always include the exact versions of dependencies when I ask about the app, the Redis server and the queues.",
        "Always list dependencies of the app by name when I ask about the Flask app, Redis or any queue of its jobs.",
        "I prefer few dependencies for the Flask app and its Redis, and I would rather write a queue of jobs by hand.",
    ]
    assisted(memoir, *(text for said in (*map(told.format, range(6)), *asked) for text in (said, "Fine.")))

    shown = memoir.ok("recall", "which dependencies has our Flask app, such as Redis and the queue of jobs?")

    assert [sum(line.startswith(word) for line in shown.splitlines()) for word in ("2024-", "always:", "prefers:")] == [
        5, 2, 1
    ]  # fmt: skip
    assert len(shown) <= 1000


def test_preferences_are_no_part_of_an_answer_with_a_number(memoir: Memoir) -> None:
    assisted(memoir, "I prefer dark roasts of coffee, always.", "Fine.", "The coffee costs 9 euros a bag.", "I see.")

    question = "what does a bag of coffee cost, I prefer dark roasts?"

    assert memoir.json("recall", question, "-l", "1")["standing"]
    assert not any(line.startswith("prefers: ") for line in texts(memoir, question, "-l", "1"))


def test_every_instruction_is_shown_where_they_are_asked_for(memoir: Memoir) -> None:
    told = ["dates in ISO form", "prices in euros", "version numbers"]
    assisted(memoir, *(text for each in told for text in (f"Always include {each} in lists.", "I see.")))

    shown = texts(memoir, "which rules did I give you?")

    assert [sum(each in line for line in shown) for each in told] == [1, 1, 1]


def test_a_list_leaves_out_what_an_assistant_says_around_the_facts(memoir: Memoir) -> None:
    said = [
        ("user", "I finished the chess opening puzzles."),
        ("assistant", "Great! These chess tips should help."),
        ("user", "I lost a chess game to Eva."),
        ("assistant", "By following these steps you will win at chess."),
    ]
    lines = [{"role": who, "content": text, "timestamp": "2024-03-15T10:00:00Z"} for who, text in said]
    (memoir.folder / "chat.jsonl").write_text("\n".join(map(json.dumps, lines)))
    memoir.ok("ingest", "chat.jsonl")

    mine = texts(memoir, "my chess puzzles and games", "--gather", "--sources", "only")

    assert len(mine) == 2 and all(" user: " in line for line in mine)


def test_a_list_has_2800_characters_at_most_unless_a_limit_is_given(memoir: Memoir) -> None:
    told = "The zebra ate hay {} and slept. " + "It is a long story of a zebra. " * 8
    said = "".join(f"{'Ada' if at % 2 else 'Ben'}: {told.format(at)}\n" for at in range(60))
    memoir.ok("ingest", "-", stdin=said)

    listed = memoir.json("recall", "the zebra", "--gather", "--sources", "only")["memories"]
    everything = memoir.json("recall", "the zebra", "--gather", "--sources", "only", "-l", "40")["memories"]

    assert 12 < len(listed) < len(everything) == 40
    assert sum(len(each["content"]) for each in listed) <= 2_800


def test_each_thing_that_a_question_lists_is_searched_for_by_itself(memoir: Memoir) -> None:
    said = ["I moved to Porto.", "The boiler broke.", "Eva had a party.", "My first day at the bakery was long."]
    noise = [f"The order of the calendar is kept, number {at}." for at in range(30)]
    lines = [{"speaker": "Ada", "content": text, "timestamp": f"2024-03-{at + 1:02}"} for at, text in enumerate(said)]
    lines += [{"speaker": "Ben", "content": text, "timestamp": "2024-04-01"} for text in noise]
    (memoir.folder / "talk.jsonl").write_text("\n".join(map(json.dumps, lines)))
    memoir.ok("ingest", "talk.jsonl")

    shown = texts(memoir, "in what order of the calendar: the party, the first day, the moving to Porto?", "--gather")

    wanted = [each for each in shown if any(word in each for word in ("Porto", "party", "first day"))]
    assert [each[:10] for each in wanted] == ["2024-03-01", "2024-03-03", "2024-03-04"]


def test_hits_of_one_day_are_listed_as_they_stand_in_their_source(memoir: Memoir) -> None:
    lines = [{"speaker": "Ada", "content": f"The zebra ate {what}.", "timestamp": "2024-03-01"} for what in FOODS]
    (memoir.folder / "talk.jsonl").write_text("\n".join(map(json.dumps, lines)))
    memoir.ok("ingest", "talk.jsonl", "--name", "talk")

    shown = " ".join(texts(memoir, "what has the zebra eaten? apples most of all", "--gather"))

    assert [shown.index(food) for food in FOODS] == sorted(shown.index(food) for food in FOODS)


def test_what_is_only_said_again_on_a_day_is_left_out(memoir: Memoir) -> None:
    told = "I have tested 65 of the valves, and the pump works."
    said = ["Hello.", told, "Good.", f"Well, {told}", "Good.", "I have tested 80 of the valves, and the pump works."]
    lines = [
        {"role": "assistant" if at % 2 else "user", "content": text, "timestamp": "2024-03-01"}
        for at, text in enumerate(said, 1)
    ]
    (memoir.folder / "chat.jsonl").write_text("\n".join(map(json.dumps, lines)))
    memoir.ok("ingest", "chat.jsonl")

    shown = "\n".join(texts(memoir, "which valves have I tested, and does the pump work?", "--sources", "only"))

    assert (shown.count("65 of the valves"), shown.count("80 of the valves")) == (1, 1)


def test_what_an_answer_lacks_stands_above_it(memoir: Memoir) -> None:
    memoir.remember("a.b", "We use tabs.")
    memoir.ok("config", "--global", "memoir.recall.mode", "single")

    done = subprocess.run(memoir.argv("recall", "tabs"), cwd=memoir.folder, env={**os.environ, **memoir.env},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True)  # fmt: skip

    first, hit, how = done.stdout.splitlines()
    assert first.startswith("degraded: ") and "We use tabs." in hit and how.startswith("mode simple")


def test_grep_shows_two_lines_of_a_passage_and_nothing_twice(memoir: Memoir) -> None:
    log = "Look at this log:\n" + "".join(f"    hook failed with code {code}\n" for code in (1, 2, 3, 3))
    turns = [("user", log), ("assistant", "The hook failed with code 1, I think."), ("user", log)]
    lines = [{"role": role, "content": text, "timestamp": "2024-03-04"} for role, text in turns]
    memoir.ok("ingest", "-", "--name", "chat", stdin="\n".join(map(json.dumps, lines)))

    shown = memoir.ok("grep", "hook failed").splitlines()

    assert [line.partition("user: ")[2].strip() or line.strip() for line in shown[:2]] == [
        "hook failed with code 1",
        "hook failed with code 2",
    ]
    assert "assistant: The hook failed with code 1" in shown[2]
    assert shown[-1] == "… 4 lines in passages above, 2 lines as one above (--json has all)"
    found = memoir.json("grep", "hook failed")["matches"]
    assert sum(len(match["lines"]) for match in found) == 9


def test_grep_shows_a_further_line_of_a_passage_that_has_another_word(memoir: Memoir) -> None:
    text = "My week:\n- I swim on Mondays\n- I swim on Tuesdays\n- I swim on Fridays\n- I row on Sundays"
    (memoir.folder / "chat.jsonl").write_text(json.dumps({"role": "user", "content": text, "timestamp": "2024-03-04"}))
    memoir.ok("ingest", "chat.jsonl")

    shown = memoir.ok("grep", "swim|row")

    assert "Mondays" in shown and "row on Sundays" in shown
    assert "Fridays" not in shown and "… 1 line in passages above" in shown


def test_grep_leaves_out_code_where_prose_matches_and_says_a_day_and_a_name_once(memoir: Memoir) -> None:
    turns = [("user", "The kiln is hot.\nkiln.heat({degrees: 900});"), ("user", "The kiln has cooled.")]
    lines = [{"role": role, "content": text, "timestamp": "2024-03-04"} for role, text in turns]
    lines.append({"role": "user", "content": "A kiln again.", "timestamp": "2024-03-05"})
    memoir.ok("ingest", "-", "--name", "chat", stdin="\n".join(map(json.dumps, lines)))

    first, second, third, rest = memoir.ok("grep", "kiln", "--sources", "only").splitlines()

    assert first.endswith(" 2024-03-04: user: The kiln is hot.") and second.endswith("p2: The kiln has cooled.")
    assert third.endswith(" 2024-03-05: user: A kiln again.") and rest == "… 1 line of code (--json has all)"
    assert "kiln.heat" in memoir.ok("grep", "kiln.heat", "--sources", "only")


def test_grep_names_who_goes_on_in_the_next_segment(memoir: Memoir) -> None:
    told = "".join(f"Point {number}: the kiln takes {number} hours to heat.\n\n" for number in range(90))
    turns = [{"role": "user", "content": "How long?"}, {"role": "assistant", "content": told}]
    memoir.ok("ingest", "-", stdin="\n".join(map(json.dumps, turns)))

    found = [line for match in memoir.json("grep", "kiln takes")["matches"] for line in match["lines"]]

    assert len({line["address"].partition("#")[0] for line in found}) > 1
    assert {line["speaker"] for line in found} == {"assistant"}


def test_grep_shows_an_item_where_its_source_is_not_found(memoir: Memoir) -> None:
    turns = [
        {
            "role": "assistant",
            "content": "The export job must read each row by itself, because the driver drops larger batches.",
        }
    ]
    memoir.ok("ingest", "-", "--name", "chat", stdin=json.dumps(turns[0]))
    (item,) = memoir.ok("ls").splitlines()

    def keys(*args: str) -> set[str]:
        return {match["key"] for match in memoir.json("grep", *args)["matches"]}

    assert keys("export job") == {"sources.chat.0001"}
    assert keys("export job", "--keys", item) == keys("export job", "--sources", "no") == {item}
    assert keys("^The export job") == {item}  # a line of the source begins with who says it
