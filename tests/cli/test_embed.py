"""`embed install --from`: a model of the user's own, as a user meets it."""

from pathlib import Path

import pytest
from embedders import tiny_model
from support import Memoir, git


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return tiny_model.save(tmp_path / "tiny")


def test_a_model_is_installed_shown_and_used(memoir: Memoir, model: Path) -> None:
    installed, hint = memoir.ok("embed", "install", "--from", str(model)).splitlines()
    about = "tiny (384 dimensions, mean pooling, by prollytree)"
    assert installed.startswith(f"installed {about} in /") and "memoir.embed.provider installed" in hint

    memoir.ok("config", "--global", "memoir.embed.provider", "installed")
    status = memoir.json("embed", "status", MEMOIR_EMBED_PROVIDER="installed")
    assert status["embedder"] == status["installed"]["embedder"] == Path(status["installed"]["folder"]).name
    assert f"installed {about}" in memoir.ok("embed")
    memoir.remember("a.b", "We test with pytest.")
    index = memoir.json("index", MEMOIR_EMBED_PROVIDER="installed")
    assert index["embedder"] == status["embedder"] and index["degraded"] is None


def test_outside_of_a_store_git_makes_the_users_setting(memoir: Memoir, tmp_path: Path) -> None:
    """The line after an installation, which needs no store, says what to set; so the way there is named."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    refused = memoir.run("-s", str(elsewhere), "config", "--global", "memoir.recall.k", "7")

    command = ["git", "config", "--global", "memoir.recall.k", "7"]
    assert refused.status == 3 and f"hint: {' '.join(command)}\n" in refused.err
    git(*command[1:])
    assert memoir.ok("config", "memoir.recall.k").strip() == "7"


def test_the_answer_describes_the_model(memoir: Memoir, model: Path) -> None:
    tiny_model.write(model / "config_sentence_transformers.json", {"prompts": {"query": "query: "}})

    answer = memoir.json("embed", "install", "--from", str(model))

    about = answer["installed"]
    assert (answer["embedder"], answer["folder"]) == (about["embedder"], about["folder"]) and answer[
        "bytes"
    ] > 1_000_000
    assert (about["query_prefix"], about["document_prefix"]) == ("query: ", "")
    assert "prefixes '' and 'query: '" in memoir.ok("embed", "status")


def test_what_is_no_model_is_refused(memoir: Memoir, model: Path) -> None:
    tiny_model.write(model / "config.json", {**tiny_model.CONFIG, "hidden_size": 768})

    assert memoir.run("embed", "install", "--from", "nowhere").status == 4
    error = memoir.json("embed", "install", "--from", str(model), status=2)["error"]
    assert "768" in error["message"] and "memoir[onnx]" in error["hint"]
    assert memoir.json("embed", "status")["installed"] is None


def test_a_store_cannot_choose_it(memoir: Memoir, model: Path) -> None:
    memoir.ok("embed", "install", "--from", str(model))

    assert memoir.run("config", "memoir.embed.provider", "installed").status == 2
    memoir.git("config", "memoir.embed.provider", "installed")
    assert not memoir.json("embed", "status")["embedder"].startswith("installed")
