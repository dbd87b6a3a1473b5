"""What is said in several files of the project about versions is the same everywhere."""

import re
import tomllib

from support import PROJECT

from memoir.git.git import MINIMUM_VERSION

METADATA = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
WORKFLOW = (PROJECT / ".github/workflows/tests.yml").read_text("utf-8")


def classified() -> list[str]:
    """The versions of Python that the classifiers name."""
    prefix = "Programming Language :: Python :: "
    return [text.removeprefix(prefix) for text in METADATA["classifiers"] if text.startswith(prefix)]


def words(list_: str) -> list[str]:
    """The items of a list in the workflow, by its name."""
    (row,) = re.findall(rf"^ +{list_}: \[(.*)\]$", WORKFLOW, re.MULTILINE)
    return [word.strip('"') for word in row.split(", ")]


def test_the_workflow_tests_every_python_that_is_classified() -> None:
    assert words("python") == classified()
    assert words("os") == ["ubuntu-latest", "macos-latest"]


def test_the_oldest_python_is_the_same_everywhere() -> None:
    config = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["tool"]
    oldest = classified()[0]

    assert METADATA["requires-python"] == f">={oldest}"
    assert config["ruff"]["target-version"] == f"py{oldest.replace('.', '')}"
    assert f"memoir needs Python {oldest} " in (PROJECT / "README.md").read_text("utf-8")


def test_the_oldest_git_is_tested_and_named() -> None:
    oldest = ".".join(map(str, MINIMUM_VERSION))

    assert words("git") == [f"v{oldest}.0", "maint"]
    assert f"git {oldest} or newer" in (PROJECT / "README.md").read_text("utf-8")


def test_every_page_of_the_docs_is_on_the_site() -> None:
    nav = set(re.findall(r": (\S+\.md)$", (PROJECT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE))

    assert nav == {"index.md", *(str(page.relative_to(PROJECT / "docs")) for page in (PROJECT / "docs").rglob("*.md"))}


def test_every_link_of_the_docs_leads_to_a_file() -> None:
    pages = [*(PROJECT / "docs").rglob("*.md"), *PROJECT.glob("*.md")]
    for page in pages:
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), (page.name, target)
