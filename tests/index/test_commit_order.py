"""The order of commits: computed from a few joints, it is the one in which git lists them."""

import random

import pytest

from memoir.git.objects import Oid
from memoir.git.pack_writer import PackWriter
from memoir.index.commits import CommitCandidates, blocks
from memoir.store.commit import ChangeList, Signature, encode
from memoir.store.store import Store


def _history(store: Store, chance: random.Random, size: int) -> tuple[list[Oid], dict[int, list[int]]]:
    """Some commits, numbered from 1, and the joints among them: mostly straight lines, with forks and merges."""
    pack = PackWriter(store.git, store.hash)
    tree = pack.add("tree", b"")
    ids = [Oid()]
    joints: dict[int, list[int]] = {1: []}
    for number in range(1, size + 1):
        parents = [number - 1] if number > 1 else []
        if number > 2 and chance.random() < 0.4:
            parents = chance.sample(range(1, number), min(number - 1, chance.choice([0, 1, 1, 2, 2, 2, 3])))
        if parents != [number - 1]:
            joints[number] = parents
        who = Signature("A", "a@example.org", 1_000_000 + chance.choice([0, number, number * 60]))
        data = encode(tree, [ids[parent] for parent in parents], who, who, f"{number}", ChangeList())
        ids.append(pack.add("commit", data))
    pack.flush()
    return ids, joints


@pytest.mark.parametrize("seed", range(12))
def test_the_order_is_that_of_git(store: Store, seed: int) -> None:
    chance = random.Random(seed)
    ids, joints = _history(store, chance, 40)
    for tip in (40, 39, chance.randrange(1, 39)):
        git_order = store.git.read("rev-list", "--topo-order", str(ids[tip]), "--").decode().split()

        numbers = [number for block in blocks(joints, [tip]) for number in range(block.high, block.low - 1, -1)]

        assert [str(ids[number]) for number in numbers] == git_order


@pytest.mark.parametrize("seed", range(12))
def test_several_tips_come_in_gits_order(store: Store, seed: int) -> None:
    ids, joints = _history(store, random.Random(seed), 40)
    tips = [ids[number] for number in (31, 36, 40)]
    git_order = store.git.read("rev-list", "--topo-order", *map(str, tips), "--").decode().split()
    newest_first = sorted(store.commits(tips), key=lambda commit: -commit.committer.time)

    order = blocks(joints, [ids.index(commit.id) for commit in newest_first])

    assert [str(ids[number]) for block in order for number in range(block.high, block.low - 1, -1)] == git_order


def test_a_straight_history_is_one_block() -> None:
    assert [tuple(block) for block in blocks({1: []}, [50_000])] == [(1, 50_000, [])]


def test_each_candidate_leads_to_the_next_ones() -> None:
    """Commits 1 to 5 are a line; 6 and 7 branch off from 3; 8 merges both."""
    order = blocks({1: [], 6: [3], 8: [5, 7]}, [8])

    candidates = CommitCandidates(order, [1, 2, 4, 8])

    assert candidates.firsts[8] == 8
    assert [(number, list(below)) for number, below in candidates.stops()] == [
        (8, [4, 2]), (4, [2]), (2, [1]), (1, []),
    ]  # fmt: skip


@pytest.mark.parametrize("joints", [{}, {2: [1]}, {1: [], 3: [3]}, {1: [], 3: [4, 2]}, {1: [], 2: [0]}])
def test_impossible_numbers_are_refused(joints: dict[int, list[int]]) -> None:
    with pytest.raises(ValueError, match="lower numbers"):
        blocks(joints, [5])


def test_a_merge_that_is_no_candidate_leads_to_its_first_parent() -> None:
    candidates = CommitCandidates(blocks({1: [], 3: [1], 4: [2, 3]}, [5]), [2, 3, 5])

    assert [(number, list(below)) for number, below in candidates.stops()] == [(5, [2]), (3, [None]), (2, [None])]
