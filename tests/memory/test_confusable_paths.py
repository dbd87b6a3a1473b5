"""`fsck` lists the paths of a store that could be taken for others, and finds no fault with them."""

from hostile import Forge

from memoir import Memory, Repository
from memoir.answers.store import fsck
from memoir.git.objects import Oid
from memoir.tree.edit import apply


def _with(repository: Repository, *paths: str) -> Oid:
    """A commit of another program's that adds some paths."""
    forge = Forge(repository.store)
    head = repository.store.head().tree
    rows = dict(head.scan()) | {f"default={path}".encode(): forge.blob() for path in paths}
    return forge.commit(apply(repository.store.tree(None), rows, forge.pack), lies=False)


def test_a_path_that_could_be_taken_for_another_is_listed_and_is_no_problem(repository: Repository) -> None:
    """One that no branch has any more is not, nor is one in another script."""
    repository.remember(Memory.of("text"), "люди.боб")
    repository.store.refs.create("branch", "aside", _with(repository, "\u0430.b"))
    _with(repository, "\uff41.c")
    repository.forget("\uff41.c")

    result = repository.upkeep.fsck()

    (only,) = result.confusables
    assert (only.place.full_key, only.branches) == ("default:\u0430.b", ["aside", "main"])
    assert "cyrillic" in only.reason
    assert result.report.problems == []


def test_the_answer_names_it_and_keeps_status_0(repository: Repository) -> None:
    _with(repository, "\u0430.b")

    answer = fsck(repository.upkeep.fsck(), [], accepted=False)

    assert answer.exit_code == 0
    text = "\n".join("".join(piece for piece, _ in line) for line in answer.human())
    assert "'\u0430.b' on main could be taken for another path" in text and "'memoir mv KEY NEW'" in text


def test_it_can_be_moved_to_another_path(repository: Repository) -> None:
    _with(repository, "\u0430.b")

    repository.move("\u0430.b", "a.b")

    assert repository.upkeep.fsck().confusables == []
