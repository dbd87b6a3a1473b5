"""Keys and revisions look alike: which of the two a word is, and the hint if it is the other one."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from memoir.errors import InvalidInput, NotFound
from memoir.memory.read import count_below
from memoir.store.store import Store
from memoir.taxonomy.paths import address


def is_key(store: Store, word: str, *revisions: str, names: Sequence[str] = ()) -> bool:
    """Whether a word that names no revision is a path or prefix, now or at one of some revisions."""
    if store.resolve(word) is not None:
        return False
    try:
        place = address(word, *names[:1])
    except InvalidInput:
        return False
    snapshots = (store.at(revision) for revision in ("HEAD", *revisions))
    return any(snapshot.tree.get([place.key]) or count_below(snapshot, place) for snapshot in snapshots)


@contextmanager
def key_for_revision(store: Store) -> Iterator[None]:
    """If a key is given as a revision, add a hint to the error: the commands that read a key."""
    try:
        yield
    except NotFound as error:
        word = error.details.get("revision")
        if word and is_key(store, word):
            error.hint = f"{word!r} is a key: 'memoir get {word}' reads it, 'memoir blame {word}' shows its versions"
        raise


def revision_hint(store: Store, word: str) -> str | None:
    """The hint for a revision that is given as a key; None if the word is not a revision."""
    return f"{word!r} is a revision: 'memoir log --at {word}'" if store.resolve(word) else None
