"""Mistakes on the command line are answered with what was likely meant."""

from pathlib import Path

import pytest
from fault_tools import copy_of
from support import Memoir


@pytest.mark.parametrize(
    ("line", "message", "hint"),
    [
        ("reflog -n 5", "no such option: -n", "for a number of entries: -l N"),
        ("log -l", "option '-l' requires an argument", "'memoir log --help' shows how it is used"),
        (
            "recall --batch",
            "option '--batch' requires an argument",
            "memoir recall --batch FILE; '--batch -' reads standard input",
        ),
        ("log --foo", "no such option: --foo", "'memoir log --help' shows how it is used"),
        ("log x --util 1", "no such option: --util", "did you mean '--until'?"),
        ("set a.b x", "no command named 'set'", "did you mean 'remember'?"),
        (
            "setup claude --recall-on-prompt --nudge",
            "--recall-on-prompt and --nudge exclude each other",
            "'memoir help setup' describes them",
        ),
        ("history", "no command named 'history'", "did you mean 'log'?"),
        ("inbox", "no command named 'inbox'", "did you mean 'classify'?"),
        ("threads 12ab", "got unexpected extra argument(s) (12ab)", "'memoir thread ID' shows one thread"),
        (
            "merge --abort",
            "no such option: --abort",
            "there is nothing to abort: a merge with a conflict changes nothing",
        ),
        ("pin --remove a.b", "no such option: --remove", "memoir unpin KEY"),
        ("rebase main", "no command named 'rebase'", "did you mean 'merge'?"),
        (
            "forget -rf a",
            "no such option: -r",
            "'memoir forget --prefix KEY' forgets everything at or under KEY",
        ),
        (
            "config get memoir.recall.k",
            "not a config key: 'get'",
            "'memoir config KEY' shows a setting, 'memoir config KEY VALUE' sets it",
        ),
        (
            "config set memoir.recall.k 7",
            "got unexpected extra argument(s) (7)",
            "'memoir config KEY' shows a setting, 'memoir config KEY VALUE' sets it",
        ),
        ("-V", "no such option: -V", "memoir --version"),
        (
            "clone",
            "missing argument 'URL'",
            "memoir clone URL . puts a team's store into this folder; 'git remote -v' names the project's",
        ),
        (
            "recall --force?",
            "no such option: --force?",
            "'memoir recall --help' shows how it is used; a text that begins with '-' goes last, after '--'",
        ),
        (
            "remember -sale",
            "missing argument 'CONTENT'",
            "memoir remember 'Use pytest, not unittest.'; 'memoir remember -' reads standard input; "
            "a text that begins with '-' goes last, after '--'",
        ),
        (
            "restore a.b",
            "missing option '--at'",
            "memoir restore KEY --at HEAD~1; 'memoir log KEY' lists the revisions",
        ),
    ],
)
def test_a_usage_error_suggests_what_was_meant(line: str, message: str, hint: str, memoir: Memoir) -> None:
    done = memoir.run(*line.split())

    assert done == (2, "", f"memoir: {message}\nhint: {hint}\n")


@pytest.mark.parametrize("variable", ["MEMOIR_JSON", "MEMOIR_DEBUG"])
def test_a_switch_in_the_environment_is_on_or_off(memoir: Memoir, variable: str) -> None:
    done = memoir.run("ls", **{variable: "foo"})

    assert done == (2, "", f"memoir: {variable} must be on or off, not 'foo'\nhint: unset {variable}\n")
    assert memoir.run("ls", "--json", **{variable: "foo"}).json["error"]["code"] == "invalid_input"
    assert not any(memoir.run("ls", **{variable: text}).out for text in ("", "0", "off", "No"))
    assert memoir.run("ls", MEMOIR_JSON="Yes").json["success"]


@pytest.mark.parametrize(
    ("line", "hint"),
    [("checkout x$(id)", "memoir checkout -b 'x$(id)'"), ("ls --branch x`id`", "memoir branch 'x`id`'")],
)
def test_a_hint_runs_nothing_that_the_name_of_a_branch_has(line: str, hint: str, memoir: Memoir) -> None:
    assert memoir.json(*line.split(), status=4)["error"]["hint"] == f"'{hint}' creates it"


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        (("remember", " ", "-p", "a.b"), "write at least one word"),
        (("remember", "-", "-p", "a.b"), "convert it first, with 'iconv -t UTF-8'"),
        (("get", "--stdin"), "convert it first, with 'iconv -t UTF-8'"),
        (("remember", "x", "-p", " "), "a path is words with dots between them, such as preferences.coding"),
        (("export", "-o", "missing/all.jsonl"), "create it first, or name another file"),
        (("lexicon", "add", "= b"), "such as: memoir lexicon add barn = staging cluster, preprod"),
        (("--global", "init"), "to create your own store: memoir init ~"),
        (("taxonomy", "load", "missing"), "check its name"),
        (("recall", ""), "ask in your own words, or list with 'memoir ls'"),
    ],
)
def test_every_refusal_says_what_helps(line: tuple[str, ...], hint: str, memoir: Memoir) -> None:
    done = memoir.run(*line, "--json", stdin=b"\xff\xfe")

    assert (done.status in (1, 2), done.json["error"]["hint"]) == (True, hint)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (("init", ""), "DIR"), (("log", ""), "A..B|KEY"), (("ls", ""), "PREFIX"), (("show", ""), "REV[:KEY]"),
        (("-s", "", "ls"), "--store"), (("ls", "-s", ""), "--store"), (("ls", "--branch", ""), "--branch"),
        (("verify", "-", "--signers", ""), "--signers"), (("merge", "x", "--into", ""), "--into"),
        (("purge", "--content", "", "--yes"), "--content"), (("export", "--prefix="), "--prefix"),
        (("recall", "x", "--person="), "--person"), (("lexicon", "remove", "x", "-m", ""), "--message"),
    ],
)  # fmt: skip
def test_what_is_empty_is_not_taken_as_not_given(line: tuple[str, ...], name: str, memoir: Memoir) -> None:
    done = memoir.run(*line)

    assert (done.status, done.out) == (2, "") and done.err.startswith(f"memoir: {name} is empty\nhint: name one, or ")


@pytest.mark.parametrize("command", ["import", "ingest"])
def test_a_file_that_does_not_exist_is_not_found(command: str, memoir: Memoir) -> None:
    done = memoir.run(command, "nosuch")

    assert (done.status, done.out) == (4, "")
    assert done.err.startswith("memoir: no file 'nosuch'\nhint: name a file, ")


def test_a_memory_that_has_expired_already_says_so(memoir: Memoir) -> None:
    assert "has expired already" in memoir.ok("remember", "x", "-p", "a.b", "--expires", "2020-01-01")
    assert "expired" not in memoir.ok("remember", "y", "-p", "a.c", "--expires", "30d")


@pytest.mark.parametrize(
    "line", ["remember x -p alice:a.b -n user", "get alice:a.b -n user", "forget alice:a.b -n user"]
)
def test_two_namespaces_for_one_key_are_refused(line: str, memoir: Memoir) -> None:
    memoir.remember("alice:a.b", "hello")

    done = memoir.run(*line.split())

    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("memoir: alice:a.b names a namespace, and -n names 'user'\nhint: ")


def test_a_namespace_of_some_keys_and_an_option_for_the_others(memoir: Memoir) -> None:
    memoir.ok("remember", "x", "-p", "alice:a.b", "-p", "c.d", "-n", "user")

    assert memoir.ok("ls") == "alice:a.b\nuser:c.d\n"


def test_a_question_can_come_from_standard_input(memoir: Memoir) -> None:
    memoir.remember("a.b", "Use pytest")

    assert memoir.json("recall", "-", stdin="pytest?\n")["query"] == "pytest?"


def _tagged_with_a_remote(memoir: Memoir) -> None:
    memoir.remember("a.b", "one")
    memoir.remember("a.b", "two")
    memoir.ok("tag", "v1")
    memoir.ok("init", "far")
    memoir.ok("remote", "add", "origin", "far/.memoir")


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("pull origin nosuch", "'memoir push origin nosuch' creates it"),
        ("push origin v1", "'v1' is a tag: 'memoir push origin --tags' sends every tag"),
        ("push origin mian", "did you mean 'main'?"),
        ("log HEAD~1", "'HEAD~1' is a revision: 'memoir log --at HEAD~1'"),
        ("log main", "'main' is a revision: 'memoir log --at main'"),
        ("log v1", "'v1' is a revision: 'memoir log --at v1'"),
        ("--branch b remember x -p a.c", "'memoir branch b' creates it"),
        ("branch main", "choose another name, or 'memoir checkout main' switches to it"),
        ("tag v1", "choose another name, or 'memoir tag -d v1'"),
        ("checkout nosuch", "'memoir checkout -b nosuch' creates it"),
        ("show a.b", "'a.b' is a key: 'memoir get a.b' reads it, 'memoir blame a.b' shows its versions"),
        ("show a", "'a' is a prefix: 'memoir ls a' lists what is below it"),
        ("diff a.b", "'a.b' is a key: 'memoir get a.b' reads it, 'memoir blame a.b' shows its versions"),
        ("grep -n 3 test", "-n names a namespace; for a number of entries: -l 3 (with grep: -m 3)"),
        ("read a.b", "did you mean 'get'?"),
        ("remove a.b", "did you mean 'forget'?"),
        ("recall", "memoir recall 'how do we test?'"),
        ("stash", "'memoir help --all' lists the commands"),
        ("remember use pytest", "put the memory in quotes: memoir remember '"),
        ("remember", "memoir remember 'Use pytest, not unittest.'; 'memoir remember -' reads standard input"),
        ("edit a.b new", "'memoir remember TEXT -p KEY' stores a new text; 'memoir edit KEY' opens an editor"),
        ("import far", "'--from auto' imports the folder of another tool"),
        ("taxonomy add project.bills", "memoir taxonomy add project.billing --about 'invoices and payments'"),
        ("tag -m text v2", "a tag has no message; 'memoir log --at TAG' shows its commit's"),
        ("summarize inbox", "'memoir ls PREFIX' lists the paths under it; "),
        ("log -p", "'memoir show REV' shows what a commit changed, 'memoir diff A B' what several did"),
        ("log --grep x", "'memoir grep PATTERN' finds memories, 'memoir log KEY' their commits"),
        ("log --graph", "'git --git-dir .memoir log --graph --oneline' draws the commits"),
        ("log --stat", "'memoir show REV' shows what a commit changed, 'memoir diff A B' what several did"),
        ("log -S tea", "'memoir grep PATTERN' finds memories, 'memoir log KEY' their commits"),
        ("log --all", "'memoir log --at BRANCH' shows those of another branch, 'memoir branch' lists them"),
        ("log --pretty=oneline", "memoir log --oneline; 'memoir log --json' has every field"),
        ("show --stat HEAD", "memoir diff --stat REV~1 REV"),
        ("diff --name-only", "memoir diff --stat"),
        ("push -u origin main", "'memoir push REMOTE BRANCH' is enough: a branch has no upstream"),
        ("pull --rebase", "'memoir sync' puts your commits on top, and pushes"),
        ("remote rename origin hub", "'memoir remote add NEW URL', then 'memoir remote remove OLD'"),
        ("remote show origin", "memoir remote list"),
        ("init --global", "memoir init ~"),
        ("remote rm origin", "memoir remote remove NAME"),
        ("config --get user.name", "memoir config KEY"),
        ("setup cluade", "did you mean 'claude'?"),
        ("setup emacs", "'memoir setup --list' lists the hosts"),
        ("branch -d main", "'memoir checkout BRANCH' switches to another one"),
        ("remote ad hub far", "did you mean 'add'?"),
        ("restore --source HEAD~1 a.b", "memoir restore KEY --at HEAD~1"),
        ("--git-dir .memoir log", "'memoir -s DIR' names the folder that holds .memoir/"),
        ("checkout -- a.b", "'a.b' is a key: 'memoir get a.b' reads it, 'memoir blame a.b' shows its versions"),
        ("clean -fdx", "'memoir help --all' lists the commands"),
        ("help reset", "did you mean 'undo'?"),
        ("help nosuch", "'memoir help --all' lists the commands"),
        ("merge main --theirs", "'--strategy ours' or '--strategy theirs' says which side to keep"),
        ("sync --ours", "'--strategy ours' or '--strategy theirs' says which side to keep"),
    ],
)
def test_the_hint_is_the_next_command_to_type(
    line: str, hint: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    memoir = copy_of(_tagged_with_a_remote, tmp_path_factory, tmp_path / "project")

    done = memoir.run(*line.split())

    assert done.out == "" and f"hint: {hint}" in done.err


@pytest.mark.parametrize(
    ("line", "message", "hint"),
    [
        ("undo abc", "'abc' is not a whole number", "'memoir undo N' takes back N changes; 'memoir reflog' lists them"),
        ("undo --list", "no such option: --list", "'memoir undo N' takes back N changes; 'memoir reflog' lists them"),
        ("undo -2", "no such option: -2", "memoir undo 2"),
        ("undo 0", "N must be 1 or more, not 0", "'memoir undo N' takes back N changes"),
        ("log -l -2", "--limit must be 1 or more, not -2", "'memoir log --help'"),
        ("why a.b --depth 101", "--depth must be from 1 to 100, not 101", "'memoir why --help'"),
        ("remember x --confidence high", "'high' is not a number", "'memoir remember --help'"),
        ("redo 2", "got unexpected extra argument(s) (2)", "'memoir redo' goes one step forward; 'memoir reflog'"),
        ("branch -a", "no such option: -a", "'memoir branch' lists the branches, 'memoir branch -r' those of remotes"),
    ],
)
def test_a_way_back_that_was_mistyped_is_shown(line: str, message: str, hint: str, memoir: Memoir) -> None:
    done = memoir.run(*line.split())

    assert done.status == 2 and done.err.startswith(f"memoir: {message}\nhint: {hint}")


def test_what_users_of_git_type_is_understood(memoir: Memoir) -> None:
    memoir.remember("a.b", "one")
    memoir.remember("a.c", "one more")
    memoir.ok("remote", "add", "origin", "far")

    assert memoir.ok("remote", "-v") == memoir.ok("remote")
    assert (
        memoir.ok("branch", "-v") == memoir.ok("branch", "-l") == memoir.ok("branch", "--list") == memoir.ok("branch")
    )
    assert memoir.ok("config", "-l") == memoir.ok("config", "--list")
    assert memoir.json("recall", "one", "-k", "1")["count"] == 1


def test_undo_says_how_many_changes_it_took_back(memoir: Memoir) -> None:
    for path in ("a.b", "a.c", "a.d"):
        memoir.remember(path, "one")

    assert memoir.ok("undo", "2").startswith("undo: 2 changes, the oldest: remember")


def test_a_memory_is_filed_in_plain_words(memoir: Memoir) -> None:
    message = memoir.ok("remember", "We always rebase before merging a git branch", "--classifier", "rules")
    path = memoir.json("ls")["keys"][0]["key"]

    assert message.startswith(f"filed under {path} (rules, ") and "evidence" not in message


@pytest.mark.parametrize(
    "line", ["recall x -l {}", "timeline -l {}", "ls --limit {}", "summarize --depth {}", "undo {}"]
)
def test_a_number_that_is_too_large_is_a_mistake_and_no_bug(line: str, memoir: Memoir) -> None:
    done = memoir.run(*line.format("9" * 20).split())

    assert (done.status, done.out) == (2, "")
    assert done.err.endswith(" is too large a number\nhint: 2,147,483,647 is the largest\n")
