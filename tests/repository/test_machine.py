"""What `Repository` tells of the machine, and puts there, without a store."""

from pathlib import Path

import pytest

import memoir
from memoir import Repository
from memoir.errors import EmbedderUnavailable, InvalidInput


def test_the_versions_are_those_of_what_is_installed() -> None:
    versions = Repository.versions()

    assert versions.memoir == memoir.__version__
    assert versions.git[0].isdecimal()
    assert versions.format == "memoir-format-1"


def test_weights_that_are_not_there_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"does not contain config\.json"):
        Repository.install_minilm(file=tmp_path)
    with pytest.raises(InvalidInput, match="must begin with http"):
        Repository.install_minilm(url="ftp://example.org")
    with pytest.raises(EmbedderUnavailable):
        Repository.install_minilm(url="http://127.0.0.1:1")
