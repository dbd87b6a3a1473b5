"""The prompts' texts."""

import shutil
from pathlib import Path

import pytest

from memoir.recall import templates


def test_data_is_put_in_once() -> None:
    tail = templates.filled("select", query="{inventory}", inventory="{number} {query}", number="\\1")

    assert "{inventory}" in tail and "{number} {query}" in tail and "\\1" in tail


def test_the_fingerprint_changes_with_any_prompt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "prompts"
    shutil.copytree(templates._FOLDER, folder)
    monkeypatch.setattr(templates, "_FOLDER", str(folder))
    seen = [_fingerprint()]
    for file in sorted(folder.iterdir()):
        file.write_text(file.read_text() + "!")
        seen.append(_fingerprint())

    assert len(set(seen)) == len(seen) >= 5


def _fingerprint() -> str:
    templates.fingerprint.cache_clear()
    return templates.fingerprint()
