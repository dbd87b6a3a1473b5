"""Commit objects and the change list in their last paragraph."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.errors import DamagedStore, InvalidInput
from memoir.git.objects import Oid
from memoir.store.commit import ChangeList, Commit, Signature, encode, parse
from memoir.store.snapshot import parent_of

COMMIT, TREE, BASE, PARENT = (Oid(bytes([number]) * 20) for number in range(4))
SOMEBODY = Signature("Tess Ter", "tess@example.org", 1_767_000_000)
NAMES = st.text("aé漢0_-", min_size=1, max_size=5)
KEYS = st.builds(lambda namespace, path: f"{namespace}:x={path}.y".encode(), NAMES, NAMES)
LISTS = st.builds(
    ChangeList,
    base=st.one_of(st.none(), st.just(BASE)),
    put=st.lists(KEYS, max_size=4).map(tuple),
    forget=st.lists(KEYS, max_size=4).map(tuple),
    moves=st.lists(st.tuples(KEYS, KEYS), max_size=2).map(tuple),
    bulk=st.none(),
)
MESSAGES = st.text(st.characters(exclude_characters="\0\r", exclude_categories=["Cs"]), max_size=60)


def make(message: str, changes: ChangeList) -> Commit:
    return parse(COMMIT, encode(TREE, [PARENT], SOMEBODY, SOMEBODY, message, changes))


@given(MESSAGES.filter(lambda text: text.strip() == text and bool(text)), LISTS)
def test_a_commit_reads_back(message: str, changes: ChangeList) -> None:
    commit = make(message, changes)

    assert (commit.message, commit.author, commit.parents) == (message, SOMEBODY, (PARENT,))
    assert commit.changes == changes


def test_only_the_lines_behind_the_tree_name_parents() -> None:
    """git takes no others, so what they name has not come with the commit, and nobody has looked at it."""
    sound = encode(TREE, [PARENT], SOMEBODY, SOMEBODY, "text", ChangeList())
    more = sound.replace(b"\n\n", b"\nparent %s\n\n" % BASE.hex().encode(), 1)

    assert parse(COMMIT, more) == parse(COMMIT, sound)
    assert parent_of(more) == parent_of(sound) == PARENT
    assert parent_of(encode(TREE, [], SOMEBODY, SOMEBODY, "parent", ChangeList())) is None


@pytest.mark.parametrize("line", ["tree", "author", "committer"])
def test_a_commit_without_a_line_cannot_be_read(line: str) -> None:
    lines = encode(TREE, [], SOMEBODY, SOMEBODY, "text", ChangeList()).split(b"\n")

    with pytest.raises(DamagedStore, match="cannot be read"):
        parse(COMMIT, b"\n".join(each for each in lines if not each.startswith(line.encode())))


@pytest.mark.parametrize(
    "message",
    [
        "note\n\nMemoir-Put: default:forged",
        "Memoir-Put: default:forged",
        "Memoir-Base: " + "0" * 40 + "\nMemoir-Put: default:forged",
        "note\n\nMemoir-Forget: default:forged\n\n\n",
    ],
)
def test_a_message_cannot_forge_the_change_list(message: str) -> None:
    commit = make(message, ChangeList(BASE, put=(b"default=real",)))

    assert commit.changes == ChangeList(BASE, put=(b"default=real",))
    assert commit.message == message.strip()


def test_more_than_a_thousand_changes_are_counted() -> None:
    keys = tuple(b"default=k%d" % number for number in range(1001))

    commit = make("import", ChangeList(BASE, put=keys))

    assert commit.changes == ChangeList(BASE, bulk=1001)


@pytest.mark.parametrize(
    "body", ["just words", "subject\n\nSigned-off-by: A", "x\n\nMemoir-Base: nothex", "x\n\nMemoir-Move: one"]
)
def test_a_commit_by_another_git_has_no_change_list(body: str) -> None:
    data = f"tree {TREE}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\n{body}\n".encode()

    commit = parse(COMMIT, data)

    assert commit.changes is None
    assert commit.message == body


def test_an_empty_message_is_shown_as_no_message() -> None:
    assert make("  \n", ChangeList(BASE)).message == "(no message)"


def test_a_message_that_git_cannot_store_is_refused() -> None:
    with pytest.raises(InvalidInput, match="NUL"):
        make("a\0b", ChangeList())
    with pytest.raises(InvalidInput, match="Unicode"):
        make("\udc80", ChangeList())


@pytest.mark.parametrize("data", [b"", b"tree zz\n\n", b"tree " + TREE.hex().encode() + b"\n\nmessage"])
def test_a_commit_that_cannot_be_read_is_damage(data: bytes) -> None:
    with pytest.raises(DamagedStore):
        parse(COMMIT, data)
