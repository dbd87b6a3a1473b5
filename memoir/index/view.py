"""`View`: what other packages can read of an index, in memoir's own words; SQL stays behind it."""

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property
from operator import mul
from typing import TYPE_CHECKING, Any

import apsw

from memoir.embedders.embedder import Embedder, Vector
from memoir.english.words import flat
from memoir.index import lexical, state, vectors
from memoir.index.documents import IndexedDocument, Place, content, details
from memoir.index.filters import ANY, Filter, field_id
from memoir.index.selection import DocumentSelection, condition
from memoir.index.stand_ins import QueryVector, StandIn, leads, nearest
from memoir.index.vectors import FIRST_PASS, FirstPass, unit
from memoir.taxonomy.paths import Address

if TYPE_CHECKING:
    from memoir.english.lexicon.own_words import OwnWords
    from memoir.index.concept_table import ConceptScores
    from memoir.index.entities import Entities
    from memoir.index.insight_state import Insights
    from memoir.index.sequence import Moments
    from memoir.index.standing_table import StandingMatch
    from memoir.index.thread_view import Threads


Edition = tuple[object, ...]
"""What tells two contents of an index apart; see `View.edition`."""


class View:
    """The documents, words, vectors, people and moments of one snapshot; good only inside of `Index.read`."""

    def __init__(
        self,
        database: apsw.Connection,
        embedder: Embedder | None,
        stand_in: Embedder | None = None,
        first_pass: FirstPass = FIRST_PASS,
    ) -> None:
        self.database = database
        """For this package alone."""
        self.embedder = embedder
        """Whose vectors there are; None without any."""
        self._stand_in = stand_in
        self._first_pass = first_pass

    @cached_property
    def _terms(self) -> lexical.Terms:
        return lexical.Terms(self.database)

    @cached_property
    def _matches(self) -> lexical.Matches:
        return lexical.Matches(self.database)

    def edition(self) -> Edition | None:
        """What is equal in two reads of one process only if both see the same documents, ids and vectors.

        None while the index is incomplete: each read may add to it.
        """
        if state.rest(self.database) is not None or state.has_waiting(self.database):
            return None
        return self.database, self.database.pragma("data_version"), state.root(self.database), self.embedder

    def paths(self) -> int:
        """How many paths are indexed."""
        return state.paths(self.database)

    def total(self) -> int:
        """How many documents there are."""
        return state.total(self.database)

    def kept_apart(self) -> int:
        """How many paths are in namespaces that memoir keeps for itself; they are not documents."""
        return state.kept_apart(self.database)

    def own_words(self) -> "OwnWords":
        """The store's own words."""
        from memoir.index import concept_table

        return concept_table.own_words(self.database)

    def layers(self) -> list[str]:
        """The namespaces that are layers."""
        return state.layers(self.database)

    @property
    def has_sources(self) -> bool:
        """Whether there are segments of sources."""
        return bool(state.sources(self.database))

    def has_passages_of(self, role: str) -> bool:
        """Whether a role of a chat says anything, as `user`."""
        return bool(self.database.execute("SELECT EXISTS (SELECT 1 FROM document WHERE role = ?)", (role,)).get)

    def select(self, where: Filter) -> DocumentSelection:
        """The documents that pass a filter.

        One with globs, or a person, replaces an earlier selection's: use one at a time.
        """
        return DocumentSelection(self.database, where, self._matches, self._first_pass)

    def documents(self, ids: Sequence[int]) -> Iterator[IndexedDocument]:
        """Some documents by their ids, in no particular order."""
        return details(self.database, ids)

    def of_nobody(self, ids: Sequence[int]) -> list[int]:
        """Those of some documents that no metadata and no role say to be anybody's."""
        sql = f"SELECT id FROM document WHERE id IN ({','.join(map(str, ids))}) AND person = '' AND role = ''"
        return [identity for (identity,) in self.database.execute(sql)]

    def words(self, text: str) -> lexical.QueryWords:
        """The words of a query that can tell memories apart."""
        return lexical.query_words(self._terms, text)

    def correct(self, text: str) -> str:
        """A query with its misspelt words replaced by words that documents hold."""
        from memoir.index.spelling import correct  # most queries have no unknown word

        return correct(self._terms, text)

    def stems(self, text: str) -> set[str]:
        """The stems of a text's words, as the index compares them."""
        return self._terms.stems(text)

    def word_scores(self, terms: Sequence[lexical.Term], ids: Sequence[int], *, own: bool = False) -> dict[int, float]:
        """The BM25 scores of some documents by their ids; those without any of the words have none.

        With `own` they are the scores of the documents' own contents alone.
        """
        return self._matches.scores(terms, ids, own=own)

    def synonym_scores(self, query: lexical.QueryWords, ids: Sequence[int]) -> dict[int, float]:
        """The BM25 scores of some documents by the synonyms of those words of a query that they do not hold."""
        return self._matches.synonym_scores(lexical.synonyms_of(self._terms, query), ids)

    def concepts(self, text: str) -> "ConceptScores":
        """The documents that speak of what a query speaks of, in other words."""
        from memoir.index import concept_table

        return concept_table.search(self.database, self._terms, text)

    def greatest_idf(self) -> float:
        """The idf of a word that one document holds, which is the greatest that there is."""
        return lexical.idf(self._terms.total, 1)

    def word_coverage(self, terms: Sequence[lexical.Term], identity: int) -> float:
        """The idf of the words that a document holds, each times the greatest weight of a column that holds it."""
        return lexical.coverage(self.database, terms, identity)

    def with_word(self, word: str, ids: Sequence[int]) -> set[int]:
        """Those of some documents whose own contents hold a word."""
        sql = f"SELECT rowid FROM words WHERE words MATCH ? AND rowid IN ({','.join(map(str, ids))})"
        return {document for (document,) in self.database.execute(sql, (f'{{content forms}} : "{word}"',))}

    def passages_of(self, ids: Sequence[int]) -> dict[int, int]:
        """The passage that holds each of some memories word for word, by the memory's id, if there is one."""
        sql = (
            f"SELECT own.id, own.content, d.id, {content('d')} FROM item i JOIN document own ON own.id = i.document"
            " JOIN document d ON d.namespace = i.namespace AND d.path = i.path AND d.role <> ''"
            f" WHERE i.document IN ({','.join(map(str, ids))})"
        )
        rows = self.database.execute(sql)
        line = cache(flat)  # each text stands in many rows
        return {item: passage for item, words, passage, text in rows if line(words) in line(text)}

    def about(self, file: str | None) -> list[Place]:
        """The places of the memories about a file, or about any file below a folder, in order; None: any file."""
        where = "" if file is None else "WHERE a.file = ? OR (a.file > ? AND a.file < ?)"
        values = () if file is None else (file, f"{file}/", f"{file}0")
        sql = (
            f"SELECT DISTINCT d.namespace, d.path, d.ordinal FROM about a JOIN document d ON d.id = a.document {where}"
        )
        return sorted((Address(*address), int(ordinal)) for *address, ordinal in self.database.execute(sql, values))

    def files(self) -> list[str]:
        """The files that memories are about."""
        return [file for (file,) in self.database.execute("SELECT DISTINCT file FROM about")]

    def items_of(self, segments: Sequence[Address]) -> dict[Address, list[Place]]:
        """The places of the memories that were found in some segments of sources, by segment, oldest first."""
        found: dict[Address, list[Place]] = {segment: [] for segment in segments}
        sql = (
            "SELECT i.namespace, i.path, d.namespace, d.path, d.ordinal FROM item i"
            " JOIN document d ON d.id = i.document"
            f" WHERE (i.namespace, i.path) IN (VALUES {','.join(['(?, ?)'] * len(segments))})"
            " ORDER BY d.learnt, d.path, d.ordinal"
        )
        rows: Any = self.database.execute(sql, [part for segment in segments for part in segment]) if segments else ()
        for source, part, namespace, path, ordinal in rows:
            found[Address(source, part)].append((Address(namespace, path), ordinal))
        return found

    def contradicting(self, places: Iterable[Place]) -> list[tuple[Place, Place]]:
        """The memories that contradict one of some memories; see `memoir.index.claim_table`."""
        from memoir.index import claim_table

        return list(claim_table.contradicting(self.database, places))

    def giving_other_values(self, text: str, namespace: str, places: Iterable[Place]) -> set[Place]:
        """Those of some memories that give what a text claims another value; see `memoir.index.claim_table`."""
        from memoir.index import claim_table

        return claim_table.giving_other_values(self.database, text, namespace, places)

    def disputable(self, most: int) -> list[Address]:
        """The addresses of memories that may contradict another; see `memoir.index.claim_table`."""
        from memoir.index import claim_table

        return claim_table.disputable(self.database, most)

    def standing(self, query: str, kind: str, where: Filter, limit: int, floor: float) -> "list[StandingMatch]":
        """What users tell an assistant to do from now on, nearest first; see `memoir.index.standing_table`."""
        from memoir.index import standing_table

        return list(
            standing_table.nearest(
                self.database, self._terms, query, kind, condition(self.database, where), limit, floor
            )
        )

    def with_field(self, name: str, value: str, ids: Sequence[int]) -> set[int]:
        """Those of some documents whose metadata has a field."""
        sql = f"SELECT document FROM field WHERE id = ? AND document IN ({','.join(map(str, ids))})"
        return {document for (document,) in self.database.execute(sql, (field_id(name, value),))}

    def vector(self, query: str) -> QueryVector | None:
        """A query's vector; None without an embedder."""
        if self.embedder is None:
            return None
        own = self._embed_query(self.embedder, query)
        if self._stand_in is None or not state.has_waiting(self.database):
            return QueryVector(own, self.embedder.scale)
        quick = self._embed_query(self._stand_in, query)
        return QueryVector(own, self.embedder.scale, StandIn(quick, self._stand_in.scale, leads(self.database)))

    def _embed_query(self, embedder: Embedder, query: str) -> Vector:
        return unit(embedder.embed_query(query, lambda word: self._terms[word].idf))

    def quick_cosines(self, query: str, ids: Sequence[int]) -> dict[int, float]:
        """The cosines of some documents with a query by `static`, computed now; none for a text of unknown words."""
        from memoir.embedders.static import StaticEmbedder

        embedder, documents = StaticEmbedder(), list(self.documents(ids))
        own = self._embed_query(embedder, query)
        theirs = embedder.embed([document.content for document in documents])
        pairs = zip(documents, map(unit, theirs), strict=True)
        return {document.id: sum(map(mul, own, its)) for document, its in pairs}

    def cosines(self, vector: QueryVector, ids: Sequence[int]) -> dict[int, float]:
        """The cosines of some documents with a query's vector, by their ids."""
        return dict(nearest(self.database, vector, ANY, len(ids), ids) if ids else ())

    def vector_lookup(self) -> Callable[[str], Vector]:
        """Looks up the vector that a learned embedder has computed for a content; an empty one if it has not."""
        return vectors.lookup(self.database, self.embedder) if self.embedder else lambda content: array("f")

    def around(self, place: Place, reach: int) -> list[tuple[int, Place]]:
        """Up to `reach` documents before one in its sequence and as many after it, each with its distance."""
        from memoir.index import sequence

        return sequence.around(self.database, place, reach)

    def names(self, part: str | None = None, namespaces: Sequence[str] = (), *, prefix: bool = False) -> list[str]:
        """The names of people in some namespaces (in all without any), as they are written.

        `part` is a case-folded word that a name must have, or with `prefix` one that begins so.
        """
        conditions, values = ["1"], list[str]()
        if part is not None:
            conditions.append("part BETWEEN ? AND ?")
            values += [part, f"{part}\U0010ffff" if prefix else part]
        if namespaces:
            conditions.append(f"namespace IN ({','.join('?' * len(namespaces))})")
            values += namespaces
        sql = f"SELECT DISTINCT name FROM person WHERE {' AND '.join(conditions)}"
        return [str(name) for (name,) in self.database.execute(sql, tuple(values))]

    def find_connectors(self, content: str) -> list[lexical.Term]:
        """The names in a text that lead to other memories, the rarest first; see `memoir.index.word_tables`."""
        from memoir.index import word_tables

        return word_tables.find_connectors(self.database, content)

    def moments(
        self, namespaces: Sequence[str] = (), since: float | None = None, until: float | None = None
    ) -> "Moments":
        """When memories were learnt, from one time to another (seconds since 1970).

        They are those of some namespaces, or of all but layers.
        """
        from memoir.index.sequence import Moments

        sources = not set(namespaces).isdisjoint(state.sources(self.database))
        hidden = () if namespaces else state.layers(self.database)
        return Moments(self.database, namespaces, since, until, hidden, sources=sources)

    def threads(self) -> "Threads":
        """Which memories belong together over time; only of an index that groups memories."""
        from memoir.index.thread_view import Threads

        return Threads(self.database)

    def insights(self, namespace: str) -> "Insights":
        """Which insights of a namespace are out of date; only of an index that groups memories."""
        from memoir.index.insight_state import Insights

        return Insights(self.database, namespace)

    def entities(self, where: Filter) -> "Entities":
        """The people and things that the documents that pass a filter name."""
        from memoir.index.entities import Entities

        return Entities(self.database, condition(self.database, where))
