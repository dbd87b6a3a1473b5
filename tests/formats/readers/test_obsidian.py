"""Reading a vault of Obsidian: what its notes say of themselves."""

from pathlib import Path

from formats.samples import write_files

from memoir.formats.found import Found, Place
from memoir.formats.readers import obsidian

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
