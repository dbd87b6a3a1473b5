"""`suggest`: the paths that are nearest to a text, as a user meets them."""

import re

from support import Memoir

TESTING = "preferences.coding.testing"
TEXT = "Our tests use pytest and no network."


def test_a_line_has_the_score_the_path_the_count_and_a_memory(memoir: Memoir) -> None:
    memoir.remember(TESTING, "Our tests use pytest.")
    memoir.remember(TESTING, "Tests use no mocks.\nNot one.", "--merge-policy", "append")

    done = memoir.run("suggest", TEXT)

    score = memoir.json("suggest", TEXT)["paths"][0]["score"]
    assert (done.status, done.err) == (0, "")
    assert done.out == f"{score:.2f}  {TESTING}  2 memories  Our tests use pytest.\n"


def test_what_is_not_near_is_said_to_be_so(memoir: Memoir) -> None:
    text = "My sister Rosa lives in an office building of the old town."
    empty = memoir.run("suggest", text)
    memoir.remember("settings.office.network", "The network of the office is slow.")
    far = memoir.run("suggest", text)

    best = memoir.json("suggest", text)["categories"][0]
    first = f"confidence {best['confidence']:.2f}  {best['path']}  Partner, children, parents, relatives\n"
    assert empty.status == far.status == 0
    assert empty.err == "no path is near: these are categories that fit\n" and empty.out.startswith(first)
    assert far.err == "no path is near: first categories that fit, then the nearest paths\n"
    assert far.out.startswith(first)
    assert re.match(r"relevance  0\.\d\d  settings\.office\.network", far.out.splitlines()[-1])  # it is another scale
    assert memoir.run("suggest", "Quokkas?").err.startswith("no path is near, and no category fits; 'memoir taxonomy'")
    assert memoir.run("suggest", text, "--quiet").err == ""


def test_standard_input_is_read_as_by_remember(memoir: Memoir) -> None:
    memoir.remember(TESTING, "Our tests use pytest.")

    assert memoir.ok("suggest", "-", stdin=TEXT + "\n") == memoir.ok("suggest", TEXT)
    assert memoir.run("suggest", "-", stdin=b"\xff").status == 2


def test_the_path_is_one_that_remember_takes(memoir: Memoir) -> None:
    memoir.remember("user:bob:notes.tests", "Our tests use pytest.")

    (near,) = memoir.json("suggest", TEXT, "-n", "user:bob")["paths"]
    assert near["full_key"] == "user:bob:notes.tests"
    assert memoir.json("remember", TEXT, "-p", near["full_key"])["namespace"] == "user:bob"


def test_a_long_memory_is_shortened(memoir: Memoir) -> None:
    memoir.remember(TESTING, f"Our tests use pytest{' and pytest' * 60}.")

    (near,) = memoir.json("suggest", TEXT)["paths"]
    assert len(near["example"]) == 200 and near["example"].endswith("…")


def test_it_stands_with_filing_and_not_in_the_short_help(memoir: Memoir) -> None:
    assert "suggest" not in memoir.ok("--help")
    family = memoir.ok("help", "--all").split("File and tidy:")[1]
    assert family.split()[0] == "suggest"
