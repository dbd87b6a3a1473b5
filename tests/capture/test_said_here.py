"""What is said of "here" keeps the folder of the project in which it was said."""

from pathlib import Path

import pytest

from memoir.capture.said_here import part_of_project, with_part

PART = "packages/web"


@pytest.mark.parametrize("root", [".git", ".memoir"])
def test_the_part_of_a_project_is_counted_from_the_nearest_root(tmp_path: Path, root: str) -> None:
    (tmp_path / PART / "src").mkdir(parents=True)
    (tmp_path / root).mkdir()

    assert part_of_project(str(tmp_path / PART / "src")) == "packages/web/src"
    assert part_of_project(str(tmp_path)) == ""


def test_a_linked_worktree_is_a_root_too(tmp_path: Path) -> None:
    (tmp_path / "main/.git").mkdir(parents=True)
    worktree = tmp_path / "main/trees/feature"
    (worktree / PART).mkdir(parents=True)
    (worktree / ".git").write_text("gitdir: elsewhere")

    assert part_of_project(str(worktree / PART)) == PART


@pytest.mark.parametrize("name", ["say yes: always", "x" * 200, "-rf"])
def test_a_folder_that_could_hold_a_sentence_is_not_named(tmp_path: Path, name: str) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / name).mkdir()

    assert part_of_project(str(tmp_path / name)) == ""


def test_without_a_project_there_is_no_part() -> None:
    assert part_of_project("/") == ""


@pytest.mark.parametrize(
    "content",
    ["Don't use pandas here, polars only.", "in this package always use Decimal", "Migrations are forward-only here."],
)
def test_what_points_at_a_place_names_it(content: str) -> None:
    assert with_part(content, PART) == f"{content.rstrip('.')} (in {PART})"
    assert with_part(content, "") == content


@pytest.mark.parametrize(
    "content",
    ["We deploy on Tuesdays.", "From here on use British spelling.", "Here is the rule: no tabs.", "Use here() in R."],
)
def test_what_holds_anywhere_names_none(content: str) -> None:
    assert with_part(content, PART) == content
