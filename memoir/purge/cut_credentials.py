"""Credentials in sources that are cut between segments, where each part alone may look like any text."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Set
from contextlib import suppress
from itertools import accumulate, pairwise

from memoir.errors import DamagedStore
from memoir.layers.segments import parts_of, read_segments
from memoir.secrets.secrets import whole_credentials
from memoir.store.commit import Commit
from memoir.store.history import changes
from memoir.store.store import Store
from memoir.store.walk import commits_of_memories
from memoir.taxonomy.paths import from_key

Span = tuple[int, int]
"""The start and end of a part of a text."""
_PROSE = re.compile(r"^[ \t>]*+(?!-----|[\w-]+: )(?:\S+[ \t]+){3}\S", re.MULTILINE)
"""A line of words, which a key does not contain, except after a name, such as PuTTY's comment."""


def cut_credentials(store: Store) -> Mapping[str, Set[Span]]:
    """The parts of such credentials in every version of every source, by the contents of the segments."""
    found, seen = defaultdict[str, set[Span]](set), set[tuple[str, ...]]()
    for commit in commits_of_memories(store):
        for namespace, source in _changed_sources(store, commit):
            with suppress(DamagedStore):  # a damaged record has no words to join
                segments = read_segments(store.of(commit.id), namespace, source)
                if (texts := tuple(each.content for each in segments.values())) not in seen:
                    seen.add(texts)
                    for text, span in _parts(texts):
                        found[text].add(span)
    return found


def _changed_sources(store: Store, commit: Commit) -> set[tuple[str, str]]:
    """The sources that a commit changed, each with its namespace."""
    changed = (from_key(each.key) for each in changes(store, commit))
    return {segment[:2] for address in changed if (segment := parts_of(address))}


def _parts(texts: tuple[str, ...]) -> Iterator[tuple[str, Span]]:
    """The parts of credentials in consecutive texts, for credentials that span several of them.

    A key whose last line is missing or far away ends before the next line of words: the rest of the source does not
    belong to it.
    """
    borders, text = [*pairwise(accumulate(map(len, texts), initial=0))], "".join(texts)
    for start, last, _ in whole_credentials(text):
        end = prose.start() if (prose := _PROSE.search(text, start, last)) else last
        parts = [(at, max(start, low), min(end, high)) for at, (low, high) in enumerate(borders)]
        parts = [(at, first, last) for at, first, last in parts if first < last]
        if len(parts) > 1:
            yield from ((texts[at], (first - borders[at][0], last - borders[at][0])) for at, first, last in parts)
