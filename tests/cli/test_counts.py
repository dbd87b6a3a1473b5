"""Every command counts a store in the same way: memories, superseded ones, segments of sources and categories apart."""

from support import Memoir, built_once


@built_once
def mixed(memoir: Memoir) -> None:
    """A store with three memories at two paths, one superseded memory, one segment of a source and one category."""
    memoir.remember("events.bo", "Bo joined.")
    memoir.remember("events.bo", "Bo left.", "--merge-policy", "append")
    memoir.remember("a.b", "The port is 8080.")
    memoir.remember("a.b", "The port is 9090.", "--merge-policy", "replace")
    (memoir.folder / "notes.md").write_text("# Garden\n\nThe roses bloom in June.\n")
    memoir.ok("ingest", "notes.md", "--items", "none")
    memoir.ok("taxonomy", "add", "cooking", "--about", "Recipes")


def test_surveys_and_the_status_count_the_paths_of_memories(mixed: Memoir) -> None:
    assert "\n2 paths in 1 namespace, " in mixed.ok("status")
    assert [mixed.json("status")[name] for name in ("path_count", "memory_count")] == [2, 2]
    assert "default:raw  (a layer, not in the total)" in mixed.ok("status")
    assert mixed.ok("summarize").startswith("2 paths in 1 namespace\n")
    assert [mixed.json("summarize")[name] for name in ("total_paths", "total_memories")] == [2, 2]
    assert "memoir:taxonomy  (categories, not in the total)" in mixed.ok("summarize")


def test_a_survey_that_lists_keys_says_that_it_counts_the_others_too(mixed: Memoir) -> None:
    assert mixed.ok("summarize", "--keys", "a.*").startswith("2 paths in 1 namespace, of which these match:\n")


def test_a_clone_counts_every_path_as_scripts_know_it_and_says_to_people_what_is_theirs(mixed: Memoir) -> None:
    answer = mixed.json("clone", str(mixed.folder), "copy")
    assert [answer[name] for name in ("path_count", "memory_count")] == [5, 5]
    assert mixed.ok("clone", str(mixed.folder), "other").startswith(
        "cloned 2 paths (and 3 of sources, layers and categories) into "
    )


def test_a_namespace_that_is_asked_for_is_counted(mixed: Memoir) -> None:
    assert mixed.json("summarize", "-n", "memoir:taxonomy")["total_memories"] == 1
    assert mixed.json("summarize", "-n", "default:raw")["total_memories"] == 1


def test_the_primer_and_the_doctor_count_the_memories_at_them(mixed: Memoir) -> None:
    assert mixed.ok("prime").startswith("memoir holds 3 memories at 2 paths of this project")
    assert "3 memories at 2 paths (and 1 superseded, 1 segment of sources), " in mixed.run("doctor").out


def test_the_doctor_takes_an_index_of_everything_for_complete(mixed: Memoir) -> None:
    mixed.ok("index")

    checks = {each["name"]: each["message"] for each in mixed.json("doctor")["checks"]}
    assert checks["index"] == "4 memories and passages are indexed"


def test_an_export_names_each_kind(mixed: Memoir) -> None:
    assert mixed.ok("export", "-o", "all.jsonl") == (
        "exported 3 memories at 2 paths (and 1 superseded, 1 segment of sources, 2 records of layers and categories)"
        " to all.jsonl\n"
    )
    answer = mixed.json("export", "-o", "all.jsonl")
    kinds = {name: answer[name] for name in ("memories", "superseded", "segments", "others")}
    assert kinds == {"memories": 3, "superseded": 1, "segments": 1, "others": 2}
    assert answer["exported"] == sum(kinds.values()) == len((mixed.folder / "all.jsonl").read_text().splitlines())
    assert (answer["paths"], answer["memory_paths"]) == (5, 2)
    assert mixed.ok("export", "-n", "default:raw", "-o", "raw.jsonl") == "exported 1 segment of sources to raw.jsonl\n"
