"""`memoir replace`, and what `memoir remember` says of the memories that it contradicts."""

import os
import shlex

import pytest
from support import Memoir

THURSDAY, FRIDAY = "Releases are cut on Thursdays.", "Releases are cut on Fridays."


def test_people_are_told_what_to_type_and_it_does_that(memoir: Memoir) -> None:
    memoir.remember("workflow.cadence", THURSDAY)

    answer = memoir.ok("remember", FRIDAY)

    command = "memoir replace workflow.cadence"
    assert f'    (added beside workflow.cadence: "{THURSDAY}"; {command} makes the new one its successor)' in answer
    done = memoir.ok(*shlex.split(command)[1:])
    lines = [FRIDAY, f"superseded: {THURSDAY}", "moved from workflow.release.releases"]
    assert done.splitlines()[1:] == [f"    {each}" for each in lines]
    assert [memoir.ok("get", "workflow.cadence", "--raw"), memoir.ok("ls")] == [FRIDAY, "workflow.cadence\n"]


def test_the_answer_has_the_similar_memories_and_the_command(memoir: Memoir) -> None:
    memoir.remember("workflow.cadence", THURSDAY)

    (similar,) = memoir.json("remember", FRIDAY)["similar"]

    assert (similar["key"], similar["content"], similar["relation"]) == ("workflow.cadence", THURSDAY, "contradicts")
    assert similar["command"] == "memoir replace workflow.cadence"
    assert memoir.json("remember", "Ada cuts releases", "-p", "a.b")["similar"] == []


def test_a_memory_takes_the_place_of_what_it_contradicts_at_once(memoir: Memoir) -> None:
    memoir.remember("workflow.cadence", THURSDAY)

    answer = memoir.json("remember", FRIDAY, "--replace-similar")

    assert (answer["key"], answer["similar"], answer["filing"]) == ("workflow.cadence", [], None)
    assert answer["conflicts"][0]["superseded"] == [THURSDAY]
    memoir.ok("undo")
    assert memoir.ok("get", "workflow.cadence", "--raw") == THURSDAY


def test_a_memory_that_leaves_its_path_for_what_it_contradicts_names_that_path(memoir: Memoir) -> None:
    memoir.remember("workflow.cadence", THURSDAY)
    memoir.remember("team.cadence", FRIDAY)

    assert "    moved from team.cadence\n" in memoir.ok("remember", FRIDAY, "--replace-similar")
    memoir.ok("undo")
    assert "    moved from team.cadence\n" in memoir.ok("replace", "workflow.cadence", "team.cadence")
    memoir.ok("undo")
    answer = memoir.json("remember", FRIDAY, "--replace-similar")
    assert (answer["key"], answer["moved_from"]["key"]) == ("workflow.cadence", "team.cadence")
    assert memoir.json("remember", FRIDAY, "--replace-similar")["moved_from"] is None


def test_recall_marks_both_and_shows_their_days(memoir: Memoir) -> None:
    memoir.remember("workflow.cadence", THURSDAY, "--timestamp", "2026-01-02")
    memoir.remember("team.cadence", FRIDAY, "--timestamp", "2026-03-04")

    hits = memoir.json("recall", "when are releases cut")["memories"]

    assert {hit["path"]: hit["disputes"] for hit in hits} == {
        "workflow.cadence": ["default:team.cadence"],
        "team.cadence": ["default:workflow.cadence"],
    }
    others = {
        f'disputes the older workflow.cadence (2026-01-02: "{THURSDAY}")',
        f'disputes the newer team.cadence (2026-03-04: "{FRIDAY}")',
    }
    assert memoir.ok("recall", "when are releases cut", "-l", "1").splitlines()[1].strip() in others
    text = memoir.ok("recall", "when are releases cut")
    assert "disputes the older workflow.cadence\n" in text and "disputes the newer team.cadence\n" in text
    assert text.count(THURSDAY) == text.count(FRIDAY) == 1


def test_who_gives_a_text_is_told_the_command_that_takes_one(memoir: Memoir) -> None:
    memoir.remember("workflow.cadence", THURSDAY)

    error = memoir.json("replace", "workflow.cadence", FRIDAY, status=2)["error"]

    assert error["hint"] == f"memoir remember '{FRIDAY}' -p workflow.cadence"
    memoir.ok(*shlex.split(error["hint"])[1:])
    assert memoir.ok("get", "workflow.cadence", "--raw") == FRIDAY


@pytest.mark.parametrize("options", [["-s", "other store"], ["--branch", "trial"], ["--global"]], ids=" ".join)
def test_the_command_leads_to_the_store_and_branch_that_were_named(memoir: Memoir, options: list[str]) -> None:
    memoir.remember("a.b", "x")
    memoir.ok("branch", "trial")
    for folder in ("other store", os.environ["HOME"]):
        memoir.ok("init", folder)
    memoir.ok(*options, "remember", THURSDAY, "-p", "workflow.cadence")

    (similar,) = memoir.json("remember", FRIDAY, *options)["similar"]

    command = shlex.split(similar["command"])
    assert command == ["memoir", *options, "replace", "workflow.cadence"]
    memoir.ok(*command[1:])
    assert memoir.content("workflow.cadence", *options) == FRIDAY
