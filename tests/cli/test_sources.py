"""`memoir ingest` and `memoir sources`, as people use them."""

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


def test_a_source_comes_from_standard_input_and_goes_by_name(memoir: Memoir) -> None:
    memoir.ok("ingest", "-", "--name", "chat", stdin="Ada: Hi.\nBen: Hi.\nAda: So?\nBen: Well.\n")

    failure = memoir.run("sources", "--remove", "chatt")
    dry = memoir.ok("sources", "--remove", "chat", "--dry-run")
    done = memoir.json("sources", "--remove", "chat")

    assert (failure.status, "did you mean 'chat'?" in failure.err) == (4, True)
    assert "would remove chat" in dry
    assert (done["segments"], memoir.json("sources")["count"]) == (1, 0)
