"""The user's own store beside a project's: reads see both, writes go to the project."""

import os
from pathlib import Path

import pytest
from support import Memoir, built_once, copied
from written_insights import write_insights

from memoir.errors import NoStore, NotFound
from memoir.layers.item_options import NONE, ItemOptions
from memoir.records.record import Memory
from memoir.repository.repository import Repository
from memoir.store.locate import DIRECTORY
from memoir.store.store import Store


def _fill(git_dir: Path) -> None:
    with Repository.init(git_dir.parent) as own:
        own.remember(Memory.of("The user likes short answers about whales."), "preferences.style")
        own.remember(Memory.of("of the user"), "a.shared")


@pytest.fixture
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The user's own store, with two memories."""
    return copied(Path.home() / DIRECTORY, tmp_path_factory.getbasetemp() / "own" / DIRECTORY, _fill).parent


@built_once
def whales(repository: Repository) -> None:
    repository.remember(Memory.of("The project studies whales."), "project.goal")
    repository.remember(Memory.of("of the project"), "a.shared")


@pytest.fixture
def project(own: Path, whales: Repository) -> Repository:
    """A project's store, with two memories."""
    return whales


def test_get_answers_from_the_project_else_from_the_user(project: Repository) -> None:
    items = project.get_many(["a.shared", "preferences.style", "no.such"])

    contents = {item.address.path: (item.store, item.record and item.record[0].content) for item in items}
    assert contents == {
        "a.shared": ("project", "of the project"),
        "preferences.style": ("user", "The user likes short answers about whales."),
        "no.such": ("project", None),
    }


@pytest.mark.parametrize("name", ["project", "preferences"])
def test_what_one_store_has_under_a_glob_or_prefix_is_not_missing_in_the_other(project: Repository, name: str) -> None:
    assert [item.record is None for item in project.get_many([f"{name}.*"])] == [False]
    assert [item.record is None for item in project.get_many([name], prefix=True)] == [False]

    assert [item.record is None for item in project.get_many([name, f"{name}.x.*"])] == [True, True]
    assert [item.record is None for item in project.get_many(["nothing"], prefix=True)] == [True]


def test_a_glob_finds_in_both(project: Repository) -> None:
    assert {(item.address.path, item.store) for item in project.get_many(["p*.*"])} == {
        ("project.goal", "project"), ("preferences.style", "user"),
    }  # fmt: skip


def test_recall_ranks_both(project: Repository) -> None:
    answer = project.recall("whales", wait=True, limit=2)

    assert {(each.path, each.store) for each in answer.memories} == {
        ("project.goal", "project"), ("preferences.style", "user"),
    }  # fmt: skip
    assert len(project.recall("whales", wait=True, limit=1).memories) == 1


def test_recall_finds_what_was_said_in_both(project: Repository, own: Path) -> None:
    chat = "user: Always use metres for {}.\nassistant: A {} is long.\nuser: Thanks.\nassistant: Fine.\n"
    project.sources.ingest_text(chat.format("whales", "whale"), name="mine", items=ItemOptions(NONE))
    with Repository.open(own) as user:
        user.sources.ingest_text(chat.format("dolphins", "dolphin"), name="theirs", items=ItemOptions(NONE))

    answer = project.recall("which metres should I use for whales and dolphins", wait=True, limit=10)

    assert {(each.source, each.store) for each in answer.memories if each.layer} == {
        ("mine", "project"), ("theirs", "user"),
    }  # fmt: skip
    assert {(each.source, each.store) for each in answer.standing} == {("mine", "project"), ("theirs", "user")}


def test_insights_and_captions_of_both_stores_are_joined(project: Repository, own: Path) -> None:
    with Repository.open(own) as users:
        users.sources.ingest_text("Ada: The whales of Iceland sing in winter.\nBen: I heard the whales.\n", name="talk")
        users.remember(Memory.of("Whales like short answers."), "preferences.whales")
        write_insights(users)
    project.sources.ingest_text("# Whales\n\nThe project counts whales every spring.\n", name="notes")

    answer = project.recall("whales", wait=True, layers=True)
    cut = project.recall("whales", wait=True, layers=True, max_chars=sum(len(m.content) for m in answer.memories))

    assert {each.store for each in answer.insights} == {"user"}
    assert {each.store for each in answer.raw_data} == {"user", "project"}
    assert len(answer.raw_data) <= 3 and len(answer.insights) <= 3
    assert (cut.insights, cut.raw_data) == ((), ())


def test_a_survey_keeps_the_users_apart(project: Repository) -> None:
    survey = project.summarize(depth=1)

    assert (survey.total, survey.user and survey.user.total) == (2, 2)
    assert survey.user and survey.user.prefixes == {"default": {"a": 1, "preferences": 1}}


def test_a_date_is_of_both_and_a_commit_of_the_store_that_has_it(project: Repository, own: Path) -> None:
    mine = str(project.store.commit("HEAD").id)
    assert project.user
    theirs = str(project.user.store.commit("HEAD").id)

    assert [item.record is None for item in project.get_many(["preferences.style"], at=mine)] == [True]
    assert [item.store for item in project.get_many(["preferences.style"], at=theirs)] == ["user"]
    assert project.summarize(at="today").user and project.summarize(at=mine).user is None
    with pytest.raises(NotFound):
        project.get_many(["a.shared"], at="nowhere")


def test_a_namespace_of_either_store_is_known(project: Repository) -> None:
    assert project.user
    with Repository.open(Path.home()) as own:
        own.remember(Memory.of("A whale song."), "music.song", namespace="user:alice")

    answer = project.recall("whale", namespace="user:alice", wait=True)

    assert [(each.path, each.store) for each in answer.memories] == [("music.song", "user")]


def test_the_primer_ends_with_what_the_user_keeps(project: Repository) -> None:
    text = project.agents.prime().text

    assert text.index("The project studies whales.") < text.index("The user likes short answers about whales.")
    assert text.count("memoir recall") == 1 and len(text) <= 6_000
    assert len(project.agents.prime(max_chars=800).text) <= 800
    assert text.endswith(
        "\n\n`memoir remember --global 'TEXT' -p PATH` keeps what is about the user, whatever the project\n"
    )


def test_a_screenful_of_what_the_user_prefers_is_among_the_rules_of_a_project(project: Repository, own: Path) -> None:
    with Repository.open(own) as repository:
        repository.remember_many(
            [(f"Prefers tool {number} for this.", f"preferences.t{number}") for number in range(9)]
        )

    *_, mine = project.agents.prime().text.split("of the user, on branch")

    rules = mine.partition("Rules and preferences:")[2].partition("\n\n")[0]
    assert rules.count("Prefers tool") == 9


def test_what_both_stores_tell_is_not_more_than_every_host_takes(project: Repository, own: Path) -> None:
    rules = [("所有对外文档必须同时提供中文版本。" * 4 + f" {number}", f"rules.r{number}") for number in range(30)]
    with Repository.open(own) as repository:
        repository.remember_many(rules)
    project.remember_many(rules)

    assert 2_000 < project.agents.prime(max_chars=8_000).tokens <= 2_400


def test_without_a_project_the_primer_is_of_the_user_and_writes_to_their_own_store(own: Path) -> None:
    with Repository.open(own) as repository:
        text = repository.agents.prime().text

    assert "of the user, on branch" in text and "`memoir remember --global 'TEXT' -p PATH`" in text


def test_an_empty_project_says_how_to_write_to_it_beside_what_the_user_keeps(own: Path, tmp_path: Path) -> None:
    with Repository.init(tmp_path / "empty") as repository:
        text = repository.agents.prime().text

    assert text.startswith("memoir is the memory of this project; it is empty so far.")
    assert "The user likes short answers about whales." in text
    assert "`memoir remember 'ONE FACT'" in text and "`memoir remember --global 'TEXT'" in text


def test_a_prompt_finds_in_both(project: Repository) -> None:
    memories = project.agents.relevant("what does the project study, whales?")

    assert "project" in {each.store for each in memories}


def test_writes_need_a_project_or_the_word_global(own: Path, tmp_path: Path) -> None:
    (tmp_path / "bare").mkdir()
    here = Memoir(tmp_path / "bare")

    assert here.json("get", "a.shared")["items"][0]["found"]
    assert "--global" in here.json("remember", "x", "-p", "a.b", status=3)["error"]["hint"]
    here.ok("remember", "x", "-p", "a.b", "--global")
    assert here.json("get", "a.b", "--global")["items"][0]["found"]


def test_the_command_line_says_which_store(project: Repository) -> None:
    here = Memoir(project.path.parent)

    assert here.json("get", "preferences.style")["items"][0]["store"] == "user"
    assert {each["store"] for each in here.json("recall", "whales")["memories"]} == {"project", "user"}
    assert here.json("summarize")["user"]["total_memories"] == 2
    assert "in your own store" in here.ok("get", "preferences.style")


def test_a_write_without_a_project_says_first_how_it_goes_to_ones_own(own: Path) -> None:
    """In the user's own folder, too, where a store cannot be made a second time."""
    with Repository(Store(own / ".memoir", is_instead=True)) as repository, pytest.raises(NoStore) as failure:
        repository.remember("x", "a.b")

    assert failure.value.hint == "--global writes to your own; in a project, 'memoir init' creates one"


def test_a_setting_names_another_store_or_none(project: Repository, own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from memoir.store.locate import user_store

    own.joinpath(".gitconfig").write_text(f'[memoir "store"]\n\tglobal = {project.path.parent}\n')
    assert user_store() == project.path
    monkeypatch.setenv("MEMOIR_STORE_GLOBAL", "off")
    assert user_store() is None
    monkeypatch.setenv("MEMOIR_STORE_GLOBAL", os.devnull)
    with pytest.raises(NoStore):
        user_store()
