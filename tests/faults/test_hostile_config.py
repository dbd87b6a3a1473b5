"""The store's config is read by memoir's own parser before git sees it; nothing may slip between the two."""

import shutil
import subprocess
from pathlib import Path

import pytest
from fault_tools import run_all
from hypothesis import example, given
from hypothesis import strategies as st
from support import Memoir, built_once, git

from memoir.errors import DamagedStore
from memoir.store.allowed_settings import parse_config

_PLAIN = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"

# Each sets something that executes, in a spelling that git reads and a careless parser may not.
_TRICKS = {
    "on the section's line": "[core] hooksPath = /evil\n",
    "without blanks": "[core]hooksPath=/evil\n",
    "in capitals": "[CORE]\n\tHOOKSPATH = /evil\n",
    "after a comment that ends in a carriage return": "[core]\n# fine\r[memoir]\n\tsshCommand = evil\n",
    "after a value that ends in a carriage return": "[core]\n\tcompression = 1\r[memoir]\n\tsshCommand = evil\n",
    "with carriage returns": "[core]\r\n\thooksPath = /evil\r\n",
    "after a continued line": "[core]\n\tbare = tr\\\nue\n\thooksPath = /evil\n",
    "as a continued line": "[core]\n\tfilemode = true \\\n\n\thooksPath = /evil\n",
    "in an old-style subsection": "[remote.origin]\n\tuploadpack = evil\n",
    "on an old-style subsection's line": "[remote.origin] uploadpack = evil\n",
    "on a subsection's line": '[remote "origin"] uploadpack = evil\n',
    "behind a subsection with a bracket": '[memoir "]"]\n\tx = 1\n[core]\n\thooksPath = /evil\n',
    "behind a subsection with an escape": '[memoir "\\"]\n[core"]\n\thooksPath = /evil\n',
    "behind a quote that is not closed": '[memoir]\n\tx = "y\n[core]\n\thooksPath = /evil\n',
    "behind a comment on the section's line": "[core] ; fine\n\thooksPath = /evil\n",
    "behind a NUL": "[memoir]\n\tx = \0\n[core]\n\thooksPath = /evil\n",
    "behind a form feed": "[memoir]\n\tx = 1\n\f[core]\n\thooksPath = /evil\n",
    "without a value": "[core]\n\thooksPath\n",
    "in a second section of the name": "[memoir]\n\tx = 1\n[core]\n\tbare = true\n[core]\n\thooksPath = /evil\n",
    "as a second URL": '[remote "origin"]\n\turl = https://example.org\n\turl = ext::evil\n',
    "as a URL in pieces": '[remote "origin"]\n\turl = "e"x"t:":evil\n',
    "in an include": "[include]\n\tpath = evil\n",
    "in a conditional include": '[includeIf "gitdir:/"]\n\tpath = evil\n',
}


def test_a_forbidden_setting_is_found_in_any_spelling(memoir: Memoir) -> None:
    names = [name for name, trick in _TRICKS.items() if not _is_refused(memoir, _PLAIN + trick)]

    assert names == []


def test_a_forbidden_setting_is_found_behind_a_byte_order_mark(memoir: Memoir) -> None:
    assert _is_refused(memoir, "\ufeff[core]\n\thooksPath = /evil\n")
    assert _is_refused(memoir, "\ufeff" + _PLAIN + "\thooksPath = /evil\n")
    assert not _is_refused(memoir, _PLAIN)


def _is_refused(memoir: Memoir, config: str) -> bool:
    (memoir.git_dir / "config").write_bytes(config.encode())
    done = memoir.run("status", "--json")
    return done.status in (1, 7) and done.json["error"]["code"] in ("unsafe_store", "damaged_store")


def test_a_config_that_is_not_text_is_named(memoir: Memoir) -> None:
    for data in (b"\xff\xfe[core]", _PLAIN.encode() + b"\xff\n", _PLAIN.encode("utf-16")):
        (memoir.git_dir / "config").write_bytes(data)
        assert memoir.json("status", status=7)["error"]["code"] == "damaged_store"


@pytest.mark.parametrize("setting", ["memoir.repackAt", "memoir.remember.mergePolicy", "user.name", "user.email"])
def test_a_senseless_setting_is_an_error_or_ignored_but_no_crash(memoir: Memoir, setting: str) -> None:
    git("config", "--file", str(memoir.git_dir / "config"), setting, "<sometimes>")

    done = memoir.run("remember", "first", "-p", "a.first", "--json", MEMOIR_AUTHOR="")

    assert done.status in (0, 2), done
    assert (memoir.content("a.first") is not None) is (done.status == 0)
    assert "Traceback" not in done.err


_UNREADABLE = (
    ["config", "user.name", "\udcff"], ["config", "user.name", "a\rb"], ["config", 'memoir.a"b.c', "1"],
    ["config", "memoir.a]b.c", "1"], ["config", "memoir.a\\b.c", "1"], ["config", "memoir.a\nb.c", "1"],
    ["config", "user.name", "a\nb"], ["config", "user.name", ' "a\\'], ["config", "memoir.é.c", "1"],
    ["remote", "add", "x\udcff", "y"], ["remote", "add", 'a"b', "y"], ["remote", "add", "a]b", "y"],
    ["remote", "add", "r", "y\udcff"], ["remote", "add", "r", 'y"#;\\z'],
)  # fmt: skip


def test_memoir_never_sets_what_it_could_not_read_back(memoir: Memoir) -> None:
    memoir.remember("a.first", "first")
    for argv in _UNREADABLE:
        assert memoir.run(*argv).status in (0, 2), argv
        assert memoir.content("a.first") == "first", argv


def test_a_refused_setting_is_not_even_seen_for_a_moment(memoir: Memoir) -> None:
    """A reader beside must not meet it, nor a kill leave it behind."""
    memoir.remember("a.first", "first")
    writes = [_UNREADABLE[0], _UNREADABLE[9]] * 10
    reads = [["get", "a.first"]] * 2

    ends = run_all(memoir, [argv for bad in writes for argv in (bad, *reads)])

    assert {done.status for done in ends} == {0, 2}


_PIECES = st.sampled_from(
    [
        *(
            "[core]",
            "[remote",
            ' "origin"]',
            '"',
            "]",
            "[",
            "[memoir]\n",
            '[memoir "a"]\n',
            "bare",
            "url",
            "hooksPath",
            "x",
        ),
        *(
            "=",
            " = ",
            "true",
            "ext::",
            "1",
            ".",
            "-",
            "é",
            "#",
            ";",
            "\\",
            "\\\n",
            "\\n",
            "\n",
            "\n",
            "\n\t",
            "\r",
            "\r\n",
        ),
        *(" ", "\t", "\0", "\f", "\x0b", "\x1c", "\x85", "\ufeff", "\u2028"),
    ]
)


@given(st.lists(_PIECES, max_size=14).map("".join))
@example("[core]\n# x\r[memoir]\n\tsshCommand = y\n")
@example('[remote "a"]\nurl = "x # y" ; z\n')
def test_what_the_parser_accepts_git_reads_the_same_way(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    """git may refuse more; but a setting that memoir has not seen, or has seen differently, is a hole."""
    path = tmp_path_factory.getbasetemp() / "config"
    path.write_bytes(text.encode())
    try:
        ours = parse_config(text)
    except DamagedStore:
        return
    theirs = _as_git_reads(path)

    assert theirs is None or _blanks_aside(ours) == _blanks_aside(theirs)


def _as_git_reads(path: Path) -> dict[str, list[str]] | None:
    done = subprocess.run(["git", "config", "--file", str(path), "--list", "-z"], capture_output=True)
    if done.returncode:
        return None
    settings: dict[str, list[str]] = {}
    for item in done.stdout.decode().split("\0")[:-1]:
        key, equals, value = item.partition("\n")
        settings.setdefault(key, []).append(value if equals else "true")
    return settings


def _blanks_aside(settings: dict[str, list[str]]) -> dict[str, list[str]]:
    return {key: [" ".join(value.split()) for value in values] for key, values in settings.items()}


def test_a_store_does_not_say_who_its_user_is(memoir: Memoir) -> None:
    for key, mine, theirs in (
        ("user.name", "Una User", "Chief Officer"),
        ("user.email", "una@example.org", "chief@example.org"),
    ):
        git("config", "--file", str(memoir.git_dir / "config"), key, theirs)
        memoir.ok("config", "--global", key, mine)
        assert memoir.ok("config", key) == f"{mine}\n"
        refusal = memoir.json("config", key, "somebody", status=2)["error"]
        assert mine in refusal["message"] and "--global" in refusal["hint"]

    memoir.ok("remember", "first", "-p", "a.first", MEMOIR_AUTHOR="")

    assert memoir.git("log", "-1", "--format=%an <%ae>, %cn") == "Una User <una@example.org>, Una User\n"
    memoir.ok("config", "--global", "--unset", "user.name")
    memoir.ok("remember", "second", "-p", "a.second", MEMOIR_AUTHOR="")
    assert memoir.git("log", "-1", "--format=%an <%ae>") == "Chief Officer <una@example.org>\n"


SILENCING = {
    "no leg": ("bm25Weight=0", "vectorWeight=0"),
    "no value": ("k=banana", "maxChars=-1", "fusion=no", "rrfK=x", "candidatePool=0", "tau=x", "bm25Weight=much"),
    "nothing to see": ("k=1", "maxChars=1", "candidatePool=1"),
    "too much to see": ("k=10000", "candidatePool=10000", "insights=1000", "rawData=1000"),
    "only the newest": ("tau=0.0001", "halfLifeDays=0.0001"),
    "no agreement": ("tau=90", "halfLifeDays=7"),
    "one channel alone": ("personBoost=1e9", "timeBoost=1e9", "weight.graph=1e9", "weight.synonyms=1e9"),
}


@built_once
def whales(memoir: Memoir) -> None:
    for number in range(8):
        memoir.remember(f"whales.n{number}", f"Whales sing the song number {number}.")


@pytest.mark.parametrize("settings", SILENCING.values(), ids=SILENCING)
def test_no_setting_of_a_store_silences_or_floods_recall(whales: Memoir, settings: tuple[str, ...]) -> None:
    shutil.copytree(whales.git_dir, Path.home() / ".memoir")
    plain = whales.json("recall", "whales sing")
    for setting in settings:
        key, _, value = setting.partition("=")
        git("config", "--file", str(whales.git_dir / "config"), f"memoir.recall.{key}", value)

    answer = whales.json("recall", "whales sing")

    found, before = ([(each["path"], each["store"]) for each in it["memories"]] for it in (answer, plain))
    assert found == before
    assert len(answer["memories"]) == 5 and "ignored memoir.recall." in str(answer["degraded"])
    key, _, value = settings[0].partition("=")
    whales.ok("config", "--global", f"memoir.recall.{key}", "3")
    assert whales.json("recall", "whales sing")["memories"]


def test_a_store_may_rank_within_bounds_and_is_told_them(memoir: Memoir) -> None:
    memoir.ok("config", "memoir.recall.k", "8")
    refusal = memoir.json("config", "memoir.recall.k", "5000", status=2)["error"]
    assert "3 to 100" in refusal["message"] and refusal["hint"] == "memoir config --global memoir.recall.k 5000"
    memoir.ok("config", "--global", "memoir.recall.k", "5000")
