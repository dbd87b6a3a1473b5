"""`View`: the interface through which other packages read an index, without SQL."""

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
"""Identifies the content of an index; see `View.edition`."""


class View:
    """The documents, words, vectors, people and moments of one snapshot; valid only within `Index.read`."""

    def __init__(
        self,
        database: apsw.Connection,
        embedder: Embedder | None,
        stand_in: Embedder | None = None,
        first_pass: FirstPass = FIRST_PASS,
    ) -> None:
        self.database = database
        """Only for this package."""
        self.embedder = embedder
        """The embedder of the vectors; None if there are none."""
        self._stand_in = stand_in
        self._first_pass = first_pass

    @cached_property
    def _terms(self) -> lexical.Terms:
        return lexical.Terms(self.database)

    @cached_property
    def _matches(self) -> lexical.Matches:
        return lexical.Matches(self.database)

    def edition(self) -> Edition | None:
        """A value that is equal in two reads of one process only if both see the same documents, ids and vectors.

        It is None while the index is incomplete, because each read may add to it.
        """
        if state.rest(self.database) is not None or state.has_waiting(self.database):
            return None
        return self.database, self.database.pragma("data_version"), state.root(self.database), self.embedder

    def paths(self) -> int:
        """The number of indexed paths."""
        return state.paths(self.database)

    def total(self) -> int:
        """The number of documents."""
        return state.total(self.database)

    def kept_apart(self) -> int:
        """The number of paths in memoir's own namespaces, which are not documents."""
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
        """Whether there are passages of a role of a chat, such as `user`."""
        return bool(self.database.execute("SELECT EXISTS (SELECT 1 FROM document WHERE role = ?)", (role,)).get)

    def select(self, where: Filter) -> DocumentSelection:
        """The documents that pass a filter.

        Use one selection at a time: globs or a person replace those of an earlier selection.
        """
        return DocumentSelection(self.database, where, self._matches, self._first_pass)

    def documents(self, ids: Sequence[int]) -> Iterator[IndexedDocument]:
        """The documents with the given ids, in no particular order."""
        return details(self.database, ids)

    def of_nobody(self, ids: Sequence[int]) -> list[int]:
        """The documents that have neither a person in their metadata nor a role."""
        sql = f"SELECT id FROM document WHERE id IN ({','.join(map(str, ids))}) AND person = '' AND role = ''"
        return [identity for (identity,) in self.database.execute(sql)]

    def words(self, text: str) -> lexical.QueryWords:
        """The words of a query that distinguish memories."""
        return lexical.query_words(self._terms, text)

    def correct(self, text: str) -> str:
        """A query with its misspelt words replaced by words that documents hold."""
        from memoir.index.spelling import correct  # rarely needed

        return correct(self._terms, text)

    def stems(self, text: str) -> set[str]:
        """The stems of a text's words, as the index compares them."""
        return self._terms.stems(text)

    def word_scores(self, terms: Sequence[lexical.Term], ids: Sequence[int], *, own: bool = False) -> dict[int, float]:
        """The BM25 scores of the given documents by id, without documents that have none of the words.

        With `own`, only the documents' own contents count.
        """
        return self._matches.scores(terms, ids, own=own)

    def synonym_scores(self, query: lexical.QueryWords, ids: Sequence[int]) -> dict[int, float]:
        """The BM25 scores of the given documents by synonyms of query words that they lack."""
        return self._matches.synonym_scores(lexical.synonyms_of(self._terms, query), ids)

    def concepts(self, text: str) -> "ConceptScores":
        """The scores of documents that mention the concepts of a query in other words."""
        from memoir.index import concept_table

        return concept_table.search(self.database, self._terms, text)

    def greatest_idf(self) -> float:
        """The greatest idf: that of a word in only one document."""
        return lexical.idf(self._terms.total, 1)

    def word_coverage(self, terms: Sequence[lexical.Term], identity: int) -> float:
        """The summed idf of the words in a document, each times the greatest weight of a column that has it."""
        return lexical.coverage(self.database, terms, identity)

    def with_word(self, word: str, ids: Sequence[int]) -> set[int]:
        """The documents whose own contents contain a word."""
        sql = f"SELECT rowid FROM words WHERE words MATCH ? AND rowid IN ({','.join(map(str, ids))})"
        return {document for (document,) in self.database.execute(sql, (f'{{content forms}} : "{word}"',))}

    def passages_of(self, ids: Sequence[int]) -> dict[int, int]:
        """The passages that contain memories word for word, by the memory's id."""
        sql = (
            f"SELECT own.id, own.content, d.id, {content('d')} FROM item i JOIN document own ON own.id = i.document"
            " JOIN document d ON d.namespace = i.namespace AND d.path = i.path AND d.role <> ''"
            f" WHERE i.document IN ({','.join(map(str, ids))})"
        )
        rows = self.database.execute(sql)
        line = cache(flat)  # each text occurs in many rows
        return {item: passage for item, words, passage, text in rows if line(words) in line(text)}

    def about(self, file: str | None) -> list[Place]:
        """The sorted places of the memories about a file, or any file below a folder; None: about any file."""
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
        """The places of the memories taken from segments of sources, by segment, oldest first."""
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
        """The pairs (memory, one that contradicts it); see `memoir.index.claim_table`."""
        from memoir.index import claim_table

        return list(claim_table.contradicting(self.database, places))

    def giving_other_values(self, text: str, namespace: str, places: Iterable[Place]) -> set[Place]:
        """The memories that contradict a claim of a text; see `memoir.index.claim_table`."""
        from memoir.index import claim_table

        return claim_table.giving_other_values(self.database, text, namespace, places)

    def disputable(self, most: int) -> list[Address]:
        """The addresses of memories that may contradict another; see `memoir.index.claim_table`."""
        from memoir.index import claim_table

        return claim_table.disputable(self.database, most)

    def standing(self, query: str, kind: str, where: Filter, limit: int, floor: float) -> "list[StandingMatch]":
        """The standing instructions of users nearest to a query; see `memoir.index.standing_table`."""
        from memoir.index import standing_table

        return list(
            standing_table.nearest(
                self.database, self._terms, query, kind, condition(self.database, where), limit, floor
            )
        )

    def with_field(self, name: str, value: str, ids: Sequence[int]) -> set[int]:
        """The documents whose metadata have a field with this value."""
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
        """The cosines of documents with a query by `static`, computed now; 0 for a text of unknown words."""
        from memoir.embedders.static import StaticEmbedder

        embedder, documents = StaticEmbedder(), list(self.documents(ids))
        own = self._embed_query(embedder, query)
        theirs = embedder.embed([document.content for document in documents])
        pairs = zip(documents, map(unit, theirs), strict=True)
        return {document.id: sum(map(mul, own, its)) for document, its in pairs}

    def cosines(self, vector: QueryVector, ids: Sequence[int]) -> dict[int, float]:
        """The cosines of documents with a query's vector, by id."""
        return dict(nearest(self.database, vector, ANY, len(ids), ids) if ids else ())

    def vector_lookup(self) -> Callable[[str], Vector]:
        """A function that looks up a learned embedder's vector of a content; empty if there is none."""
        return vectors.lookup(self.database, self.embedder) if self.embedder else lambda content: array("f")

    def around(self, place: Place, reach: int) -> list[tuple[int, Place]]:
        """Up to `reach` documents on either side of one in its sequence, each with its distance."""
        from memoir.index import sequence

        return sequence.around(self.database, place, reach)

    def names(self, part: str | None = None, namespaces: Sequence[str] = (), *, prefix: bool = False) -> list[str]:
        """The names of people in the namespaces (by default in all), as written.

        `part` is a case-folded word that a name must have, or with `prefix` the beginning of one.
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
        """The names in a text that connect it to other memories, rarest first; see `memoir.index.connectors`."""
        from memoir.index import connectors

        return connectors.find_connectors(self.database, content)

    def moments(
        self, namespaces: Sequence[str] = (), since: float | None = None, until: float | None = None
    ) -> "Moments":
        """The moments at which memories were learnt, from one time to another (seconds since 1970).

        `namespaces` limits them; by default all but layers are included.
        """
        from memoir.index.sequence import Moments

        sources = not set(namespaces).isdisjoint(state.sources(self.database))
        hidden = () if namespaces else state.layers(self.database)
        return Moments(self.database, namespaces, since, until, hidden, sources=sources)

    def threads(self) -> "Threads":
        """The threads; only for a read with `threads`."""
        from memoir.index.thread_view import Threads

        return Threads(self.database)

    def insights(self, namespace: str) -> "Insights":
        """The insights of a namespace; only for a read with `threads`."""
        from memoir.index.insight_state import Insights

        return Insights(self.database, namespace)

    def entities(self, where: Filter) -> "Entities":
        """The entities named in the documents that pass a filter."""
        from memoir.index.entities import Entities

        return Entities(self.database, condition(self.database, where))
