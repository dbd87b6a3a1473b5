"""The table of settings: every setting is declared once, and read through its declaration only."""

import ast
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from support import PROJECT

import memoir
from memoir import setting_rules, settings
from memoir.errors import InvalidInput
from memoir.exchange import layout
from memoir.filing.decision import MODEL, RULES
from memoir.records.policy import LLM_MERGE, POLICIES
from memoir.setting import SHARE, TEXT_OR_NOTHING, Setting, days, number, require_positive, whole, words
from memoir.settings import TABLE

PACKAGE = Path(memoir.__file__).parent
COLOUR = Setting("memoir.made.upColour", words("red", "green"), "red", "a made-up setting", variables=("MADE_UP",))


@cache
def strings(file: Path) -> list[str]:
    """The string constants of a module, those of f-strings included, without docstrings."""
    every = [*ast.walk(ast.parse(file.read_text("utf-8")))]
    docs = {id(node.value) for node in every if isinstance(node, ast.Expr)}
    nodes = (node for node in every if isinstance(node, ast.Constant) and id(node) not in docs)
    return [node.value for node in nodes if isinstance(node.value, str)]


KEYS = {setting.key.lower() for setting in TABLE}
VARIABLES = {variable for setting in TABLE for variable in setting.variables}


def names_a_setting(text: str) -> bool:
    """Whether a string is a setting's key, the beginning of some, or a variable that gives one."""
    begins = text.startswith("memoir.") and text.endswith(".") and text != "memoir."
    return text in VARIABLES or text.lower() in KEYS or (begins and any(key.startswith(text.lower()) for key in KEYS))


READ_AT_THE_START = {
    ("session.py", "MEMOIR_STORE"),
    ("session.py", "MEMOIR_BRANCH"),
    ("main.py", "MEMOIR_JSON"),
    ("main.py", "MEMOIR_DEBUG"),
    ("branch_choice.py", "memoir.branch.follow"),
    ("locate.py", "memoir.store.global"),
    ("locate.py", "MEMOIR_STORE_GLOBAL"),
    ("events.py", "MEMOIR_STORE"),
    ("events.py", "MEMOIR_BRANCH"),
    ("entry.py", "MEMOIR_HOOKS"),
    ("setup.py", "MEMOIR_JSON"),
    ("help.py", "PAGER"),
    ("types.py", "memoir.filing.classifier"),
}
"""What every command reads, also `get`, and every hook, which must start without loading the table; a variable that
a trial takes out of the environment, and one that `man` is given; and modules that are called like settings."""


@pytest.mark.slow
def test_no_module_but_the_table_names_a_setting() -> None:
    modules = {file for file in PACKAGE.rglob("*.py") if file != PACKAGE / "settings.py"}

    assert {(file.name, text) for file in modules for text in strings(file) if names_a_setting(text)} == (
        READ_AT_THE_START
    )


@pytest.mark.slow
def test_every_variable_and_key_in_the_package_is_declared() -> None:
    files = set(PACKAGE.rglob("*.py"))
    modules = {".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts) for file in files}
    texts = {text for file in files for text in strings(file)} - {name.removesuffix(".__init__") for name in modules}
    variables = {text for text in texts if re.fullmatch(r"MEMOIR_[A-Z_]+", text)}
    keys = {text for text in texts if re.fullmatch(r"memoir(\.[a-zA-Z]+)+", text)}

    assert variables <= VARIABLES
    assert keys <= {setting.key for setting in TABLE}


def test_every_setting_is_complete() -> None:
    assert len({setting.key.lower() for setting in TABLE}) == len(TABLE)
    for setting in TABLE:
        assert setting.help and setting.help[0].islower() and not setting.help.endswith("."), setting.key
        assert setting.only_environment or setting.key.startswith(settings.SECTIONS), setting.key
        assert not setting.default_text or setting.default is not None, setting.key
        assert settings.find(setting.key_of("x").lower()) is setting or setting.only_environment, setting.key


def test_the_words_of_a_setting_are_those_that_the_package_knows() -> None:
    assert settings.MERGE_POLICY.kind.words == (*POLICIES, LLM_MERGE)
    assert settings.REMOTE_REFS.kind.words == (layout.PLAIN.name, layout.BESIDE.name)
    assert set(settings.FILING_CLASSIFIER.kind.words) == {"auto", MODEL, RULES}


def test_the_environment_wins_over_the_configuration_and_that_over_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    config = {"memoir.made.upcolour": ["red", "green"]}

    assert COLOUR.read({}) == COLOUR.read({"memoir.made.upcolour": [""]}) == COLOUR.default == "red"
    assert COLOUR.read_if_set({}) is None
    assert COLOUR.read(config) == "green"
    monkeypatch.setenv("MADE_UP", "")
    assert COLOUR.read(config) == "green"
    monkeypatch.setenv("MADE_UP", "red")
    assert COLOUR.read(config) == "red"


def test_a_bad_value_is_refused_by_the_name_that_gave_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidInput, match=r"memoir\.made\.upColour must be one of red, green, not 'blue'"):
        COLOUR.read({"memoir.made.upcolour": ["blue"]})
    with pytest.raises(InvalidInput, match="colour must be one of"):
        COLOUR.parse("blue", "colour")
    monkeypatch.setenv("MADE_UP", "blue")
    with pytest.raises(InvalidInput, match="MADE_UP must be one of"):
        COLOUR.read({})


def test_an_empty_variable_counts_where_blank_is_a_value(monkeypatch: pytest.MonkeyPatch) -> None:
    pager = Setting("PAGER_A", TEXT_OR_NOTHING, "less", "a pager", variables=("PAGER_A", "PAGER_B"))
    monkeypatch.setenv("PAGER_B", "more")
    assert pager.read({}) == "more"

    monkeypatch.setenv("PAGER_A", "")

    assert pager.read({}) == ""


@pytest.mark.parametrize("text", ["-1", "1.01", "nan", "inf", "many", "1e999", "off"])
def test_a_number_outside_its_range_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="share must be a number from 0 to 1, not "):
        Setting("share", number(0, 1), "0", "a share").parse(text)


@pytest.mark.parametrize("text", ["0", "2.5", "10001", "-inf"])
def test_a_whole_number_is_one_in_its_range(text: str) -> None:
    with pytest.raises(InvalidInput, match="many must be a whole number from 1 to 10,000, not "):
        Setting("many", whole(1, 10_000), "1", "how many").parse(text)


def test_a_refused_value_comes_with_what_to_do_about_it(monkeypatch: pytest.MonkeyPatch) -> None:
    share = Setting("share", number(0, 1), "0", "a share", variables=("SHARE",))

    with pytest.raises(InvalidInput) as error:
        share.read({"share": ["many"]})
    assert error.value.hint == "'memoir config --list' shows where it is set"

    monkeypatch.setenv("SHARE", "many")
    with pytest.raises(InvalidInput) as error:
        share.read({})
    assert error.value.hint == "unset SHARE"


@pytest.mark.parametrize("value", [-0.1, 1.5, float("nan"), float("inf"), True, None, "0.5"])
def test_a_value_that_is_not_a_share_is_refused_by_its_name(value: object) -> None:
    with pytest.raises(InvalidInput, match="confidence must be a number from 0 to 1, not "):
        SHARE.check(value, "confidence")


@pytest.mark.parametrize("value", [0, 1, 0.5])
def test_a_share_is_a_number_from_0_to_1(value: float) -> None:
    SHARE.check(value, "confidence")


@pytest.mark.parametrize("value", [0, -1, 2.0, True, "3"])
def test_a_limit_is_a_whole_number_from_1_up(value: object) -> None:
    require_positive(limit=None, depth=1)
    with pytest.raises(InvalidInput, match="limit must be a whole number from 1 up, not "):
        require_positive(depth=1, limit=value)


def test_a_value_of_words_is_one_of_them() -> None:
    assert [words("red", "blue").accepts(value) for value in ("red", "green", 1, None)] == [True, False, False, False]


def test_numbers_are_read_as_people_write_them() -> None:
    assert (number(0, 1).parse("0.5"), whole(1).parse("7"), days().parse("off"), days().parse("2.5")) == (
        0.5,
        7,
        0,
        2.5,
    )


def test_a_family_holds_the_keys_with_any_name() -> None:
    assert settings.find("memoir.remote.Origin.refs") is settings.REMOTE_REFS
    assert settings.REMOTE_REFS.key_of("Origin") == "memoir.remote.Origin.refs"
    assert settings.find("memoir.remote..refs") is settings.find("memoir.alias.") is None


@pytest.mark.parametrize(
    ("key", "hint"),
    [
        ("memoir.recall.candidatepol", "did you mean 'memoir.recall.candidatePool'?"),
        ("memoir.filing.zzz", "there are memoir.filing.classifier, memoir.filing.threshold, memoir.filing.paths"),
        ("memoir.team.room", "'memoir config --list' shows all settings"),
        ("memoir.zzz", "'memoir config --list' shows all settings"),
    ],
)
def test_an_unknown_setting_is_refused_with_the_nearest(key: str, hint: str) -> None:
    with pytest.raises(InvalidInput) as failure:
        setting_rules.check({}, key, "1")

    assert failure.value.hint == hint


def test_a_setting_of_the_environment_cannot_be_configured() -> None:
    with pytest.raises(InvalidInput, match="MEMOIR_LOCK_TIMEOUT is set in the environment only"):
        setting_rules.check({}, "MEMOIR_LOCK_TIMEOUT", "3")


def test_a_store_may_not_decide_for_its_user() -> None:
    ignores = setting_rules.is_ignored

    assert ignores("local", "memoir.llm.model", "x") and ignores("worktree", "memoir.recall.mode", "simple")
    assert ignores("local", "memoir.recall.rerank", "llm") and not ignores("local", "memoir.recall.rerank", "none")
    assert not ignores("global", "memoir.llm.model", "x") and not ignores("local", "memoir.recall.k", "3")
    (note,) = setting_rules.note([("memoir.llm.model", "x"), ("memoir.remember.mergepolicy", "llm_merge")], "remember")
    assert note == (
        "ignored memoir.remember.mergePolicy in the store's own config: only you may set it ('memoir config --global')"
    )


ROW = """
COLOUR = Setting(
    "memoir.paint.colour", words("red", "green"), "red", "the colour of the paint", variables=("MEMOIR_COLOUR",),
    only_user=("green",),
)  # fmt: skip
"""
USE = """
import os, sys
from memoir.cli.main import run
for line in ("init", "config --list", "config memoir.paint.colour", "config memoir.paint.color", "help --json",
             "config memoir.paint.colour green", "config memoir.paint.colour blue"):
    run(line.split())
os.environ |= {"_MEMOIR_COMPLETE": "complete_bash", "COMP_CWORD": "3"}
os.environ["COMP_WORDS"] = "memoir config memoir.paint.colour "
os.execv(sys.executable, [sys.executable, "-m", "memoir"])
"""


@pytest.mark.slow
def test_a_new_setting_needs_one_row_of_the_table(tmp_path: Path) -> None:
    for folder in ("memoir", "scripts", "docs", "man", "completions", "clients"):
        shutil.copytree(PROJECT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("node_modules"))
    table = tmp_path / "memoir/settings.py"
    table.write_text(table.read_text("utf-8").replace("\nTABLE:", f"{ROW}\nTABLE:"), "utf-8")
    env = {**os.environ, "PYTHONPATH": str(tmp_path), "MEMOIR_COLOUR": "green"}

    def python(*args: str) -> str:
        done = subprocess.run([sys.executable, *args], cwd=tmp_path, env=env, capture_output=True, text=True)
        return done.stdout + done.stderr

    assert python("scripts/generate.py").split() == [
        "docs/settings.md", "man/memoir-config.1", "man/memoir.1"
    ]  # fmt: skip
    row = (
        "| `memoir.paint.colour` | the colour of the paint | one of red, green | `red` | `MEMOIR_COLOUR` | to `green` |"
    )
    assert row in (tmp_path / "docs/settings.md").read_text("utf-8")
    assert "Only you may set it to green" in (tmp_path / "man/memoir-config.1").read_text("utf-8").replace("\n", " ")

    text = python("-c", USE)

    assert "memoir.paint.colour=green  (environment:MEMOIR_COLOUR)\ngreen\n" in text.replace("\n\n", "\n")
    assert "did you mean 'memoir.paint.colour'?" in text
    assert '{"name":"MEMOIR_COLOUR","meaning":"the colour of the paint; overrides memoir.paint.colour"}' in text
    assert "memoir config --global memoir.paint.colour green" in text
    assert "memoir.paint.colour must be one of red, green, not 'blue'" in text
    assert "\nred\ngreen\n" in text
