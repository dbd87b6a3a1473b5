"""`memoir capture` from the first prompt to the primer of the next session, as hosts and people run it."""

import json
import os
import re

from support import Memoir

SESSION = "bf020496-88aa-468f-a112-b9c29ad28e8c"


def say(memoir: Memoir, prompt: str, session: str = SESSION, folder: str = "") -> None:
    payload = {
        "hook_event_name": "UserPromptSubmit",
        "session_id": session,
        "cwd": str(memoir.folder / folder),
        "prompt": prompt,
    }
    memoir.ok("hook", "claude", "UserPromptSubmit", stdin=json.dumps({**payload, "prompt": prompt}))


def test_one_command_files_what_was_said_and_the_next_session_knows_it(memoir: Memoir) -> None:
    memoir.ok("capture", "on")
    say(memoir, "We always deploy on Tuesdays. Why is CI red?")

    proposal = memoir.json("capture", "review")["proposals"][0]
    assert (proposal["number"], proposal["session"], proposal["source"]) == (1, SESSION, "claude")
    assert memoir.ok("capture", "review").splitlines()[1].strip() == "We always deploy on Tuesdays."
    done = memoir.json("capture", "accept", "--all")

    assert (done["count"], done["refused"], done["left"]) == (1, [], 0) and done["commit_hash"]
    assert "We always deploy on Tuesdays." in memoir.ok("prime")
    memoir.ok("undo")
    assert "Tuesdays" not in memoir.ok("prime")


def test_status_says_how_many_turns_wait(memoir: Memoir) -> None:
    memoir.ok("capture", "on")
    assert "capture is on: prompts and answers of sessions are kept for" in memoir.ok("status")

    say(memoir, "We always deploy on Tuesdays.")
    assert "capture is on: 1 turn of sessions is kept for 'memoir capture review'" in memoir.ok("status")


def test_what_is_accepted_names_what_it_contradicts_as_remember_does(memoir: Memoir) -> None:
    memoir.ok("remember", "The default branch is main", "-p", "workflow.git.branch", "--timestamp", "2025-01-01")
    memoir.ok("capture", "on")
    say(memoir, "From now on the default branch is trunk.")

    text = memoir.ok("capture", "accept", "--all")

    key = text.splitlines()[0].split()[1]
    offer = re.search(
        r'\(added beside (\S+): "The default branch is main"; .*memoir (replace .*) makes the new one', text
    )
    assert offer and re.fullmatch(r"workflow\.git\.branch#\w{8}", offer[1]) and "#" in key
    command = offer[2]
    assert command == f"replace {offer[1]} {key}"
    memoir.ok(*command.split())
    assert "trunk" in memoir.ok("get", "workflow.git.branch")

    memoir.ok("undo")
    say(memoir, "From now on the default branch is develop.")
    (done,) = memoir.json("capture", "accept", "--all", "--replace-similar")["proposals"]
    assert done["superseded"] and done["similar"][0]["relation"] == "contradicts"


def test_what_was_said_before_a_memory_that_contradicts_it_is_offered_the_other_way_round(memoir: Memoir) -> None:
    memoir.ok("capture", "on")
    say(memoir, "From now on the default branch is trunk.")
    memoir.ok("remember", "The default branch is main", "-p", "workflow.git.branch", "--timestamp", "2099-01-01")

    review = memoir.ok("capture", "review")
    text = memoir.ok("capture", "accept", "--all", "--replace-similar")

    assert '(beside the newer workflow.git.branch: "The default branch is main"; ' in review
    assert "memoir capture reject 1 drops this one)" in review
    key = text.splitlines()[0].split()[1]
    offer = re.search(r"\(added beside the newer (\S+): .*memoir (replace .*) makes that its successor\)", text)
    assert offer and offer[2] == f"replace {key} {offer[1]}"
    memoir.ok(*offer[2].split())
    assert memoir.content("workflow.git.branch") == "The default branch is main"


def test_a_rule_after_a_private_passage_of_its_line_is_proposed(memoir: Memoir) -> None:
    memoir.ok("capture", "on")
    say(memoir, "Hi there. <private>My landlord is Mr. Silva.</private> We never release without a tag.")

    assert [each["content"] for each in memoir.json("capture", "review")["proposals"]] == [
        "We never release without a tag."
    ]


def test_what_cannot_be_filed_is_named_and_the_rest_is_filed(memoir: Memoir) -> None:
    memoir.ok("capture", "on")
    say(memoir, "We always deploy on Tuesdays.")
    say(memoir, "We never log personal data.", session="ghp_" + "a1B2c3D4e5F6a7B8c9D0e1F2a3B4c5D6e7F8")

    done = memoir.run("capture", "accept", "--all", "--json")

    assert done.status == 1 and "ghp_" not in done.out
    answer = json.loads(done.out)
    assert answer["success"] and (answer["count"], answer["left"]) == (1, 1)
    assert [(each["number"], each["error"]) for each in answer["refused"]] == [
        (2, "the metadata looks like a credential (rule: github-token)")
    ]
    done = memoir.run("capture", "accept", "2")
    assert done.status == 1 and done.out.startswith("left out  2  ")
    assert memoir.run("capture", "accept", "2", "--quiet").out == done.out
    assert memoir.json("capture", "reject", "2")["left"] == 0
    assert memoir.ok("capture", "reject", "--all") == "there is no proposal\n"
    assert memoir.json("capture")["turns"] == 0


def test_a_purge_says_what_it_deleted(memoir: Memoir) -> None:
    memoir.ok("capture", "on")
    say(memoir, "We always deploy on Tuesdays.")
    assert "1 turn of 1 session (1 KiB) to review in " in memoir.ok("capture", "status")

    assert memoir.ok("capture", "off", "--purge") == "capture is off\ndeleted 1 turn of 1 session (1 KiB)\n"
    assert memoir.json("capture")["turns"] == 0
    assert not os.path.exists(memoir.json("capture", "status")["folder"])
    memoir.ok("capture", "on")
    say(memoir, "We always deploy on Tuesdays.")
    assert memoir.json("capture")["turns"] == 1


def test_a_proposal_shows_what_is_at_its_path_already(memoir: Memoir) -> None:
    memoir.ok("capture", "on")
    say(memoir, "We always deploy on Tuesdays.")
    (proposal,) = memoir.json("capture", "review")["proposals"]
    assert proposal["beside"] is None
    memoir.ok("remember", "A deploy takes an hour", "-p", proposal["path"])

    assert memoir.json("capture", "review")["proposals"][0]["beside"] == "A deploy takes an hour"
    assert '     (there is "A deploy takes an hour")\n' in memoir.ok("capture", "review")
    memoir.ok("remember", "Nobody deploys at noon", "-p", proposal["path"], "--merge-policy", "append")
    assert memoir.json("capture", "review")["proposals"][0]["beside"] == "Nobody deploys at noon"
    memoir.ok("remember", "We always deploy on Fridays.", "-p", proposal["path"], "--merge-policy", "append")
    shown = memoir.json("capture", "review")["proposals"][0]
    assert shown["similar"] and shown["beside"] is None


def test_what_should_be_forgotten_is_named_when_its_text_is_deleted(memoir: Memoir) -> None:
    memoir.ok("capture", "on")
    say(memoir, "I always answer in bullet points.")
    say(memoir, "We always deploy on Tuesdays.")
    say(memoir, "I prefer dark mode.")
    say(memoir, "forget what I said about bullet points")
    way = "     'memoir recall QUESTION' finds the memory that this takes back, 'memoir forget KEY' removes it\n"
    assert way in memoir.ok("capture", "review")
    assert memoir.json("capture", "accept", "1")["retractions"] == []

    said = memoir.ok("capture", "accept", "--all")

    assert f"not forgotten  forget what I said about bullet points\n{way[1:]}" in said
    say(memoir, "forget what I said about bullet points")
    done = memoir.json("capture", "reject", "--all")
    assert [each["content"] for each in done["retractions"]] == ["forget what I said about bullet points"]
    assert memoir.ok("capture", "reject", "--all") == "there is no proposal\n"


def test_neither_numbers_nor_all_is_an_error_that_says_what_to_do(memoir: Memoir) -> None:
    for command in ("accept", "reject"):
        done = memoir.run("capture", command)
        assert done.status == 2 and "give the numbers of proposals, or --all" in done.err
        assert memoir.run("capture", command, "7").status == 4


def test_switched_on_it_says_what_happens_next(memoir: Memoir) -> None:
    assert memoir.ok("capture") == "capture is off\nnothing is kept\n"
    said = memoir.ok("capture", "on")
    assert "0 turns" not in said and "nothing is kept before 'memoir setup HOST'" in said

    memoir.ok("setup", "claude")

    said = memoir.ok("capture", "on")
    assert "what is said in your next sessions is kept in " in said and "'memoir capture review'" in said


def test_what_to_type_next_names_the_store_that_was_named(memoir: Memoir) -> None:
    memoir.ok("capture", "on")
    say(memoir, "We always deploy on Tuesdays. We never log personal data.")
    here = ("-s", str(memoir.folder), "--branch", "main")

    said = memoir.ok(*here, "capture", "review").splitlines()[-1]
    assert said.startswith(f"'memoir {' '.join(here)} capture accept N'")
    said = memoir.ok("capture", "accept", "1", *here).splitlines()[-1]
    command = said.split("'")[1]
    assert command == f"memoir {' '.join(here)} capture review"
    assert "personal data" in memoir.ok(*command.split()[1:])


def test_a_line_with_a_credential_is_named_and_counted_and_the_rest_is_filed(memoir: Memoir) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6a7B8c9D0e1F2a3B4c5D6e7F8"
    memoir.ok("capture", "on")
    say(memoir, f"We always deploy on Tuesdays.\nOur deploy token is {secret}.")

    review, again = memoir.json("capture", "review"), memoir.json("capture", "review")

    (withheld,) = review["withheld"]
    assert (withheld["session"], withheld["line"], withheld["rule"]) == (SESSION, 2, "github-token")
    assert review["count"] == 1 and again["withheld"] == [withheld], "it is named until all is decided"
    done = memoir.ok("capture", "accept", "--all", "--quiet")
    assert "left out  1 line with a credential:" in done and f"session {SESSION}" in done
    assert "line 2 (rule: github-token)" in done
    assert secret not in str(review) + done
    assert "Tuesdays" in memoir.ok("prime")
    assert memoir.json("capture", "review")["withheld"] == []


def test_a_credential_is_named_also_where_nothing_else_was_said(memoir: Memoir) -> None:
    memoir.ok("capture", "on")
    say(memoir, "The password is hunter2hunter2 in our tests.")

    said = memoir.ok("capture", "accept", "--all")

    assert "left out  1 line with a credential:" in said and "hunter2" not in said
    assert memoir.json("capture")["turns"] == 0


def test_what_is_kept_though_there_is_nothing_to_remember_can_be_deleted(memoir: Memoir) -> None:
    memoir.ok("capture", "on")
    assert memoir.ok("capture", "review") == "nothing to remember\n"
    say(memoir, "Why is the CI red today after the merge?")

    told = memoir.ok("capture", "review")

    assert told.startswith("nothing to remember; 'memoir capture reject --all' deletes what was said")
    memoir.ok("capture", "reject", "--all")
    assert memoir.ok("capture", "review") == "nothing to remember\n" and memoir.json("capture")["turns"] == 0


def test_talk_in_another_language_is_kept_and_the_way_to_read_it_named(memoir: Memoir) -> None:
    memoir.ok("capture", "on")
    say(memoir, "Bitte immer ruff verwenden, nicht flake8.")
    said = "not read  1 turn is in another language than English, and kept:"

    for command in (("review",), ("accept", "--all")):
        lines = memoir.ok("capture", *command).splitlines()
        assert lines[0] == said and "memoir capture review --by model" in lines[1]
        assert memoir.json("capture", *command)["unread"] == 1
    assert memoir.json("capture", "status")["turns"] == 1

    memoir.ok("capture", "reject", "--all")
    assert memoir.json("capture", "status")["turns"] == 0


def test_a_rule_of_one_package_says_of_which_it_is(memoir: Memoir) -> None:
    (memoir.folder / "packages/rank").mkdir(parents=True)
    memoir.ok("capture", "on")
    say(memoir, "Don't use pandas here, polars only.", folder="packages/rank")
    say(memoir, "I prefer small pull requests.", folder="packages/rank")

    memoir.ok("capture", "accept", "--all")

    primer = memoir.ok("prime")
    assert '"Don\'t use pandas here, polars only (in packages/rank)"' in primer
    assert '"I prefer small pull requests."' in primer
