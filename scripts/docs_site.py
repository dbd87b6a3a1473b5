"""What `mkdocs build` needs beside docs/: README.md as the first page, and no links to files outside of the site."""

import re
from pathlib import Path
from posixpath import normpath

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

PROJECT = Path(__file__).resolve().parents[1]
_LINK = re.compile(r"(?<!!)\[([^]]*)\]\((?![a-z]+:)([^)#]+)(#[^)]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add README.md, whose links and pictures begin at the project's folder."""
    text = (PROJECT / "README.md").read_text("utf-8").replace("](docs/", "](")
    files.append(File.generated(config, "index.md", content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Name a file of the project by its path, where a page links to it: the site has the pages alone."""

    def name(link: re.Match[str]) -> str:
        text, target, _ = link.groups()
        if files.get_file_from_path(normpath(target)):
            return link[0]
        in_root = page.file.src_uri == "index.md" and (PROJECT / target).exists()
        path = normpath(target if in_root else f"docs/{target}")
        if not (PROJECT / path).exists():
            return link[0]  # which the strict build refuses
        return text if text.strip("`/") in path else f"{text} (`{path}`)"

    return _LINK.sub(name, markdown)
