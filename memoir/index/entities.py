"""The people and things that memories name, and which memories name them."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import apsw

from memoir.english.entities import forms_of, key_of
from memoir.english.names import count_words, is_name
from memoir.index.entity import GIVEN_NAME, TITLE
from memoir.index.filters import Condition
from memoir.named_tuple import NamedTuple

PERSON, IDENTIFIER, NAME = "person", "identifier", "name"
KINDS = (PERSON, GIVEN_NAME, TITLE, IDENTIFIER, NAME)
"""What tells that something is an entity, the surest first: `metadata.person`, `metadata.entities`, quotation marks,
its spelling, or capitals inside sentences."""
MOST_ALIASES = 5


class IndexedEntity(NamedTuple):
    """A person or thing: its commonest form, other forms of it, what tells that it is one, and who names it.

    `documents` are ids, ascending.
    """

    name: str
    aliases: tuple[str, ...]
    kind: str
    documents: tuple[int, ...]


class _Candidate(NamedTuple):
    """A candidate for an entity: the key of its forms, its kind, and in how many documents it is at most."""

    key: str
    kind: str
    most: int


class _Holder(NamedTuple):
    """A document that names an entity."""

    id: int
    content: str
    person: str


class Entities:
    """The entities of the documents that meet a condition; good only inside of a read of the index."""

    def __init__(self, database: apsw.Connection, where: Condition) -> None:
        self._database = database
        self._where = where

    def most(self, limit: int) -> tuple[list[IndexedEntity], bool]:
        """The entities that most documents name, and whether there are more."""
        entities: list[IndexedEntity] = []
        candidates = self._candidates()
        for candidate in candidates:
            if len(entities) >= limit and candidate.most <= len(entities[limit - 1].documents):
                return entities[:limit], True
            if entity := self._entity(candidate):
                entities.append(entity)
                entities.sort(key=lambda each: (-len(each.documents), each.name.casefold()))
        return entities[:limit], len(entities) > limit

    def find(self, name: str) -> IndexedEntity | None:
        """The entity that a name means, in any of its forms."""
        key = key_of(name)
        return next((self._entity(each) for each in self._candidates() if each.key == key), None)

    def keys(self) -> list[str]:
        """The keys of all that may be an entity, those in most documents first."""
        return [candidate.key for candidate in self._candidates()]

    def of_document(self, identity: int, content: str) -> list[IndexedEntity]:
        """The entities that a document names, apart from people, those that fewest documents name first."""
        rows = self._database.execute("SELECT key, kind FROM entity WHERE document = ?", (identity,)).fetchall()
        keys = dict(self._names_among(count_words([content]).texts))
        keys |= {str(key): str(kind) for key, kind in rows}
        entities = [self._entity(_Candidate(key, kind, 0)) for key, kind in keys.items()]
        return sorted((each for each in entities if each), key=lambda each: (len(each.documents), each.name))

    def _names_among(self, words: Iterable[str]) -> Iterator[tuple[str, str]]:
        """The keys and kinds of those words that are names."""
        import json

        rows = self._database.execute(
            "SELECT word, inside, capitals, identifiers FROM name WHERE word IN (SELECT value FROM json_each(?))"
            " AND NOT EXISTS (SELECT 1 FROM person WHERE part = word)",
            (json.dumps(list(words)),),
        )
        for word, *uses in rows:
            if is_name(*uses):
                yield key_of(word), IDENTIFIER if uses[-1] else NAME

    def _candidates(self) -> list[_Candidate]:
        """The candidates for entities, that in most documents first."""
        by_key: dict[str, _Candidate] = {}
        for key, kind, documents in (*self._people(), *self._candidates_of_metadata(), *self._words()):
            its = by_key.get(key, _Candidate(key, kind, 0))
            by_key[key] = _Candidate(key, min(its.kind, kind, key=KINDS.index), its.most + documents)
        return sorted(by_key.values(), key=lambda each: (-each.most, each.key))

    def _people(self) -> Iterator[_Candidate]:
        rows = self._database.execute("SELECT name, part, sum(documents) FROM person GROUP BY name, part")
        most = Counter[str]()
        for name, _, documents in rows:
            most[name] = max(most[name], documents)
        for name, documents in most.items():
            yield _Candidate(key_of(name), PERSON, documents + self._bound(key_of(name)))

    def _candidates_of_metadata(self) -> Iterator[_Candidate]:
        rows = self._database.execute("SELECT key, kind, count(*) FROM entity GROUP BY key, kind")
        for key, kind, documents in rows:
            yield _Candidate(key, kind, documents + self._bound(key))

    def _words(self) -> Iterator[_Candidate]:
        parts = {part for (part,) in self._database.execute("SELECT DISTINCT part FROM person")}
        rows = self._database.execute(
            "SELECT word, inside, capitals, identifiers FROM name WHERE capitals > 0 OR identifiers > 0"
        )
        kinds = {
            key_of(word): IDENTIFIER if uses[-1] else NAME
            for word, *uses in rows
            if word not in parts and is_name(*uses)
        }
        return (_Candidate(key, kind, self._bound(key)) for key, kind in kinds.items())

    def _entity(self, candidate: _Candidate) -> IndexedEntity | None:
        """The entity of a candidate; None if no document that is asked for names it."""
        rows = self._database.execute(
            "SELECT d.id, e.name FROM entity e JOIN document d ON d.id = e.document"
            f" WHERE e.key = ? AND {self._where.sql}",
            (candidate.key, *self._where.values),
        )
        names_by_id: dict[int, str] = dict(iter(rows))
        holders = self._holders(candidate)
        documents = tuple(sorted({*names_by_id, *(holder.id for holder in holders)}))
        if not documents:
            return None
        name, *others = _spellings(
            candidate.key, [*names_by_id.values(), *(f"{each.content}\n{each.person}" for each in holders)]
        )
        return IndexedEntity(name, tuple(others[:MOST_ALIASES]), candidate.kind, documents)

    def _holders(self, candidate: _Candidate) -> list[_Holder]:
        """The documents that hold a form of an entity in their contents, or are about it."""
        forms = set(forms_of(candidate.key))
        holders = [each for each in self._select("content", forms) if _holds(each.content, forms)]
        if candidate.kind == PERSON:
            holders += [
                each for each in self._select("person", forms) if candidate.key in map(key_of, each.person.split("\n"))
            ]
        return list({each.id: each for each in holders}.values())

    def _bound(self, key: str) -> int:
        """How many contents hold a form of a name at most."""
        forms = tuple(forms_of(key))
        if " " in key:
            sql, forms = "SELECT count(*) FROM words WHERE words MATCH ?", (_phrases("content", forms),)
        else:
            sql = f"SELECT ifnull(sum(documents), 0) FROM name WHERE word IN ({','.join('?' * len(forms))})"
        bound: int = self._database.execute(sql, forms).get
        return bound

    def _select(self, column: str, phrases: "set[str]") -> list[_Holder]:
        rows = self._database.execute(
            "SELECT d.id, d.content, d.person FROM words JOIN document d ON d.id = words.rowid"
            f" WHERE words MATCH ? AND {self._where.sql}",
            (_phrases(column, sorted(phrases)), *self._where.values),
        )
        return [_Holder(*row) for row in rows]


def _phrases(column: str, phrases: Sequence[str]) -> str:
    """A query for any of some phrases; a null character would end it, and parts words as a blank does."""
    any_phrase = " OR ".join('"{}"'.format(phrase.replace('"', '""').replace("\0", " ")) for phrase in phrases)
    return f"{{{column}}} : ({any_phrase})"


def _holds(content: str, forms: set[str]) -> bool:
    if any(" " in form for form in forms):
        text = " ".join(content.casefold().split())
        return any(form in text for form in forms)
    return not forms.isdisjoint(count_words([content]).texts)


def _spellings(key: str, texts: Sequence[str]) -> list[str]:
    """The forms of an entity as texts have them, the commonest first."""
    forms = "|".join(re.escape(form).replace(r"\ ", r"\s+") for form in forms_of(key))
    pattern = re.compile(rf"(?<!\w)(?:{forms})(?!\w)", re.IGNORECASE)
    counts = Counter(" ".join(match.split()) for text in texts for match in pattern.findall(text))
    return [form for form, _ in sorted(counts.items(), key=lambda its: (-its[1], its[0]))] or [key]
