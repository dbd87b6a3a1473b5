"""Rules files: which are found, and the paths of their points."""

from pathlib import Path

from formats.samples import write_files

from memoir.formats.found import Found, Place
from memoir.formats.readers.agents_md import read, recognize


def test_all_rules_files_of_a_project_are_read(tmp_path: Path) -> None:
    files = {
        "AGENTS.md": "## Build\n\n- Use make.\n",
        "services/api/AGENTS.md": "## Build\n\n- Use cargo.\n",
        ".cursor/rules/react.mdc": "---\nglobs: '*.tsx'\nalwaysApply: false\n---\n- Use hooks.\n",
        ".github/copilot-instructions.md": "## Review\n\nBe brief.\n",
        "memory-bank/activeContext.md": "# Active\n\n## Focus\n\n- The parser.\n",
        "README.md": "- Not this.\n",
        "node_modules/x/AGENTS.md": "- Not this.\n",
    }
    project = write_files(tmp_path / "project", files)
    memories = {each.content: each for each in read(Place(project)) if isinstance(each, Found)}

    assert {content: each.path for content, each in memories.items()} == {
        "Use make.": "project.build",
        "Use cargo.": "project.api.build",
        "Use hooks.": "project.react",
        "Be brief.": "project.review",
        "The parser.": "project.activecontext.focus",
    }
    assert memories["Use hooks."].metadata["rule"] == {"globs": "*.tsx", "alwaysApply": "false"}
    assert recognize(Place(project)) == "it has .cursor/rules/react.mdc"
