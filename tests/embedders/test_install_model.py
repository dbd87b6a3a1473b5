"""What a sentence-transformer's own files say of it, and which models are refused."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from embedders import tiny_model

from memoir.embedders.install_model import read_source
from memoir.errors import InvalidInput, NotFound


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A model whose files only have to be there: its weights are empty."""
    folder = tmp_path / "model"
    tiny_model.write(folder / "config.json", tiny_model.CONFIG)
    for name in ("tokenizer.json", "model.safetensors"):
        (folder / name).write_bytes(b"")
    return folder


def pool_by(folder: Path, **modes: object) -> None:
    tiny_model.write(folder / "1_Pooling/config.json", {"word_embedding_dimension": 384, **modes})


def test_files_without_further_ones_are_a_model_that_pools_by_the_mean(folder: Path) -> None:
    form, files = read_source(str(folder))

    assert (form.title, form.runner, form.pooling, form.dimensions) == ("model", "prollytree", "mean", 0)
    assert (form.document, form.query, form.lowercase, form.tokens) == ("", "", False, tiny_model.POSITIONS)
    assert set(files) == {"config.json", "tokenizer.json", "model.safetensors"}


@pytest.mark.parametrize(
    ("modes", "pooling"),
    [
        ({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}, "cls"),
        ({"pooling_mode_max_tokens": True}, "max"),
        ({"pooling_mode_lasttoken": True}, "last"),
        ({"pooling_mode_mean_sqrt_len_tokens": True}, "mean"),
        ({"pooling_mode": "cls"}, "cls"),
    ],
    ids=lambda value: value if isinstance(value, str) else "-".join(value),
)
def test_pooling_is_read_and_what_prollytree_cannot_do_runs_by_onnx(
    folder: Path, modes: dict[str, object], pooling: str
) -> None:
    (folder / "onnx").mkdir()
    (folder / "onnx/model.onnx").write_bytes(b"")
    pool_by(folder, **modes)

    form, files = read_source(str(folder))

    assert (form.pooling, form.dimensions) == (pooling, 384)
    assert form.runner == ("prollytree" if pooling == "mean" else "onnx")
    assert (f"model.{'safetensors' if pooling == 'mean' else 'onnx'}") in files


@pytest.mark.parametrize(
    "modes",
    [
        {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": True},
        {"pooling_mode_weightedmean_tokens": True},
        {"pooling_mode": ["cls", "mean"]},
    ],
    ids=["two", "weighted", "list"],
)
def test_other_pooling_is_refused(folder: Path, modes: dict[str, object]) -> None:
    pool_by(folder, **modes)

    with pytest.raises(InvalidInput, match="the model pools by"):
        read_source(str(folder))


@pytest.mark.parametrize(
    ("config", "reason"),
    [({"hidden_size": 768}, "the dimensions are 768"), ({"model_type": "roberta"}, "the type is 'roberta'")],
)
def test_what_prollytree_cannot_run_needs_onnx(folder: Path, config: dict[str, object], reason: str) -> None:
    tiny_model.write(folder / "config.json", {**tiny_model.CONFIG, **config})

    with pytest.raises(InvalidInput, match=reason) as failure:
        read_source(str(folder))
    assert "model.onnx" in str(failure.value.hint) and "memoir[onnx]" in str(failure.value.hint)
    (folder / "model.onnx").write_bytes(b"")
    (folder / "model.onnx_data").write_bytes(b"")
    form, files = read_source(str(folder))
    assert form.runner == "onnx" and {"model.onnx", "model.onnx_data"} <= set(files)


@pytest.mark.parametrize(
    ("prompts", "query", "document"),
    [
        ({"query": "query: ", "document": "passage: "}, "query: ", "passage: "),
        ({"query": "Q ", "passage": "P "}, "Q ", "P "),
        ({"query": "Find: "}, "Find: ", ""),
    ],
)
def test_prefixes_are_those_of_its_prompts(folder: Path, prompts: dict[str, str], query: str, document: str) -> None:
    tiny_model.write(folder / "config_sentence_transformers.json", {"prompts": prompts, "default_prompt_name": None})

    form = read_source(str(folder)).form

    assert (form.query, form.document) == (query, document)


def test_a_default_prompt_stands_for_those_that_have_no_name(folder: Path) -> None:
    prompts = {"all": "text: ", "query": "query: "}
    tiny_model.write(folder / "config_sentence_transformers.json", {"prompts": prompts, "default_prompt_name": "all"})

    form = read_source(str(folder)).form

    assert (form.query, form.document) == ("query: ", "text: ")


@pytest.mark.parametrize(
    ("config", "sentences", "tokens"),
    [
        ({}, {"max_seq_length": 20}, 20),
        ({}, {"max_seq_length": 200}, 64),
        ({"max_position_embeddings": 514, "model_type": "xlm-roberta"}, {}, 512),
        ({"max_position_embeddings": 8192, "model_type": "modernbert"}, {}, 512),
        ({"max_position_embeddings": None, "model_type": "other"}, {}, 512),
    ],
)
def test_tokens_are_as_many_as_the_model_was_made_for(
    folder: Path, config: dict[str, Any], sentences: dict[str, Any], tokens: int
) -> None:
    tiny_model.write(folder / "config.json", {**tiny_model.CONFIG, **config})
    tiny_model.write(folder / "sentence_bert_config.json", {**sentences, "do_lower_case": True})
    (folder / "model.onnx").write_bytes(b"")

    form = read_source(str(folder)).form

    assert form.tokens == tokens and form.lowercase


def test_modules_say_where_the_files_are(folder: Path, tmp_path: Path) -> None:
    outer = tmp_path / "outer"
    shutil.copytree(folder, outer / "0_Transformer")
    modules = [{**tiny_model.MODULES[0], "path": "0_Transformer"}, {**tiny_model.MODULES[1], "path": "pool"}]
    tiny_model.write(outer / "modules.json", modules)
    tiny_model.write(outer / "pool/config.json", {"pooling_mode_max_tokens": True})
    (outer / "0_Transformer/model.onnx").write_bytes(b"")

    assert read_source(str(outer)).form.pooling == "max"


def test_a_module_that_memoir_does_not_compute_is_named(folder: Path) -> None:
    tiny_model.write(folder / "modules.json", [*tiny_model.MODULES, {"type": "x.models.Dense", "path": "3_Dense"}])

    with pytest.raises(InvalidInput, match="'Dense'"):
        read_source(str(folder))


@pytest.mark.parametrize("prefix", ["", "package/models/"], ids=["at the top", "deeper"])
def test_an_archive_is_read_as_its_folder(folder: Path, tmp_path: Path, prefix: str) -> None:
    tiny_model.write(folder / "modules.json", tiny_model.MODULES)
    pool_by(folder, pooling_mode_mean_tokens=True)
    (tmp_path / "tree" / prefix).parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(folder, tmp_path / "tree" / prefix, dirs_exist_ok=True)
    archive = shutil.make_archive(str(tmp_path / "model"), "zip", tmp_path / "tree")

    assert read_source(archive).form == read_source(str(folder)).form


@pytest.mark.parametrize("missing", ["config.json", "tokenizer.json", "model.safetensors"])
def test_what_is_missing_is_named(folder: Path, missing: str) -> None:
    (folder / missing).unlink()

    with pytest.raises(InvalidInput, match=missing):
        read_source(str(folder))


def test_what_is_no_model_is_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        read_source(str(tmp_path / "nowhere"))
    with pytest.raises(InvalidInput, match="neither a folder nor a zip archive"):
        read_source(str(folder / "config.json"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(InvalidInput, match="holds no model"):
        read_source(shutil.make_archive(str(tmp_path / "empty"), "zip", tmp_path / "empty"))


@pytest.mark.parametrize(
    ("name", "text"),
    [("config.json", "{"), ("config.json", "[]"), ("modules.json", "{"), ("modules.json", '{"a": 1}'),
     ("1_Pooling/config.json", "x")],
)  # fmt: skip
def test_files_that_are_not_what_they_should_be_are_named(folder: Path, name: str, text: str) -> None:
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text(text)

    with pytest.raises(InvalidInput, match=Path(name).name):
        read_source(str(folder))
