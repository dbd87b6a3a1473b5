"""`repository.lexicon`: a store's own words, and what recall, filing and history make of them."""

from pathlib import Path

import pytest
from support import built_once

from memoir import Memory, Repository, WriteOptions

BARN = "barn = staging cluster, preprod"
QUESTION = "how large is the barn?"
FACTS = {
    "system.environments.staging": "The staging cluster has three nodes in Frankfurt.",
    "experience.ops.reboot": "The barn was rebooted on Monday.",
    "team.roles.keys": "Jo owns the keys of the barn.",
    "project.billing.invoices": "Invoices are sent on the first of the month.",
    "settings.harbor.kernel": "The harbor needs a newer kernel.",
}


@built_once
def filled(repository: Repository) -> None:
    """A store with facts."""
    for path, fact in FACTS.items():
        repository.remember(Memory.of(fact), path)


def best(repository: Repository, question: str = QUESTION, **options: str) -> str:
    """The path of the first memory that answers a question."""
    return repository.recall(question, **options).memories[0].path  # type: ignore[arg-type]


def is_found(repository: Repository, **options: str) -> bool:
    """Whether the fact about the staging cluster has evidence for the question about the barn."""
    found = repository.recall(QUESTION, strict=True, **options).memories  # type: ignore[arg-type]
    return "system.environments.staging" in [each.path for each in found]


def lines(repository: Repository, at: str | None = None) -> list[str]:
    """The lines of a store."""
    return [each.line.text for each in repository.lexicon.list(at=at)]


def test_recall_finds_by_either_name(filled: Repository) -> None:
    assert not is_found(filled)

    filled.lexicon.add(BARN)

    assert is_found(filled) and best(filled, "how many nodes for the barn?") == "system.environments.staging"
    assert best(filled, "when did preprod restart?") == "experience.ops.reboot"
    (found,) = [each for each in filled.lexicon.why(QUESTION) if each.lines]
    assert (found.words, [line.text for line in found.lines], found.is_name) == ("barn", [BARN], True)


def test_the_vector_of_a_question_is_told_what_a_name_stands_for(filled: Repository) -> None:
    """A question may have no other word that tells, and then a chance cosine would be all that the vectors say."""

    def cosine() -> float:
        return filled.explain(QUESTION, "system.environments.staging").memories[0].candidate.numbers()["cosine"] or 0.0

    before = cosine()
    filled.lexicon.add(BARN)

    assert cosine() > before + 0.3
    assert best(filled) == "system.environments.staging"


def test_memories_that_were_there_are_read_anew(filled: Repository) -> None:
    """A name that the store gives no longer means what it means elsewhere, and means what its words mean."""

    def concepts(question: str) -> float | None:
        return filled.explain(question, "settings.harbor.kernel").memories[0].candidate.numbers()["concepts"]

    ships, money = "which vessel is late?", "what about billing?"
    before = concepts(ships)
    assert before and not concepts(money)

    filled.lexicon.add("harbor = billing service")

    assert not concepts(ships) and concepts(money)
    filled.lexicon.remove("harbor")
    assert concepts(ships) == before and not concepts(money)


def test_an_index_that_followed_is_as_one_from_nothing(filled: Repository) -> None:
    filled.recall(QUESTION)
    filled.lexicon.add(BARN)
    followed = filled.recall(QUESTION)
    filled.upkeep.index(rebuild=True)

    assert [(each.path, each.relevance_score) for each in filled.recall(QUESTION).memories] == [
        (each.path, each.relevance_score) for each in followed.memories
    ]


def test_filing_reads_a_name_as_what_it_stands_for(filled: Repository) -> None:
    fact = "Zyxel is paid in March."
    before = filled.remember(Memory.of(fact)).decision
    filled.undo()

    filled.lexicon.add("Zyxel = the landlord, rent for the flat")
    after = filled.remember(Memory.of(fact)).decision

    assert before and after
    (first, *_), (second, *_) = (each.placements or each.offers for each in (before, after))
    assert first.path.endswith(".zyxel") and second.path.endswith(".zyxel") and first != second


def test_history_knows_the_words(filled: Repository) -> None:
    filled.lexicon.add(BARN)
    filled.lexicon.add("barn = rehearsal stage")

    key = "memoir:lexicon:barn"
    assert [each.message for each in filled.log(key)] == ["lexicon: add barn"] * 2
    assert [version.operation for version in filled.blame(key)] == ["modified", "added"]
    (change,) = filled.diff("HEAD~1", "HEAD").differences
    assert change.address.full_key == key and change.new and change.new[-1].content == "barn = rehearsal stage"
    filled.undo()
    assert lines(filled) == [BARN]
    filled.undo()
    assert lines(filled) == [] and not is_found(filled) and is_found(filled, at="HEAD@{1}")


@pytest.mark.slow
def test_two_clones_add_words_for_one_name(filled: Repository, tmp_path: Path) -> None:
    other = Repository.clone(str(filled.path), tmp_path / "other")
    filled.lexicon.add("barn = staging cluster")
    other.lexicon.add("Barn = preprod")
    other.lexicon.add("Mercury = billing service")

    other.remotes.sync()
    assert sorted(lines(other)) == ["Barn = preprod", "Mercury = billing service", "barn = staging cluster"]
    assert is_found(other)


def test_a_branch_has_words_of_its_own(filled: Repository) -> None:
    filled.branches.create("side")
    filled.lexicon.add(BARN)

    assert lines(filled, at="side") == []
    filled.branches.checkout("side")
    filled.lexicon.add("barn = red house")
    filled.branches.checkout("main")
    filled.merge("side")

    assert sorted(lines(filled)) == ["barn = red house", BARN]


@pytest.mark.slow
def test_a_line_of_somebody_else_misleads_no_more_than_recall(filled: Repository) -> None:
    """The most that a hostile store can do: its own answers come in another order."""
    before = [filled.get("team.roles.keys"), filled.summarize(), filled.agents.prime().text.splitlines()[2:]]
    for number in range(30):
        filled.lexicon.add(f"keys{number}, x{number} = " + ", ".join(f"jo{n} barn invoices" for n in range(20)))

    assert [filled.get("team.roles.keys"), filled.agents.prime().text.splitlines()[2:]] == [before[0], before[2]]
    assert {each.path for each in filled.recall("keys1", limit=9).memories} <= FACTS.keys()


def test_classify_offers_what_gives_two_names_to_one_thing(filled: Repository) -> None:
    filled.remember(Memory.of("Zyxq is our name for the qvzx blorp."), "inbox.unsorted.m1")

    offers = [[line.text for line in item.own_lines] for item in filled.classify(options=WriteOptions(dry_run=True))[0]]

    assert offers == [["Zyxq = qvzx blorp"]]
    filled.lexicon.add("zyxq = qvzx blorp")
    assert [item.own_lines for item in filled.classify(options=WriteOptions(dry_run=True))[0]] == [()]
