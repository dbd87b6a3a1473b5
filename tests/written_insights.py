"""Insights for tests: a writer that needs no model, and says what the first source says."""

from contextlib import closing
from pathlib import Path

from memoir import Repository, WriteOptions
from memoir.index.index import Index
from memoir.layers.insight_nodes import InsightNode
from memoir.layers.insights import Build, InsightText, Texts, build
from memoir.layers.reader import Account
from memoir.memory.write_options import DEFAULTS


class FirstSource:
    """Words an insight as its first source is worded, under the name of some model."""

    def __init__(self, by: str) -> None:
        self._by = by

    def write(self, node: InsightNode, texts: Texts) -> InsightText | None:
        text = next((texts[source] for source in node.sources if source in texts), None)
        return InsightText(f"All in all: {text.removeprefix('All in all: ')}", self._by, node.sources) if text else None

    def account(self, missing: int) -> Account:
        return Account()


def write_insights(
    repository: Repository, options: WriteOptions = DEFAULTS, *, by: str = "a-model", namespace: str = "default"
) -> Build:
    """Bring the insights of a namespace up to date."""
    with closing(Index(repository.store, wait=True, threads=True)) as index:
        return build(repository.store, index, namespace, FirstSource(by), options)


def write_insights_at(folder: Path, by: str = "a-model") -> None:
    """Bring the insights of the store in a folder up to date."""
    with Repository.open(folder) as repository:
        write_insights(repository, by=by)
