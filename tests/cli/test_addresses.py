"""`KEY#id`: one memory among several at a path, from the command that prints it to the one that takes it."""

import pytest
from support import Memoir, built_once

from memoir.repository.repository import Repository


@built_once
def several(memoir: Memoir) -> None:
    """A store with three memories at `events.bo`, and one at `a.b`."""
    with Repository.open(memoir.folder) as repository:
        for text in ("Bo joined.", "Bo left.", "Bo is back."):
            repository.remember(text, "events.bo", policy="append")
    memoir.remember("a.b", "single")


def keys(memoir: Memoir, path: str = "events.bo") -> list[str]:
    value = memoir.json("get", path)["items"][0]["value"]
    return [f"{path}#{each['id']}" for each in value["memories"]]


def contents(memoir: Memoir, path: str = "events.bo") -> list[str]:
    return (memoir.content(path) or "").split("\n")


def test_get_prints_the_ids_of_several_and_none_of_a_single_one(several: Memoir) -> None:
    ids = [key.partition("#")[2] for key in keys(several)]

    lines = several.ok("get", "events.bo").splitlines()
    assert [line.split()[0] for line in lines[1::2]] == [f"#{identity}" for identity in ids]
    assert "#" not in several.ok("get", "a.b")
    assert several.ok("get", keys(several)[1]).splitlines()[0] == keys(several)[1]
    assert several.ok("get", "--raw", keys(several)[1]) == "Bo left."
    item = several.json("get", keys(several)[1])["items"][0]
    assert (item["id"], item["value"]["content"]) == (ids[1], "Bo left.")


def test_each_command_takes_the_one_and_leaves_its_neighbours(several: Memoir) -> None:
    first, second, third = keys(several)

    assert f"forgotten  {second}\n" in several.ok("forget", second)
    assert contents(several) == ["Bo joined.", "Bo is back."]
    several.ok("restore", second, "--at", "HEAD~1")
    assert keys(several) == [first, second, third]
    several.ok("pin", third)
    assert [each["metadata"] for each in several.json("get", "events.bo")["items"][0]["value"]["memories"]] == [
        {}, {}, {"pinned": True},
    ]  # fmt: skip
    several.ok("unpin", third)
    edited = several.json("edit", first, EDITOR="perl -pi -e s/joined/came/")["keys"][0]
    assert contents(several) == ["Bo came.", "Bo left.", "Bo is back."]
    assert f"events.bo#{edited['id']}" == keys(several)[0] != first
    assert second in several.ok("mv", second, "a.c")
    assert (contents(several), several.content("a.c")) == (["Bo came.", "Bo is back."], "Bo left.")
    assert several.json("fsck")["ok"]


def test_what_an_occupied_path_says_to_type_can_be_typed(several: Memoir) -> None:
    done = several.json("mv", keys(several)[0], "a.b", status=5)

    words = done["error"]["hint"].split("'")[1].split()
    assert words[0] == "memoir"
    several.ok(*words[1:])
    assert contents(several, "a.b") == ["single", "Bo joined."]
    assert contents(several) == ["Bo left.", "Bo is back."]


def test_what_is_appended_is_named_by_its_new_address(several: Memoir) -> None:
    first, second, _ = keys(several)

    printed = several.ok("mv", first, "a.b", "--append").split()[-1]

    assert printed == keys(several, "a.b")[1] and several.ok("get", "--raw", printed) == "Bo joined."
    moved = several.json("mv", second, "a.c")["moves"]
    assert moved == [{"old": "default:events.bo", "new": "default:a.c", "id": second[-8:], "new_id": None}]
    assert several.json("mv", "a.c", "a.b", "--append")["moves"][0]["new_id"] == keys(several, "a.b")[2][-8:]
    assert several.json("mv", "a.b", "events.bo", "--append")["moves"][0]["new_id"] is None


def test_one_memory_is_in_the_middle_of_a_timeline(several: Memoir) -> None:
    first, second, third = keys(several)

    for key in (first, second, third):
        moments = several.json("timeline", "--around", key, "-l", "2")["moments"]
        assert [each["id"] for each in moments if each["here"]] == [key[-8:]]
    assert several.run("timeline", "--around", "events.bo#").status == 2


def test_a_proof_is_of_a_path(several: Memoir) -> None:
    error = several.json("prove", keys(several)[0], status=2)["error"]

    assert "a proof is of all memories at a path" in error["message"]
    assert error["hint"] == "prove all of them: events.bo"


@pytest.mark.parametrize("command", [("forget",), ("pin",), ("edit",), ("get", "--raw"), ("restore", "--at", "HEAD")])
def test_an_unknown_id_is_not_found(several: Memoir, command: tuple[str, ...]) -> None:
    unknown = next(f"a.b#{digit}" for digit in "01" if several.json("get", f"a.b#{digit}")["found_count"] == 0)

    error = several.json(*command, unknown, status=4)["error"]

    assert error["message"] == f"no memory {unknown}"
    assert error["hint"].endswith('"single"')
    assert '"single"' in several.run("get", unknown).err


def test_diff_and_show_have_the_memory_that_changed_and_not_its_neighbours(several: Memoir) -> None:
    last = keys(several)[2].partition("#")[2]
    added = f"modified events.bo\n  #{last}\n+ Bo is back.\n  (2 other memories unchanged)\n"
    assert several.ok("diff", "HEAD~2", "HEAD~1") == added
    assert several.ok("show", "HEAD~1").endswith(added)
    change = several.json("diff", "HEAD~2", "HEAD~1")["changes"][0]
    assert change["old"] == "Bo joined.\nBo left." and change["new"] == "Bo joined.\nBo left.\nBo is back."

    several.ok("edit", keys(several)[1], EDITOR="perl -pi -e s/left/went/")
    edited = keys(several)[1].partition("#")[2]
    assert several.ok("diff").splitlines()[1:4] == [f"  #{edited}", "- Bo left.", "+ Bo went."]
    several.ok("pin", keys(several)[0])
    assert several.ok("diff") == "modified events.bo\n  “Bo joined.” pinned true\n"
    first = keys(several)[0].partition("#")[2]
    several.ok("forget", keys(several)[0])
    assert several.ok("diff").splitlines()[1:3] == [f"  #{first}", "- Bo joined."]


def test_blame_says_what_each_version_changed(several: Memoir) -> None:
    several.ok("forget", keys(several)[0])

    lines = [line.strip() for line in several.ok("blame", "events.bo").splitlines()]

    assert [line for line in lines if line.startswith(("+", "-", "Bo"))] == [
        "- Bo joined.", "+ Bo is back.", "+ Bo left.", "Bo joined.",
    ]  # fmt: skip


def test_remember_says_which_of_several_it_added_or_confirmed(several: Memoir) -> None:
    words = ("remember", "Bo rests.", "-p", "events.bo")
    answer = several.json(*words, "--merge-policy", "append")
    assert f"events.bo#{answer['conflicts'][0]['id']}" == keys(several)[3]
    assert f"  {keys(several)[3]}  (confirmed)" in several.ok(*words)
    assert "a.c\n" in several.ok("remember", "single", "-p", "a.c")
    several.remember("a.c", "certain", "--confidence", "1")
    assert several.json("remember", "perhaps", "-p", "a.c", "--confidence", "0.1")["conflicts"][0]["id"]
    assert several.json("remember", "certain", "-p", "a.c")["conflicts"][0]["id"] is None


def test_show_takes_one_memory_as_it_was(several: Memoir) -> None:
    key = keys(several)[1]
    several.ok("forget", key)

    assert several.ok("show", f"HEAD~1:{key}").splitlines()[0::2] == [key, "    Bo left."]
    answer = several.json("show", f"HEAD~1:{key}")
    assert (answer["id"], answer["value"]["content"]) == (key.partition("#")[2], "Bo left.")
    assert several.json("show", f"HEAD:{key}", status=4)["error"]["message"] == f"no memory {key}"


def test_recall_prints_an_address_that_get_takes_where_several_stand_at_the_path(several: Memoir) -> None:
    best = several.json("recall", "who left?", "--mode", "simple")["memories"][0]
    assert f"{best['path']}#{best['id']}" == keys(several)[1]
    printed = (
        several.ok("recall", "who left?", "--mode", "simple").split("\n")[0].split()[-1]
    )  # the last is who vouches
    assert several.ok("get", "--raw", printed) == "Bo left."
    single = several.json("recall", "single", "--mode", "simple")["memories"]
    assert [each["id"] for each in single if each["path"] == "a.b"] == [None]


def test_paths_are_called_paths_and_memories_memories(several: Memoir) -> None:
    assert "\n2 paths in 1 namespace, 4 commits\n" in several.ok("status")
    assert several.ok("status", "--short").startswith("main: 2 paths")
    assert several.ok("summarize").startswith("2 paths in 1 namespace\n")
    assert several.ok("export", "-o", "all.jsonl") == "exported 4 memories at 2 paths to all.jsonl\n"
    answer = several.json("export", "-o", "all.jsonl")
    assert (answer["exported"], answer["paths"]) == (4, 2)
    assert "4 memories at 2 paths, 1 branch" in several.run("doctor").out
    assert several.ok("prime").startswith("memoir holds 4 memories at 2 paths")


def test_the_timeline_names_memories_that_share_a_path_and_superseded_ones(several: Memoir) -> None:
    several.remember("a.b", "another", "--merge-policy", "replace")

    moments = {each["content"]: each for each in several.json("timeline", "--wait")["moments"]}

    assert f"events.bo#{moments['Bo left.']['id']}" == keys(several)[1]
    assert moments["another"]["id"] is None
    assert several.ok("get", "--raw", f"a.b#{moments['single']['id']}") == "single"
    assert f"  {keys(several)[1]}  Bo left." in several.ok("timeline")


def test_the_shell_completes_a_path_without_a_colon_in_its_namespace_alone(memoir: Memoir) -> None:
    memoir.remember("deploys.day", "Friday.")
    memoir.remember("events.day", "Monday.")
    env = {"_MEMOIR_COMPLETE": "complete_bash", "COMP_WORDS": "memoir get de", "COMP_CWORD": "2"}

    assert memoir.run(**env).out.split() == ["deploys.day"], "not all of namespace default, which begins like that, too"


def test_the_shell_completes_ids(several: Memoir) -> None:
    def complete(word: str) -> list[str]:
        env = {"_MEMOIR_COMPLETE": "complete_bash", "COMP_WORDS": f"memoir get {word}", "COMP_CWORD": "2"}
        return several.run(**env).out.split()

    assert complete("events.bo#") == keys(several)
    assert complete(keys(several)[2][:-4]) == [keys(several)[2]]
    assert complete("events.no#") == complete("events.bo#x") == []


def test_every_memory_in_json_has_the_address_that_get_and_forget_take(several: Memoir) -> None:
    rows = several.json("ls", "-l")["keys"]
    lists = {
        "get": several.json("get", "events.bo")["items"][0]["value"]["memories"],
        "ls -l": rows[1]["value"]["memories"],
        "recall": several.json("recall", "Bo", "--strict")["memories"],
        "timeline": [each for each in several.json("timeline")["moments"] if each["key"] == "events.bo"],
    }

    assert {name: sorted(each["address"] for each in found) for name, found in lists.items()} == dict.fromkeys(
        lists, sorted(f"default:{key}" for key in keys(several))
    )
    assert [row["address"] for row in rows] == ["default:a.b", "default:events.bo"]
    assert several.json("recall", "single")["memories"][0]["address"] == "default:a.b"
    for each in lists["recall"]:
        item = several.json("get", each["address"])["items"][0]
        assert (item["address"], item["value"]["content"]) == (each["address"], each["content"])
    address = lists["recall"][0]["address"]
    assert several.json("forget", address)["keys"][0]["address"] == address


def test_a_lone_dash_is_standard_output(several: Memoir) -> None:
    assert several.ok("export", "-o", "-") == several.ok("export")
    assert several.ok("prove", "a.b", "-o", "-") == several.ok("prove", "a.b")
    assert "name the file" in several.run("export", "--to", "agents-md", "-o", "-").err
    assert not (several.folder / "-").exists()
