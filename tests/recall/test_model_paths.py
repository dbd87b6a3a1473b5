"""The prompts' texts."""

import shutil
from pathlib import Path

from support import PROJECT

from memoir.llm.prompts import Prompts
from memoir.recall import model_paths


def test_data_is_inserted_once() -> None:
    tail = model_paths.PROMPTS.fill("select", query="{inventory}", inventory="{number} {query}", number="\\1")

    assert "{inventory}" in tail and "{number} {query}" in tail and "\\1" in tail


def test_the_fingerprint_changes_with_any_prompt(tmp_path: Path) -> None:
    folder = tmp_path / "prompts"
    shutil.copytree(PROJECT / "memoir/recall/prompts", folder)
    prints = [Prompts(str(folder)).fingerprint]
    for file in sorted(folder.iterdir()):
        file.write_text(file.read_text() + "!")
        prints.append(Prompts(str(folder)).fingerprint)

    assert len(set(prints)) == len(prints) >= 5
