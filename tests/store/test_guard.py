"""The guard: which stores are opened, and how their config is read."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoir.errors import DamagedStore, NoStore, UnsafeStore
from memoir.store import guard
from memoir.store.store import Store


def test_a_new_store_is_opened_and_its_settings_read(store: Store) -> None:
    assert guard.inspect(store.git_dir)["core.fsync"] == ["committed"]


@pytest.mark.parametrize(
    "text",
    [
        '[core]\n\thooksPath = hooks\n',
        '[core]\n\tsshCommand = touch x\n',
        '[remote "origin"]\n\tuploadpack = touch x\n',
        '[remote "origin"]\n\turl = ext::touch x\n',
        '[include]\n\tpath = other\n',
        '[includeIf "gitdir:/"]\n\tpath = other\n',
        '[gpg]\n\tprogram = x\n',
        '[alias]\n\tlog = !x\n',
    ],
)  # fmt: skip
def test_what_could_execute_something_is_not_opened(store: Store, text: str) -> None:
    with (store.git_dir / "config").open("a") as config:
        config.write(text)

    with pytest.raises(UnsafeStore):
        guard.inspect(store.git_dir)


@pytest.mark.parametrize(
    "text", ["[core] x = 1", "[core]\na = b\\\n c", "a = 1", "[core", "[core]\n=x", '[a "b\\"c"]\nd=1']
)
def test_what_the_parser_does_not_understand_git_is_not_given(text: str) -> None:
    with pytest.raises(DamagedStore):
        guard.parse_config(text)


def test_there_must_be_a_store(tmp_path: Path) -> None:
    with pytest.raises(NoStore):
        guard.inspect(tmp_path)
    with pytest.raises(NoStore):
        guard.inspect(tmp_path / "none")


@settings(max_examples=300)
@given(
    st.sampled_from(["memoir", "user", 'remote "o.r-x"', 'branch "a/b"']),
    st.from_regex(r"[a-zA-Z][a-zA-Z0-9-]{0,6}", fullmatch=True),
    st.text(st.characters(min_codepoint=32, max_codepoint=1000, exclude_characters="\x7f\x85\xa0"), max_size=12),
)
def test_values_are_read_as_git_reads_them(
    tmp_path_factory: pytest.TempPathFactory, section: str, name: str, value: str
) -> None:
    file = tmp_path_factory.mktemp("config") / "config"
    subject = section.replace(' "', ".").rstrip('"')
    written = subprocess.run(["git", "config", "--file", str(file), f"{subject}.{name}", value], capture_output=True)
    assert written.returncode == 0

    assert guard.parse_config(file.read_text()) == {f"{subject}.{name.lower()}": [value]}
