"""`prove`, `verify` and signed commits, from the command line."""

import subprocess
import sys
from pathlib import Path

import pytest
from support import PROJECT, Memoir, git

from memoir import NotFound, Repository

SIGNERS = "signers"


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """Tess's key: the user's configuration signs with it; the file `signers` beside it allows it."""
    return _new_key(tmp_path, "tess@example.org")


def _new_key(folder: Path, name: str) -> Path:
    key = folder / name
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    with (folder / SIGNERS).open("a") as file:
        file.write(f"{name} {key.with_suffix(key.suffix + '.pub').read_text()}")
    sign_with(key)
    return key


def sign_with(key: Path) -> None:
    """Let the user's configuration sign with a key."""
    git("config", "--global", "memoir.sign", "ssh")
    git("config", "--global", "user.signingKey", str(key))
    git("config", "--global", "gpg.ssh.allowedSignersFile", str(key.with_name(SIGNERS)))


def test_a_proof_is_checked_without_the_store(memoir: Memoir, tmp_path: Path) -> None:
    first = memoir.remember("preferences.tests", "Use pytest.")
    memoir.remember("other.path", "later")
    proof = memoir.ok("prove", "preferences.tests", "--at", "HEAD~1")
    elsewhere = Memoir(tmp_path)

    said = elsewhere.json("verify", "-", "--commit", first, stdin=proof)
    assert (said["commit"], said["full_key"], said["found"]) == (first, "default:preferences.tests", True)
    assert said["value"]["content"] == "Use pytest." and said["expected"] is True
    assert "for you to decide" in elsewhere.ok("verify", "-", stdin=proof)
    assert elsewhere.json("verify", "-", "--commit", "0" * 40, stdin=proof, status=1)["error"]["code"] == "not_proven"
    assert elsewhere.run("verify", "-", "--commit", first[:12], stdin=proof).status == 2


def test_that_there_is_no_memory_is_proved_too(memoir: Memoir) -> None:
    memoir.remember("preferences.tests", "Use pytest.")
    memoir.ok("prove", "preferences.secret", "-o", "proof")
    said = memoir.json("verify", "proof")
    assert (said["found"], said["record"], said["value"]) == (False, None, None)
    assert "holds no memory at default:preferences.secret" in memoir.ok("verify", "proof")


def test_the_example_verifies_what_the_command_prints(memoir: Memoir) -> None:
    commit = memoir.remember("preferences.tests", "Größe zählt.")
    (memoir.folder / "proof").write_text(memoir.ok("prove", "preferences.tests"))
    example = [sys.executable, str(PROJECT / "examples" / "verify_proof.py"), "proof"]
    done = subprocess.run([*example, commit], cwd=memoir.folder, capture_output=True, text=True)
    assert done.returncode == 0 and "Größe zählt." in done.stdout
    assert subprocess.run([*example, "0" * 40], cwd=memoir.folder, capture_output=True).returncode == 1


def test_every_commit_is_signed_as_git_signs(memoir: Memoir, key: Path) -> None:
    """Writes, merges, imports, the commit that undo begins with: git's own check accepts each."""
    memoir.remember("a.b", "one")
    memoir.ok("branch", "side")
    memoir.ok("remember", "on the side", "-p", "c.d", "--branch", "side")
    memoir.remember("a.b", "two", "--merge-policy", "replace")
    memoir.ok("merge", "side")
    memoir.ok("import", "-", stdin='{"path": "e.f", "content": "imported"}\n')
    memoir.ok("undo", "4")
    memoir.ok("redo")
    shown = memoir.git("log", "--all", "--reflog", "--format=%G? %GS")
    assert set(shown.splitlines()) == {"G tess@example.org"}
    assert memoir.json("fsck", "--signers", str(key.with_name(SIGNERS)))["signers"] == {"tess@example.org": 6}


@pytest.mark.parametrize("sha256", [False, True])
def test_log_and_blame_show_who_signed(tmp_path: Path, key: Path, sha256: bool) -> None:
    memoir = Memoir(tmp_path)
    memoir.ok("init", *(["--sha256"] if sha256 else []))
    memoir.remember("a.b", "Use pytest.")
    git("config", "--global", "memoir.sign", "off")
    memoir.remember("a.b", "Use nose.")
    signatures = [commit["signature"] for commit in memoir.json("log", "--signatures")["commits"]]
    assert [each["status"] for each in signatures] == ["none", "good"]
    assert signatures[1]["signer"] == "tess@example.org" and signatures[1]["key"].startswith("SHA256:")
    entries = memoir.json("blame", "a.b", "--signatures")["entries"]
    assert [entry["signature"]["status"] for entry in entries] == ["none", "good"]
    assert "Signed: by tess@example.org" in memoir.ok("log", "--signatures")
    assert "signature" not in memoir.json("log")["commits"][0]
    done = memoir.run("fsck", "--signers", str(tmp_path / SIGNERS))
    assert done.status == 7 and "it is not signed" in done.out


def test_a_forged_signature_and_a_key_of_nobody_are_told_apart(memoir: Memoir, key: Path) -> None:
    memoir.remember("a.b", "Use pytest.")
    raw = memoir.git("cat-file", "commit", "HEAD")
    (memoir.folder / "forged").write_text(raw.replace("Tess Ter", "Eve Vil"))
    forged = memoir.git("hash-object", "-t", "commit", "-w", str(memoir.folder / "forged")).strip()
    memoir.git("branch", "forged", forged)
    assert memoir.json("log", "--signatures", "--at", "forged")["commits"][0]["signature"]["status"] == "bad"
    key.with_name(SIGNERS).write_text("")
    assert memoir.json("log", "--signatures")["commits"][0]["signature"]["status"] == "unknown"


def test_verify_asks_for_a_signature_of_somebody_allowed(memoir: Memoir, key: Path) -> None:
    memoir.remember("a.b", "Use pytest.")
    memoir.ok("prove", "a.b", "-o", "proof")
    signers = str(key.with_name(SIGNERS))
    assert memoir.json("verify", "proof", "--signers", signers)["signature"]["signer"] == "tess@example.org"
    git("config", "--global", "memoir.sign", "off")
    memoir.remember("a.b", "Use nose.")
    memoir.ok("prove", "a.b", "-o", "unsigned")
    assert "is not signed" in memoir.run("verify", "unsigned", "--signers", signers).err
    with pytest.raises(NotFound, match="no file of allowed signers"):
        Repository.verify((memoir.folder / "unsigned").read_bytes(), signers="")
    key.with_name(SIGNERS).write_text("")
    assert memoir.run("verify", "proof", "--signers", signers).status == 1


@pytest.mark.parametrize(
    ("setting", "value", "words"),
    [
        ("user.signingKey", "/no/such/key", "there is no key to sign with at /no/such/key"),
        ("user.signingKey", "keys/mine", "user.signingKey is relative"),
        ("gpg.ssh.program", "/no/such/ssh-keygen", "/no/such/ssh-keygen cannot be run"),
        ("gpg.ssh.program", "false", "the commit could not be signed"),
        ("user.signingKey", "", "user.signingKey names no key"),
    ],
)
def test_what_cannot_be_signed_is_not_written(memoir: Memoir, key: Path, setting: str, value: str, words: str) -> None:
    before = memoir.remember("a.b", "one")
    git("config", "--global", setting, value)
    files = sorted(path for path in memoir.git_dir.rglob("*") if path.is_file())
    done = memoir.run("remember", "two", "-p", "a.b")
    assert done.status in (1, 2) and words in done.err
    assert memoir.git("rev-parse", "HEAD").strip() == before
    assert sorted(path for path in memoir.git_dir.rglob("*") if path.is_file()) == files
    assert memoir.ok("remember", "two", "-p", "a.b", MEMOIR_SIGN="off")


def test_a_store_names_neither_key_nor_program(memoir: Memoir, key: Path) -> None:
    assert memoir.run("config", "memoir.sign", "off").status == 2
    assert memoir.run("config", "user.signingKey", "/tmp/key").status == 2
    memoir.ok("config", "--global", "user.signingKey", str(key))
    memoir.git("config", "memoir.sign", "off")  # ignored
    memoir.remember("a.b", "one")
    assert memoir.git("log", "--format=%G?").strip() == "G"
    memoir.git("config", "gpg.ssh.program", "/tmp/anything")
    assert memoir.json("get", "a.b", status=1)["error"]["code"] == "unsafe_store"


def test_a_replay_says_whose_signatures_are_lost(memoir: Memoir, key: Path, tmp_path: Path) -> None:
    """Ada's commit is put on top of Ben's by Ben: he signs the new one, and is told that hers is gone."""
    git("init", "--quiet", "--bare", str(tmp_path / "hub.git"))
    memoir.remember("a.b", "base")
    memoir.ok("remote", "add", "origin", str(tmp_path / "hub.git"))
    memoir.ok("push")
    other = Memoir(tmp_path / "other")
    memoir.ok("clone", str(tmp_path / "hub.git"), str(other.folder))
    other.remember("o.o", "from elsewhere")
    other.ok("push")
    memoir.ok("remember", "by Ada", "-p", "c.d", MEMOIR_AUTHOR="Ada <ada@example.org>")
    old = memoir.git("rev-parse", "HEAD").strip()
    _new_key(tmp_path, "ben@example.org")
    done = memoir.run("sync", "--json", MEMOIR_AUTHOR="Ben <ben@example.org>")
    assert done.json["outcome"] == "replayed" and done.json["signatures_lost"] == [old]
    newest = memoir.json("log", "--signatures", "-l", "1")["commits"][0]
    assert (newest["author"], newest["signature"]["signer"]) == ("Ada", "ben@example.org")


def test_commits_that_go_through_writers_own_refs_stay_signed(memoir: Memoir, key: Path, tmp_path: Path) -> None:
    """Only folds have no signature: whoever folds the same refs makes the same commits."""
    git("init", "--quiet", "--bare", str(tmp_path / "hub.git"))
    memoir.remember("a.base", "base")
    memoir.ok("remote", "add", "origin", str(tmp_path / "hub.git"))
    memoir.ok("sync")
    other = Memoir(tmp_path / "other")
    memoir.ok("clone", str(tmp_path / "hub.git"), str(other.folder))
    for each, name in ((memoir, "ada"), (other, "ben")):
        each.ok("config", "memoir.remote.origin.writers", "own")
        each.ok("config", "memoir.writer", name)
        each.remember(f"a.{name}", "text")
    other.ok("sync")
    memoir.git("push", "--quiet", str(tmp_path / "hub.git"), "main:refs/memoir/writers/ada/main")
    other.ok("sync")
    rows = other.git("log", "--format=%s: %G?", "main").splitlines()
    assert [row.split(": ")[-1] for row in rows if not row.startswith("fold")] == ["G", "G", "G"]
    assert [row.split(": ")[-1] for row in rows if row.startswith("fold")] == ["N"]
    checked = other.run("fsck", "--signers", str(key.with_name(SIGNERS)), "--json").json
    assert (checked["signers"], len(checked["problems"])) == ({"tess@example.org": 3}, 0)


def test_a_purge_signs_no_commit_that_nobody_had_signed(memoir: Memoir, key: Path) -> None:
    git("config", "--global", "memoir.sign", "off")
    memoir.remember("a.b", "The vault is behind the red door.")
    sign_with(key)
    memoir.remember("c.d", "Something else.")

    memoir.ok("purge", "a.b", "--sign", "--yes")

    assert memoir.git("log", "--format=%G?").split() == ["G", "N"]


def test_purging_drops_signatures_or_signs_anew(memoir: Memoir, key: Path) -> None:
    memoir.remember("a.b", "The vault is behind the red door.")
    memoir.remember("c.d", "Something else.")
    memoir.ok("branch", "kept")
    planned = memoir.json("purge", "a.b", "--dry-run")
    assert len(planned["signatures_lost"]) == 2
    assert memoir.json("purge", "a.b", "--sign", "--yes")["signatures_lost"] == []
    assert memoir.git("log", "--all", "--reflog", "--format=%G?").split() == ["G", "G"]
    assert len(memoir.json("purge", "c.d", "--yes")["signatures_lost"]) == 1
    assert memoir.git("log", "--format=%G?").split() == ["N", "G"]


def test_a_purge_says_what_each_remote_has_and_may_have(memoir: Memoir) -> None:
    memoir.remember("a.b", "The safe opens with 4711-0815.")
    memoir.ok("tag", "v1")
    hub = memoir.folder / "hub.git"
    git("clone", "--quiet", "--bare", str(memoir.git_dir), str(hub))
    git(f"--git-dir={hub}", "update-ref", "refs/memoir/writers/ada/tags/v1", "main")
    memoir.ok("checkout", "-b", "tags/v1")
    memoir.ok("remote", "add", "origin", str(hub))
    memoir.ok("fetch")

    said = memoir.ok("purge", "a.b", "--yes")

    assert "origin has it in its branch 'main'; to replace that there:\n  git " in said
    assert "origin has it in its ref 'refs/memoir/writers/ada/tags/v1'; to replace that there:\n  git " in said
    assert "origin may have it in its ref 'refs/tags/v1'; to replace that there:\n  git " in said
