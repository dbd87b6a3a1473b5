"""`memoir ingest` and `memoir sources`, as people use them."""

import json

import pytest
from support import Memoir


def test_ingest_says_what_changed_and_sources_lists_it(memoir: Memoir) -> None:
    (memoir.folder / "guide.md").write_text("# Guide\n\nText.\n\n# More\n\nThe token is ghp_" + "a1B2" * 9 + "\n")

    first, again = memoir.ok("ingest", "guide.md"), memoir.ok("ingest", "guide.md")

    assert "guide  document  2 added" in first and "replaced: 1 github" in first and "(line 7)" in first
    assert "unchanged  guide  document  nothing changed" in again
    assert memoir.ok("sources").split() == ["2", "guide", "document", "guide.md"]
    assert memoir.ok("ls", "-n", "default:raw").split() == [
        "default:raw:sources.guide.0001",
        "default:raw:sources.guide.0002",
    ]


def test_what_a_source_no_longer_says_is_named_listed_and_marked_until_it_is_forgotten(memoir: Memoir) -> None:
    document = memoir.folder / "CONTRIBUTING.md"
    document.write_text("Never commit to `main`.\n\nNever rebase a shared branch of git.\n")
    found = memoir.json("ingest", "CONTRIBUTING.md")["sources"][0]["items"]
    (key,) = [item["key"] for item in found if item["content"] == "Never commit to `main`."]
    document.write_text("Never rebase a shared branch of git.\n")

    done, listed = memoir.run("ingest", "CONTRIBUTING.md"), memoir.run("sources", "--stale")

    assert f"stale: {key}  Never commit to `main`.\n" in done.out
    assert "memoir sources --stale' lists all" in done.err
    assert listed.out == f"{key}  Never commit to `main`.  (not in CONTRIBUTING any more)\n"
    assert "memoir forget KEY' removes one" in listed.err
    assert "(from CONTRIBUTING, stale)" in memoir.ok("recall", "commit to main")

    memoir.ok("forget", key)
    memoir.ok("remember", "My bread is stale", "-p", "a.b", "--meta", "stale=true")
    memoir.ok("import", "-", stdin='{"path": "a.c", "content": "So is this", "metadata": {"stale": true}}\n')
    assert memoir.json("sources", "--stale")["items"] == []
    assert memoir.run("sources", "--stale", "--remove", "CONTRIBUTING").status == 2


def test_a_renamed_file_takes_its_source_along_and_nothing_is_missing(memoir: Memoir) -> None:
    (memoir.folder / "docs").mkdir()
    (memoir.folder / "docs" / "one.md").write_text("# Guide\n\nText.\n")
    memoir.ok("ingest", "docs")
    (memoir.folder / "docs" / "one.md").rename(memoir.folder / "docs" / "two.md")

    done, again = memoir.run("ingest", "docs"), memoir.run("ingest", "docs")

    assert "1 changed, moved from docs/one.md\n" in done.out and "missing" not in done.err
    assert "nothing changed" in again.out and "missing" not in again.err and "skipped" not in again.err
    (memoir.folder / "docs" / "two.md").write_text("# Guide\n\nOther text.\n")
    (source,) = memoir.json("ingest", "docs/two.md")["sources"]
    assert (source["name"], source["changed"], source["moved_from"]) == ("docs-one", 1, None)
    assert [each["origin"] for each in memoir.json("sources")["sources"]] == ["docs/two.md"]


def test_ls_lists_memories_and_the_segments_of_sources_only_if_it_is_told_to(memoir: Memoir) -> None:
    memoir.ok("ingest", "-", "--name", "chat", stdin="Ada: Hi.\nBen: Hi.\n")
    memoir.remember("team.lead", "Ada leads.")

    segment = memoir.run("ls", "sources.chat")

    assert memoir.ok("ls") == "team.lead\n" and memoir.json("ls")["count"] == 1
    assert memoir.ok("ls", "-l").splitlines() == ["team.lead  2026-01-02  Ada leads."]
    assert (segment.status, "a layer has it: 'memoir ls default:raw:sources.chat'" in segment.err) == (4, True)
    assert memoir.ok("ls", "default:raw:sources.chat") == "default:raw:sources.chat.0001\n"
    assert memoir.ok("get", "sources.chat.0001") == memoir.ok("get", "~0001") != ""


def test_what_was_left_out_is_counted_shown_in_part_and_reported_whole(memoir: Memoir) -> None:
    tokens = "".join(f"The token is ghp_{number:036d}\n\n" for number in range(150))
    (memoir.folder / "notes.md").write_text(tokens + "<private>Mine.</private>\n")

    nowhere = memoir.json("ingest", "notes.md", "--report", "none/left.jsonl", status=1)
    empty = memoir.json("sources")["count"]
    text = memoir.ok("ingest", "notes.md")
    (source,) = memoir.json("ingest", "notes.md", "--report", "left.jsonl")["sources"]

    assert ("there is no folder" in nowhere["error"]["message"], empty) == (True, 0)
    first = "line 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, and 140 more, which --report FILE names"
    assert f"replaced: 150 github-token ({first})" in text
    assert (len(source["credentials"]), source["credential_counts"]) == (100, {"github-token": 150})
    rows = [json.loads(row) for row in (memoir.folder / "left.jsonl").read_text().splitlines()]
    assert [row["line"] for row in rows if row.get("rule")] == list(range(1, 300, 2))
    assert rows[-1] == {"origin": "notes.md", "name": "notes", "line": 301, "private": True, "closed": True}
    assert source["private_count"] == 1


def test_a_source_comes_from_standard_input_and_goes_by_name(memoir: Memoir) -> None:
    memoir.ok("ingest", "-", "--name", "chat", stdin="Ada: Hi.\nBen: Hi.\nAda: So?\nBen: Well.\n")

    failure = memoir.run("sources", "--remove", "chatt")
    dry = memoir.ok("sources", "--remove", "chat", "--dry-run")
    done = memoir.json("sources", "--remove", "chat")

    assert (failure.status, "did you mean 'chat'?" in failure.err) == (4, True)
    assert "would remove chat" in dry
    assert (done["segments"], memoir.json("sources")["count"]) == (1, 0)


def test_who_takes_the_name_of_a_source_for_a_path_is_told_of_that_source(memoir: Memoir) -> None:
    memoir.ok("ingest", "-", "--name", "chat", stdin="Ada: Hi.\nBen: Hi.\n")
    memoir.ok("ingest", "-", "--name", "chat", "-n", "team", stdin="Ada: Hi.\nBen: Hi.\n")
    listed = "it is a source: 'memoir ls default:raw:sources.chat' lists its segments, "

    assert f"{listed}'memoir sources --remove chat' forgets it" in memoir.run("get", "chat").err
    assert "'memoir sources --remove chat -n team' forgets it" in memoir.run("forget", "team:chat").err
    assert "'memoir sources --remove chat' forgets it" in memoir.run("forget", "sources.chat").err
    assert memoir.ok("ls", "default:raw:sources.chat")


def test_ingest_says_what_it_left_out_and_why(memoir: Memoir) -> None:
    lines = ['{"role": "user", "content": "Hi. <private>Mine."}', "nonsense", '{"role": "user", "content": "Bye."}']
    (memoir.folder / "chats").mkdir()
    (memoir.folder / "chats/a.jsonl").write_text("\n".join([*lines, "torn"]))
    for name in "bcd":
        (memoir.folder / f"chats/{name}.jsonl").write_text('{"type": "mode", "sessionId": "x"}\n')

    answer = memoir.json("ingest", "chats", "--dry-run")
    done = memoir.run("ingest", "chats")

    (source,) = answer["sources"]
    assert source["skipped_lines"] == {"count": 2, "line": 2, "reason": "not a JSON object"}
    assert source["private"] == [{"line": 1, "closed": False}]
    assert "left out: 1 private (line 1 to the end)" in done.out
    assert "not understood: 2 lines (line 2: not a JSON object)" in done.out
    assert done.err == "skipped: chats/b.jsonl and 2 other files (nobody says anything in it)\n"
    failure = memoir.run("ingest", "chats/b.jsonl")
    assert (failure.status, failure.out) == (2, "") and "nobody says anything in it" in failure.err


def test_an_ingest_fails_where_a_file_cannot_be_read_and_keeps_the_others(memoir: Memoir) -> None:
    (memoir.folder / "chats").mkdir()
    (memoir.folder / "chats/a.jsonl").write_text("not JSON\n")

    refused = memoir.run("ingest", "chats")
    (memoir.folder / "chats/b.md").write_text("# Notes\n\nThe barn is red.\n")
    in_part, quiet = memoir.run("ingest", "chats"), memoir.run("ingest", "-q", "chats")

    assert (refused.status, refused.out) == (2, "nothing was ingested\n")
    assert refused.err.startswith("skipped: chats/a.jsonl (not a conversation")
    for each in (in_part, quiet):
        assert each.status == 1 and "skipped: chats/a.jsonl" in each.err
    assert quiet.out == ""
    assert memoir.json("sources")["count"] == 1


@pytest.mark.parametrize(
    ("name", "text", "status"),
    [
        ("c.json", '[{"role": "user", "content": "Hi', 1),
        ("c.json", '{"of": "another kind"}', 0),
        ("c.jsonl", '{"path": "a.b", "content": "of another kind"}', 0),
        ("c.jsonl", "", 0),
    ],
)
def test_only_a_file_that_is_torn_makes_an_ingest_of_its_folder_fail(
    memoir: Memoir, name: str, text: str, status: int
) -> None:
    (memoir.folder / "chats").mkdir()
    (memoir.folder / "chats/b.md").write_text("# Notes\n\nThe barn is red.\n")
    (memoir.folder / "chats" / name).write_text(text)

    assert memoir.run("ingest", "chats").status == status


def test_import_names_the_option_that_skips_bad_lines_and_skips_them(memoir: Memoir) -> None:
    lines = ['{"path": "a.b", "content": "good", "timestamp": "2026-01-01"}', *["nonsense"] * 12]

    failure = memoir.run("import", "-", stdin="\n".join(lines))
    done = memoir.run("import", "-", "--skip-bad", stdin="\n".join(lines))
    answer = memoir.json("import", "-", "--report", "bad.jsonl", stdin="\n".join(lines))

    assert failure.status == 2 and "or import the others with --skip-bad" in failure.err
    assert done.status == 0 and "imported 1 memory at 1 path" in done.out
    assert "skipped: 12 lines" in done.err and "and 2 more, which --report FILE names" in done.err
    assert (answer["imported"], len(answer["skipped"]), answer["skipped"][0]["line"]) == (1, 12, 2)
    assert len((memoir.folder / "bad.jsonl").read_text().splitlines()) == 12


def test_an_import_says_that_it_replaces_newer_memories_by_older_ones(memoir: Memoir) -> None:
    memoir.run("remember", "Deploys run on Mondays", "-p", "context.deploys")

    done = memoir.run("import", "-", stdin='{"path": "context.deploys", "content": "Old", "timestamp": "2020-01-01"}')

    assert done.status == 0 and "replaced by older ones: 1 memory" in done.err
    assert "--merge-policy append keeps both" in done.err


def test_an_import_whose_lines_are_all_bad_says_so_in_few_lines_and_skips_all_of_them(memoir: Memoir) -> None:
    lines = "\n".join(["nonsense"] * 30)

    refused = memoir.run("import", "-", stdin=lines)
    done = memoir.run("import", "-", "--report", "bad.jsonl", stdin=lines)

    assert (refused.status, refused.err.splitlines()[:3]) == (2, [
        "memoir: none of the 30 lines is JSON; nothing was imported",
        "  line 1: not JSON: invalid literal, expected 'null': column 1",
        "  and 29 more",
    ])  # fmt: skip
    assert memoir.run("import", "-", stdin=lines + '\n{"path": "a b"}').err.count("  line ") == 10
    assert done.status == 0 and "no memory is in it" in done.out and "skipped: 30 lines" in done.err
    assert len((memoir.folder / "bad.jsonl").read_text().splitlines()) == 30
    assert memoir.json("status")["commit"] is None


def test_who_imports_notes_is_told_what_reads_them(memoir: Memoir) -> None:
    (memoir.folder / "notes.md").write_text("# Notes\n\n- The VPN needs WireGuard.\n")

    as_lines, by_guess = memoir.run("import", "notes.md"), memoir.run("import", "--from", "auto", "notes.md")

    assert as_lines.status == by_guess.status == 2
    assert "--skip-bad" not in as_lines.err and "--from agents-md" in as_lines.err
    assert "for what another tool exported: --from auto" in as_lines.err
    assert "'memoir ingest FILE'" in as_lines.err and "'memoir ingest FILE'" in by_guess.err
    assert "1 imported" in memoir.ok("import", "--from", "agents-md", "notes.md")


def test_an_import_counts_what_its_files_have_no_longer(memoir: Memoir) -> None:
    def bring(*points: str) -> str:
        (memoir.folder / "CLAUDE.md").write_text("# Rules\n\n" + "".join(f"- {point}\n" for point in points))
        return memoir.ok("import", "--from", "auto", "CLAUDE.md")

    bring("Use tabs.", "Run the linter before a commit.", "Never push on Fridays.")

    assert "1 memory of an earlier import is no longer in these files and stays here" in bring(
        "Use tabs.", "Run the linter before a commit."
    )
    assert "2 memories of an earlier import are no longer in these files and stay here" in bring("Use tabs.")


def test_several_files_and_folders_are_ingested_in_one_call(memoir: Memoir) -> None:
    (memoir.folder / "docs").mkdir()
    texts = {"a.md": "# A\n\nOne.\n", "docs/b.md": "# B\n\nTwo.\n", "data.json": '{"a": 1}', "blank.txt": " "}
    for name, text in texts.items():
        (memoir.folder / name).write_text(text)

    done = memoir.json("ingest", "a.md", "docs", "blank.txt", "docs/b.md")

    assert [(each["name"], each["origin"]) for each in done["sources"]] == [("a", "a.md"), ("docs-b", "docs/b.md")]
    assert len({each["commit_hash"] for each in done["sources"]}) == 2, "a commit each"
    assert [each["origin"] for each in done["skipped"]] == ["blank.txt"]
    before = memoir.json("sources")
    failure = memoir.run("ingest", "data.json", "gone.md")
    assert (failure.status, "no file 'gone.md'" in failure.err) == (4, True)
    assert memoir.json("sources") == before, "nothing is ingested if a path does not exist"


@pytest.mark.parametrize("folder", ["..", "../link"])
def test_a_folder_outside_is_ingested_by_whatever_path_leads_there(folder: str, memoir: Memoir) -> None:
    outside = memoir.folder.parent / "outside"
    (outside / "inside").mkdir(parents=True)
    (outside / "guide.md").write_text("# Guide\n\nThe pump is new.\n")
    (outside / "link").symlink_to(outside)
    store = Memoir(outside / "inside")
    store.ok("init")

    assert [each["origin"] for each in store.json("ingest", folder)["sources"]] == ["outside/guide.md"]
    (outside / "guide.md").unlink()
    assert [each["origin"] for each in store.json("ingest", folder)["missing"]] == ["outside/guide.md"]


def test_what_is_for_one_source_is_refused_for_several(memoir: Memoir) -> None:
    for folder in ("x", "y"):
        (memoir.folder.parent / folder).mkdir()
        (memoir.folder.parent / folder / "a.md").write_text(folder)

    for args, reason in (
        (["../x/a.md", "../y/a.md"], "a.md names two files"),
        (["../x/a.md", "../y", "--name", "z"], "a name is for one source"),
        (["../x/a.md", "-"], "- takes no other path beside it"),
        (["../x", "../y", "--watch"], "--watch takes no other path beside it"),
    ):
        failure = memoir.run("ingest", *args)
        assert (failure.status, failure.out) == (2, "") and reason in failure.err
    assert memoir.json("sources")["count"] == 0


def test_who_adds_much_is_told_when_its_vectors_come(memoir: Memoir, monkeypatch: pytest.MonkeyPatch) -> None:
    talk = "Ada: We moved to Lisbon in May.\nBen: I know.\n"
    assert "vectors" not in memoir.run("ingest", "-", "--name", "first", stdin=talk).err
    monkeypatch.setenv("MEMOIR_EMBED_PROVIDER", "minilm")

    second = ("ingest", "-", "--name", "second")
    assert "'memoir index' does it now" in memoir.run(*second, stdin=f"{talk}Eva: Me too.\n").err
    assert "vectors" not in memoir.run(*second, stdin=f"{talk}Eva: Me too.\n").err
    line = '{"path": "a.b", "content": "Ada lives in Lisbon"}\n'
    assert "'memoir index' does it now" in memoir.run("import", "-", stdin=line).err
    assert "vectors" not in memoir.run("import", "-", stdin=line).err  # nothing changed


def test_a_file_from_elsewhere_is_not_missing_in_the_project(memoir: Memoir) -> None:
    elsewhere = memoir.folder.parent / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "notes.md").write_text("# Notes\n\nThe boiler is old.\n")
    (memoir.folder / "docs").mkdir()
    (memoir.folder / "docs" / "guide.md").write_text("# Guide\n\nThe pump is new.\n")
    memoir.ok("ingest", str(elsewhere / "notes.md"), "docs")
    (memoir.folder / "docs" / "guide.md").unlink()

    assert [each["origin"] for each in memoir.json("ingest", ".")["missing"]] == ["docs/guide.md"]


def test_an_empty_path_is_not_the_folder(memoir: Memoir) -> None:
    failed = memoir.run("ingest", "")

    assert failed.status == 2 and "'.' is this folder" in failed.err
    assert memoir.json("sources")["sources"] == []


def test_a_file_without_memories_is_not_taken_for_an_empty_store(memoir: Memoir) -> None:
    memoir.remember("a.b", "x")

    assert memoir.ok("import", "-", stdin="") == "nothing to import: no memory is in it\n"
    assert memoir.ok("import", "--from", "claude-code") == "nothing to import was found\n"


def test_what_a_folder_has_of_other_kinds_is_named(memoir: Memoir) -> None:
    (memoir.folder / "letters").mkdir()
    for name in ("offer.eml", "order.eml", "prices.csv"):
        (memoir.folder / "letters" / name).write_text("Twelve panels are 7,940 euros.\n")

    done = memoir.run("ingest", "letters")

    assert done.out == "no conversations or documents found\n"
    assert done.err == "left out: files of other kinds (2 .eml, 1 .csv); a text file is read if it is named\n"
    assert memoir.json("ingest", "letters")["others"] == [
        {"ending": ".csv", "count": 1},
        {"ending": ".eml", "count": 2},
    ]


def test_of_many_other_kinds_the_commonest_are_named(memoir: Memoir) -> None:
    (memoir.folder / "code").mkdir()
    for number in range(20):
        (memoir.folder / f"code/core.{number}").touch()
        (memoir.folder / f"code/{number}.py").touch()

    done = memoir.run("ingest", "code")

    assert "(20 .py, 1 .0, 1 .1, 1 .10, 1 .11 and 16 more)" in done.err
    assert len(memoir.json("ingest", "code")["others"]) == 21


def test_what_is_missing_is_removed_in_one_go(memoir: Memoir) -> None:
    for name in ("a", "b", "c"):
        (memoir.folder / "docs").mkdir(exist_ok=True)
        (memoir.folder / f"docs/{name}.md").write_text(f"# Guide\n\nThe words of {name}.\n")
    memoir.ok("ingest", "docs")
    for name in ("a", "b"):
        (memoir.folder / f"docs/{name}.md").unlink()

    told = memoir.run("ingest", "docs").err
    done = memoir.run("ingest", "docs", "--prune")

    assert "missing: docs/a.md, the file of docs-a\nmissing: docs/b.md, the file of docs-b\n" in told
    assert "(--prune removes all missing sources, 'memoir sources --remove NAME' one of them)" in told
    assert [line.split()[1:3] for line in done.out.splitlines()[-2:]] == [["removed", "docs-a"], ["removed", "docs-b"]]
    assert "missing" not in done.err
    assert [each["name"] for each in memoir.json("sources")["sources"]] == ["docs-c"]
