"""A remote's address, and what of it may be seen."""

import os
from pathlib import Path

import pytest
from support import Memoir, git

from memoir.errors import GitError, InvalidInput
from memoir.exchange.fetch import clone
from memoir.exchange.remotes import add, remotes, without_credentials
from memoir.exchange.transport import Unreachable, not_talked, unreachable
from memoir.store.create import create
from memoir.store.store import Store


@pytest.mark.parametrize(
    ("url", "safe_url"),
    [
        ("https://token@example.org/x.git", "https://example.org/x.git"),
        ("https://me:pa@ss@example.org/x.git", "https://example.org/x.git"),
        ("HTTPS://me:@example.org:8443/x", "HTTPS://example.org:8443/x"),
        ("https://example.org/x.git?access_token=abc", "https://example.org/x.git"),
        ("ssh://git:secret@example.org/x", "ssh://git@example.org/x"),
        ("ssh://git@example.org/x", "ssh://git@example.org/x"),
        ("ftp://:secret@example.org/x", "ftp://example.org/x"),
        ("git@example.org:team/x.git", "git@example.org:team/x.git"),
        ("/srv/a@b/x.git", "/srv/a@b/x.git"),
        ("https://example.org/a@b", "https://example.org/a@b"),
        ("fatal: 'https://a:b@c/' and 'http://d@e/?k=v': no", "fatal: 'https://c/' and 'http://e/': no"),
    ],
)
def test_a_url_is_shown_without_its_credentials(url: str, safe_url: str) -> None:
    assert without_credentials(url) == safe_url


def test_no_command_prints_a_remotes_credentials(memoir: Memoir) -> None:
    secret, url = "s3cr3tw0rd", "http://someone:s3cr3tw0rd@127.0.0.1:9/x.git"
    runs = [memoir.run("remote", "add", "origin", url)]
    for command in (["remote"], ["status"], ["fetch"], ["push"], ["pull"], ["clone", url, "there"], ["remote", "list"]):
        runs += [memoir.run(*command), memoir.run(*command, "--json")]
    runs.append(memoir.run("remote", "set-url", "origin", url))
    memoir.remember("a", "1")
    runs.append(memoir.run("push"))

    assert not [done for done in runs if secret in done.out + done.err]
    assert "http://127.0.0.1:9/x.git" in memoir.ok("remote")
    assert memoir.git("config", "remote.origin.url") == url + "\n"
    failure = memoir.run("fetch")
    assert failure.status == 1 and failure.err.startswith(
        "memoir: origin could not be reached at http://127.0.0.1:9/x.git: "
    )
    assert "quotes a credential" not in failure.err


def test_a_clone_that_fails_names_the_address_and_no_refspec(tmp_path: Path) -> None:
    url = str(tmp_path / "nowhere")

    with pytest.raises(GitError) as error:
        clone(url, str(tmp_path / "copy"))

    assert f" could not be reached at {url}: " in error.value.message
    assert "refs/" not in error.value.message


@pytest.mark.parametrize(
    "words",
    [
        b"fatal: Authentication failed for 'https://example.org/x.git/'",
        b"fatal: could not read Username for 'https://example.org': terminal prompts disabled",
        b"git@example.org: Permission denied (publickey,password).",
    ],
)
def test_a_remote_that_refuses_the_caller_names_where_git_keeps_passwords(words: bytes) -> None:
    error = unreachable("origin", "https://example.org/x.git", words)

    assert error.hint and "credential helper" in error.hint and "address" not in error.hint


_CUT_OFF = b"send-pack: unexpected disconnect while reading sideband packet\nfatal: the remote end hung up unexpectedly"


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (b"error: RPC failed; HTTP 413 curl 22 The requested URL returned error: 413", "nginx: client_max_body_size"),
        (b"fatal: unable to access 'https://example.org/': The requested URL returned error: 403", "a mirror"),
        (b"error: RPC failed; HTTP 429 curl 22 The requested URL returned error: 429", "'memoir sync origin' tries"),
        (b"error: RPC failed; HTTP 503 curl 22 The requested URL returned error: 503", "'memoir sync origin' tries"),
        (b"fatal: dumb http transport does not support shallow capabilities", "http-backend"),
        (b"", "its git was ended"),
    ],
)
def test_what_a_web_server_answers_instead_of_git_has_a_hint_of_its_own(words: bytes, hint: str) -> None:
    error = unreachable("origin", "https://example.org/x.git", words + b"\n" + _CUT_OFF)

    assert error.hint and hint in error.hint and "remote set-url" not in error.hint


def test_a_remote_that_takes_no_signed_pushes_comes_with_the_setting(memoir: Memoir, tmp_path: Path) -> None:
    memoir.remember("a.first", "first")
    git("init", "-q", "--bare", str(tmp_path / "hub.git"))
    memoir.ok("remote", "add", "origin", str(tmp_path / "hub.git"))
    (tmp_path / "gitconfig").write_text("[push]\n\tgpgSign = true\n")

    error = memoir.json("sync", status=1, GIT_CONFIG_GLOBAL=str(tmp_path / "gitconfig"))["error"]

    assert "'git config --global push.gpgSign if-asked'" in error["hint"]


def test_a_remote_of_no_use_comes_with_the_next_command(memoir: Memoir, tmp_path: Path) -> None:
    memoir.remember("a.first", "first")
    error = memoir.json("remote", "add", "origin", "", status=2)["error"]
    assert (error["message"], error["hint"][:11]) == ("the URL is empty", "give a path")
    git("init", "-q", "--bare", "--object-format=sha256", str(tmp_path / "longer.git"))
    memoir.ok("remote", "add", "origin", str(tmp_path / "longer.git"))
    hint = "'git init --bare --object-format=sha1' (or sha256) makes a hub"
    assert hint in memoir.json("sync", status=1)["error"]["hint"]
    memoir.ok("remote", "set-url", "origin", str(tmp_path / "nowhere"))
    hint = "check the address ('memoir remote set-url origin URL' changes it), and that you may use it"
    error = memoir.json("sync", status=1)["error"]
    assert error["hint"] == hint
    assert "Please" not in error["message"]


def test_what_goes_wrong_in_the_store_itself_is_not_blamed_on_the_remote(tmp_path: Path) -> None:
    with create(tmp_path) as store:
        add(store, "origin", "ssh://hub.invalid/x.git")
        words = (
            b"error: cannot lock ref 'refs/remotes/origin/main': Unable to create '/x/main.lock': Permission denied\n"
        )

        error = not_talked(store, "origin", words)
        assert (type(error), error.hint) == (GitError, "see who owns that, and what its permissions are")
        assert "Permission denied" in error.message
        for words in (
            b"fatal: could not open '/x/objects/pack/tmp_pack_a1' for reading: No such file or directory\n",
            b"error: unable to write file /x/objects/pack/pack-52ec.pack: No such file or directory\n",
            b"fatal: cannot update ref 'x': trying to write ref 'x' with nonexistent object 1\n",
        ):
            assert (not_talked(store, "origin", words).hint or "").startswith("a 'git gc --prune=now' beside it")

        assert isinstance(
            not_talked(store, "origin", b"git@hub.invalid: Permission denied (publickey).\n"), Unreachable
        )


@pytest.mark.parametrize("name", [b"a\nhub 100%.git", b"caf\xe9"])
def test_a_folder_with_any_name_can_be_a_remote(memoir: Memoir, tmp_path: Path, name: bytes) -> None:
    hub = tmp_path / os.fsdecode(name)
    git("init", "-q", "--bare", str(hub))
    memoir.remember("a.b", "text")

    memoir.ok("remote", "add", "origin", str(hub))

    assert memoir.json("sync")["sent"] == 1
    assert memoir.json("sync")["outcome"] == "up_to_date"


def test_removing_a_remote_removes_what_was_fetched_and_what_followed_it(memoir: Memoir, tmp_path: Path) -> None:
    memoir.remember("a.b", "text")
    for name in ("origin", "other"):
        git("init", "-q", "--bare", str(tmp_path / f"{name}.git"))
        memoir.ok("remote", "add", name, str(tmp_path / f"{name}.git"))
        memoir.ok("sync", name)
    memoir.git("config", "branch.main.remote", "origin")
    memoir.git("config", "branch.main.merge", "refs/heads/main")
    memoir.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    memoir.ok("config", "memoir.remote.origin.writers", "own")
    memoir.git("update-ref", "refs/writers/origin/mine/main", "main")

    memoir.ok("remote", "remove", "origin")

    refs = memoir.git("for-each-ref", "--format=%(refname)").split()
    assert refs == ["refs/heads/main", "refs/remotes/other/main"]
    assert "origin" not in memoir.git("config", "--local", "--list")
    assert memoir.json("sync", "other")["outcome"] == "up_to_date"


@pytest.mark.parametrize("name", ["", "a b", "a..b", "x.lock", "a/", "-x~1", "a\nb"])
def test_a_name_under_which_no_ref_can_be_fetched_is_refused(store: Store, name: str) -> None:
    with pytest.raises(InvalidInput, match="not a valid remote name"):
        add(store, name, "../elsewhere")

    assert remotes(store) == {} and not store.has_remotes
