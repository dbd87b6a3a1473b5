"""The sources of the lexicon, as people write them, and the table that is compiled from them."""

import lexicon
import pytest
from lexicon_sources import Concept, Term, read

from memoir.english.lexicon import table
from memoir.errors import InvalidInput


def test_concepts_and_terms_are_read() -> None:
    text = """
    # what runs
    [concepts]
    monitoring ~ incident, logging: metrics, keep an eye on
    logging: log line
    [terms]
    k8s, Kubernetes: container orchestration, ~deployment
    """

    assert list(read(text)) == [
        Concept("monitoring", ("incident", "logging"), ("monitoring", "metrics", "keep an eye on")),
        Concept("logging", (), ("logging", "log line")),
        Term("k8s", {"container orchestration": 1.0, "deployment": 0.4}),
        Term("Kubernetes", {"container orchestration": 1.0, "deployment": 0.4}),
    ]


@pytest.mark.parametrize("text", ["bread: loaf", "[concepts]\nbread", "[concepts]\nbread:loaf", "[terms]\n#bread"])
def test_a_line_that_is_no_entry_is_named(text: str) -> None:
    with pytest.raises(InvalidInput, match=r"line \d is not an entry of the lexicon"):
        list(read(text))


@pytest.mark.slow
def test_the_table_is_that_of_its_sources() -> None:
    assert table.FILE.read_text("utf-8") == lexicon.text(), "run scripts/generate.py"


def test_every_source_is_compiled() -> None:
    files = {file.stem for file in table.FILE.parent.glob("*.txt")}

    assert files == {*lexicon.SOURCES, "table"}
