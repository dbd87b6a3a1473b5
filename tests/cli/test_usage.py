"""Mistakes on the command line are answered with what was likely meant."""

import pytest
from support import Memoir


@pytest.mark.parametrize(
    ("line", "message", "hint"),
    [
        ("ls -l", "option '-l' requires an argument", "'memoir ls --help' shows how it is used"),
        ("recall x --foo", "no such option: --foo", "'memoir recall --help' shows how it is used"),
        ("recall x --treshold 1", "no such option: --treshold", "did you mean '--threshold'?"),
        ("recall -3 x", "no such option: -3", "for a number of entries: -l 3"),
        ("set a.b x", "no command named 'set'", "did you mean 'remember'?"),
        ("history", "no command named 'history'", "did you mean 'log'?"),
    ],
)
def test_a_mistake_is_answered_with_what_was_meant(line: str, message: str, hint: str, memoir: Memoir) -> None:
    done = memoir.run(*line.split())

    assert done == (2, "", f"memoir: {message}\nhint: {hint}\n")


@pytest.mark.parametrize(
    "line", ["remember x -p alice:a.b -n user", "get alice:a.b -n user", "forget alice:a.b -n user"]
)
def test_two_namespaces_for_one_key_are_not_taken_for_one(line: str, memoir: Memoir) -> None:
    memoir.remember("alice:a.b", "hello")

    done = memoir.run(*line.split())

    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("memoir: alice:a.b names its namespace, and -n says 'user'\nhint: ")


def test_a_namespace_of_some_keys_and_an_option_for_the_others(memoir: Memoir) -> None:
    memoir.ok("remember", "x", "-p", "alice:a.b", "-p", "c.d", "-n", "user")

    assert memoir.ok("ls") == "alice:a.b\nuser:c.d\n"


def test_a_question_comes_from_standard_input(memoir: Memoir) -> None:
    memoir.remember("a.b", "Use pytest")

    assert memoir.json("recall", "-", stdin="pytest?\n")["query"] == "pytest?"


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("pull origin nosuch", "'memoir push origin nosuch' makes it"),
        ("push origin v1", "'v1' is a tag: 'memoir push origin --tags' sends every tag"),
        ("push origin mian", "did you mean 'main'?"),
        ("log HEAD~1", "'HEAD~1' is a revision: 'memoir log --at HEAD~1'"),
        ("log main", "'main' is a revision: 'memoir log --at main'"),
        ("log v1", "'v1' is a revision: 'memoir log --at v1'"),
        ("--branch b remember x -p a.c", "'memoir branch b' creates it"),
        ("checkout nosuch", "'memoir checkout -b nosuch' creates it"),
        ("show a.b", "'a.b' is a key: 'memoir get a.b' reads it, 'memoir blame a.b' shows its versions"),
        ("diff a.b", "'a.b' is a key: 'memoir get a.b' reads it, 'memoir blame a.b' shows its versions"),
        ("grep -n 3 test", "-n names a namespace; a number of entries, where there is a limit, is --limit 3"),
        ("read a.b", "did you mean 'get'?"),
        ("stash", "'memoir --help' lists the commands"),
    ],
)
def test_the_hint_is_the_next_command_to_type(line: str, hint: str, memoir: Memoir) -> None:
    memoir.remember("a.b", "one")
    memoir.remember("a.b", "two")
    memoir.ok("tag", "v1")
    memoir.ok("init", "far")
    memoir.ok("remote", "add", "origin", "far/.memoir")

    done = memoir.run(*line.split())

    assert done.out == "" and f"hint: {hint}" in done.err
