"""Reading a vault of Obsidian: what its notes say of themselves."""

from pathlib import Path

from formats.samples import write_files

from memoir.formats.found import Found, Place
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


def test_a_refusal_names_the_line_of_the_file(repository: Repository, tmp_path: Path) -> None:
    text = "---\ntitle: Keys\n---\n\n# Keys\n\nThe token is ghp_" + "a1B2" * 9 + "\n"
    write_files(tmp_path / "vault", {"Keys.md": text, "Tea.md": "We sell tea.\n"})

    (refused,) = repository.import_from(tmp_path / "vault", "obsidian").refused

    assert (refused.where, refused.message.endswith("line 7)")) == ("Keys.md", True), refused.message
