"""Reading a vault of Obsidian: what its notes say of themselves."""

from pathlib import Path

from formats.samples import write_files

from memoir.formats.found import Found, Place, Refused
from memoir.formats.readers import obsidian
from memoir.repository.repository import Repository

NOTE = """---
title: Decisions of the shop
created: 2026-03-01
tags: [work]
status: done
client:
  name: Ada
---
We sell tea. #retail
"""


def test_the_properties_of_a_note_are_kept(tmp_path: Path) -> None:
    (found,) = obsidian.read(Place(write_files(tmp_path, {"Shop.md": NOTE})))

    assert isinstance(found, Found)
    assert (found.content, found.metadata["tags"]) == ("We sell tea. #retail", ["work", "retail"])
    assert found.metadata["properties"] == {
        "title": "Decisions of the shop",
        "status": "done",
        "client": {"name": "Ada"},
    }


def test_a_note_without_a_date_has_that_of_its_name(tmp_path: Path) -> None:
    """A vault that was cloned or synced has the files of today, also those of daily notes."""
    names = [
        "Daily/2026-05-06.md",
        "Meetings/2026-02-10 Pricing.md",
        "Shop.md",
        "Phone 12026-05-061.md",
        "2026-19-39.md",
    ]
    place = Place(write_files(tmp_path, dict.fromkeys(names, "We sell tea.\n") | {"2026-01-01.md": NOTE}))

    days = {found.where: found.time for found in obsidian.read(place) if isinstance(found, Found)}

    assert {name: f"{time:%Y-%m-%d}" for name, time in days.items() if time and time != place.time(name)} == {
        "2026-01-01.md": "2026-03-01",
        "Daily/2026-05-06.md": "2026-05-06",
        "Meetings/2026-02-10 Pricing.md": "2026-02-10",
    }


def test_a_refusal_names_the_line_of_the_file(repository: Repository, tmp_path: Path) -> None:
    text = "---\ntitle: Keys\n---\n\n# Keys\n\nThe token is ghp_" + "a1B2" * 9 + "\n"
    write_files(tmp_path / "vault", {"Keys.md": text, "Tea.md": "We sell tea.\n"})

    (refused,) = repository.import_from(tmp_path / "vault", "obsidian").refused

    assert (refused.where, refused.message.endswith("line 7)")) == ("Keys.md", True), refused.message


def test_a_canvas_is_named_because_it_is_not_read(tmp_path: Path) -> None:
    write_files(tmp_path, {"note.md": "We sell tea.", "plan.canvas": '{"nodes": []}', ".trash/old.canvas": "{}"})

    note, board = obsidian.read(Place(tmp_path))

    assert isinstance(note, Found)
    assert isinstance(board, Refused) and board.where == "plan.canvas"
