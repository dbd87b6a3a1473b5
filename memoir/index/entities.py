"""Entities: the people and things that memories name, and the memories that name each."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import apsw

from memoir.embedders.weights import is_common
from memoir.english.names import count_words, holds_word, is_name
from memoir.english.proper_names import (
    forms_of,
    is_long_name,
    is_unit,
    key_of,
    meaning,
    prose_lines,
    runs,
    same_names,
    titles,
    words_of,
)
from memoir.english.stopwords import SMALL_WORDS
from memoir.index.documents import content
from memoir.index.filters import Condition
from memoir.memory.speaker import TALK, role_of, source_of_item

GIVEN_NAME, TITLE = "given", "title"
LONGEST = 200
"""The most characters of a name; a longer one is ignored, because computing its forms would take too long."""
_MARKS = ('"', "“")


def add(database: apsw.Connection, documents: Iterable[tuple[int, str, Mapping[str, Any]]]) -> None:
    """Add the names that a document by itself shows to the table `entity`; a document is (id, content, metadata).

    They are titles in quotation marks and the names listed in the metadata `entities`; for items of a source, where
    rules made the list, only those of several words. Names of one word are in the table `name`, because it takes many
    memories to tell that a word is a name; people are in the table `person`.
    """
    candidates = [each for each in documents if "entities" in each[2] or any(mark in each[1] for mark in _MARKS)]
    if candidates:
        rows = [(key_of(name), each[0], kind, name) for each in candidates for kind, name in _names(*each[1:])]
        database.executemany("INSERT OR IGNORE INTO entity VALUES(?, ?, ?, ?)", rows)


def names_in(metadata: Mapping[str, Any]) -> list[str]:
    """The names in the metadata `entities`, which is a string or a list."""
    names = metadata.get("entities")
    return [name for name in (names if isinstance(names, list) else [names]) if isinstance(name, str) and name.strip()]


def _names(content: str, metadata: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    is_item = source_of_item(metadata) is not None
    given = (name for name in names_in(metadata) if len(name) <= LONGEST and (not is_item or is_long_name(name)))
    yield from ((GIVEN_NAME, name) for name in given)
    yield from ((TITLE, name) for name in titles(content) if len(name) <= LONGEST)


PERSON, IDENTIFIER, NAME = "person", "identifier", "name"
KINDS = (PERSON, GIVEN_NAME, TITLE, IDENTIFIER, NAME)
"""The evidence for an entity, the surest first: `metadata.person`, `metadata.entities`, quotation marks, spelling, or
capitals inside sentences (see `memoir.english.proper_names`)."""
MOST_ALIASES = 5
_SHORTEST = 3
"""The fewest letters of a short form of a person's name. It must lack at least two letters: Ann is not Anna."""


class IndexedEntity(NamedTuple):
    """A person or thing: its commonest form, other forms, the evidence for it, and the documents that name it.

    `documents` are ids, ascending.
    """

    name: str
    aliases: tuple[str, ...]
    kind: str
    documents: tuple[int, ...]


class _Candidate(NamedTuple):
    """A candidate for an entity: the key of its forms, its kind, and the most documents that may name it."""

    key: str
    kind: str
    most: int


class _Holder(NamedTuple):
    """A document that names an entity."""

    id: int
    content: str
    person: str


class Entities:
    """The entities of the documents that meet a condition; valid only within a read of the index."""

    def __init__(self, database: apsw.Connection, where: Condition) -> None:
        self._database = database
        self._where = where
        self._kinds: dict[str, str] = {}
        self._meanings: dict[str, tuple[str, ...]] = {}
        self._alone: set[str] = set()

    def most(self, limit: int) -> tuple[list[IndexedEntity], bool]:
        """The entities named by the most documents, and whether there are more."""
        by_key: dict[str, IndexedEntity] = {}
        entities: list[IndexedEntity] = []
        for candidate in self._candidates:
            if len(entities) >= limit and candidate.most <= len(entities[limit - 1].documents):
                return entities[:limit], True
            new = (key for key in self._keys_of(candidate.key) if key not in by_key)
            if found := {key: entity for key in new if (entity := self._entity(key))}:
                by_key |= found
                entities = sorted(by_key.values(), key=lambda each: (-len(each.documents), each.name.casefold()))
        return entities[:limit], len(entities) > limit

    def find(self, name: str) -> IndexedEntity | None:
        """The entity that a name, in any form, refers to; None if there is none."""
        if len(name) > LONGEST:
            return None
        key, known = same_names(key_of(name))[0], {*self.keys()}
        if key in self._short_forms:
            return self._entity(self._short_forms[key])
        keys = [its for word in (key, *key.split()) if word in known for its in self._keys_of(word)]
        best = key if key in keys else keys[0] if keys and key in known else None
        return self._entity(best) if best else None

    def keys(self) -> list[str]:
        """The keys of all candidates, those in the most documents first."""
        return [candidate.key for candidate in self._candidates]

    def of_document(self, identity: int, content: str) -> list[IndexedEntity]:
        """The entities that a document names, without people, those named by the fewest documents first."""
        rows = self._database.execute("SELECT key, kind FROM entity WHERE document = ?", (identity,)).fetchall()
        kinds = dict(self._names_among(count_words([content]).texts)) | {str(key): str(kind) for key, kind in rows}
        self._kinds = kinds | self._kinds
        keys = {its for key in kinds for its in self._keys_of(key)}
        entities = [self._entity(key) for key in sorted(keys)]
        return sorted((each for each in entities if each), key=lambda each: (len(each.documents), each.name))

    def _names_among(self, words: Iterable[str]) -> Iterator[tuple[str, str]]:
        """The keys and kinds of the words that may be names."""
        import json

        rows = self._database.execute(
            "SELECT word, inside, capitals, identifiers FROM name WHERE word IN (SELECT value FROM json_each(?))"
            " AND NOT EXISTS (SELECT 1 FROM person WHERE part = word)",
            (json.dumps(list(words)),),
        )
        for word, *uses in rows:
            if is_name(*uses) and word not in self._short_forms and not is_unit(word):
                yield key_of(word), IDENTIFIER if uses[-1] else NAME

    @cached_property
    def _candidates(self) -> list[_Candidate]:
        """The candidates for entities, those in the most documents first."""
        by_key: dict[str, _Candidate] = {}
        for key, kind, documents in (*self._people(), *self._candidates_of_metadata(), *self._words()):
            key = same_names(key)[0]
            its = by_key.get(key, _Candidate(key, kind, 0))
            by_key[key] = _Candidate(key, min(its.kind, kind, key=KINDS.index), its.most + documents)
        self._kinds = {key: candidate.kind for key, candidate in by_key.items()}
        return sorted(by_key.values(), key=lambda each: (-each.most, each.key))

    def _people(self) -> Iterator[_Candidate]:
        rows = self._database.execute(
            f"SELECT name, part, sum(documents) FROM person WHERE length(name) <= {LONGEST} GROUP BY name, part"
        )
        most = Counter[str]()
        for name, _, documents in rows:
            if role_of(name) != TALK:
                continue  # the user and the assistant of a chat
            most[name] = max(most[name], documents)
        for name, documents in most.items():
            yield _Candidate(key_of(name), PERSON, documents + self._most_documents(key_of(name)))

    def _candidates_of_metadata(self) -> Iterator[_Candidate]:
        rows = self._database.execute(
            f"SELECT key, kind, count(*) FROM entity WHERE length(key) <= {LONGEST} GROUP BY key, kind"
        )
        for key, kind, documents in rows:
            yield _Candidate(key, kind, documents + self._most_documents(key))

    def _words(self) -> Iterator[_Candidate]:
        parts = {part for (part,) in self._database.execute("SELECT DISTINCT part FROM person")}
        rows = self._database.execute(
            "SELECT word, inside, capitals, identifiers FROM name"
            f" WHERE (capitals > 0 OR identifiers > 0) AND length(word) <= {LONGEST}"
        )
        kinds = {
            key_of(word): IDENTIFIER if uses[-1] else NAME
            for word, *uses in rows
            if word not in parts and word not in self._short_forms and is_name(*uses) and not is_unit(word)
        }
        return (_Candidate(key, kind, self._most_documents(key)) for key, kind in kinds.items())

    @cached_property
    def _short_forms(self) -> dict[str, str]:
        """The short forms, such as `mel`, that begin exactly one person's name, with the person's key."""
        import json

        sql = f"SELECT name, part FROM person WHERE length(name) <= {LONGEST}"
        people = {str(part): key_of(name) for name, part in self._database.execute(sql)}
        counts = Counter(part[:end] for part in people for end in range(_SHORTEST, len(part) - 1))
        rows = self._database.execute(
            "SELECT word FROM name WHERE capitals > 0 AND word IN (SELECT value FROM json_each(?))",
            (json.dumps([short for short, its in counts.items() if its == 1 and short not in people]),),
        )
        return {short: next(key for part, key in people.items() if part.startswith(short)) for (short,) in rows}

    def _keys_of(self, key: str) -> tuple[str, ...]:
        """The entities of a candidate: itself, or for a single word with a capital none, itself or longer names."""
        if self._kinds.get(key, NAME) != NAME or " " in key:
            return (key,)
        if key not in self._meanings:
            names = Counter(
                key_of(" ".join(run))
                for holder in self._select_holders("content", set(forms_of(key)))
                for run in runs(holder.content)
                if key in words_of(run)
            )
            self._meanings[key] = tuple(dict.fromkeys(same_names(name)[0] for name in meaning(key, names)))
            self._alone |= {key} & names.keys()
        return self._meanings[key]

    def _entity(self, key: str) -> IndexedEntity | None:
        """The entity of a key; None if no selected document names it."""
        kind = self._kinds.get(key, NAME)
        rows = self._database.execute(
            "SELECT d.id, e.name FROM entity e JOIN document d ON d.id = e.document"
            f" WHERE e.key IN ({','.join('?' * len(same_names(key)))}) AND {self._where.sql}",
            (*same_names(key), *self._where.values),
        )
        names_by_id: dict[int, str] = dict(iter(rows))
        words = self._words_for(key)
        holders = self._holders(key, kind, words)
        documents = tuple(sorted({*names_by_id, *(holder.id for holder in holders)}))
        is_of_code = kind == IDENTIFIER and not names_by_id and not is_in_prose(key, (each.content for each in holders))
        if not documents or is_of_code:
            return None
        texts = [*names_by_id.values(), *(f"{each.content}\n{each.person}" for each in holders)]
        name, *others = spellings(key, texts)
        if kind in (NAME, TITLE) and _is_ordinary(name):
            return None
        others += [spelling for word in words for spelling in spellings(word, texts)[:1]]
        return IndexedEntity(name, tuple(others[:MOST_ALIASES]), kind, documents)

    def _words_for(self, key: str) -> list[str]:
        """The single words that refer only to this entity and occur alone."""
        short = [word for word, person in self._short_forms.items() if person == key]
        parts = [word for word in words_of(key.split()) if word != key and self._keys_of(word) == (key,)]
        return [*short, *(word for word in parts if word in self._alone)]

    def _holders(self, key: str, kind: str, words: Sequence[str]) -> list[_Holder]:
        """The documents whose contents have a form of an entity, or whose metadata name it as the person."""
        forms = {form for name in same_names(key) for form in forms_of(name)}
        holders = [each for each in self._select_holders("content", forms) if has_form(each.content, forms)]
        for word in words:
            holders += [each for each in self._select_holders("content", {word}) if is_named(each.content, word)]
        if kind == PERSON:
            holders += [
                each
                for each in self._select_holders("person", forms)
                if key in {same_names(key_of(name))[0] for name in each.person.split("\n")}
            ]
        return list({each.id: each for each in holders}.values())

    def _most_documents(self, key: str) -> int:
        """The most contents that may have a form of a name."""
        forms = tuple(forms_of(key))
        if " " in key:
            sql, forms = "SELECT count(*) FROM words WHERE words MATCH ?", (phrase_query("content", forms),)
        else:
            sql = f"SELECT ifnull(sum(documents), 0) FROM name WHERE word IN ({','.join('?' * len(forms))})"
        bound: int = self._database.execute(sql, forms).get
        return bound

    def _select_holders(self, column: str, phrases: "set[str]") -> list[_Holder]:
        rows = self._database.execute(
            f"SELECT d.id, {content('d')}, d.person FROM words JOIN document d ON d.id = words.rowid"
            f" WHERE words MATCH ? AND {self._where.sql}",
            (phrase_query(column, sorted(phrases)), *self._where.values),
        )
        return [_Holder(*row) for row in rows]


def _is_ordinary(name: str) -> bool:
    """Whether a name contains common words that texts also write in small letters, like a heading or a button."""
    small = [word for word in name.split() if word.islower() and word not in SMALL_WORDS]
    return any(is_common(word) for word in small) or (len(small) > 1 and len(small) == len(name.split()))


def phrase_query(column: str, phrases: Sequence[str]) -> str:
    """A query for any of the phrases; null characters, which would end it, become blanks."""
    any_phrase = " OR ".join('"{}"'.format(phrase.replace('"', '""').replace("\0", " ")) for phrase in phrases)
    return f"{{{column}}} : ({any_phrase})"


def is_named(content: str, word: str) -> bool:
    """Whether a text has a word as a name."""
    return any(word in words_of(run) for run in runs(content))


def is_in_prose(key: str, contents: Iterable[str]) -> bool:
    """Whether a word occurs in prose and not only in code."""
    forms = set(forms_of(key))
    return any(has_form(line, forms) for content in contents for line in prose_lines(content))


def has_form(content: str, forms: set[str]) -> bool:
    """Whether a text has one of the forms, which are in small letters."""
    if any(" " in form for form in forms):
        text = " ".join(content.casefold().split())
        return any(form in text for form in forms)
    return holds_word(content, forms)


def spellings(key: str, texts: Sequence[str]) -> list[str]:
    """The spellings of an entity in the texts, the commonest first, those of another name last."""
    every = sorted((form for name in same_names(key) for form in forms_of(name)), key=len, reverse=True)
    forms = "|".join(re.escape(form).replace(r"\ ", r"\s+") for form in every)
    article = r"(?:(?-i:The)\s+)?" if " " in key else ""
    pattern = re.compile(rf"(?<!\w){article}(?:{forms})(?!\w)", re.IGNORECASE)
    counts = Counter(" ".join(match.split()) for text in texts for match in pattern.findall(text))
    return [form for form, _ in sorted(counts.items(), key=lambda its: (key_of(its[0]) != key, -its[1], its[0]))] or [
        key
    ]
