"""The lexical leg: BM25 over a document's own words and, at lower weight, those of its neighbours.

FTS5 ranks with k1 = 1.2 and b = 0.75 (https://sqlite.org/fts5.html#the_bm25_function). A query is split into words here
and every word is quoted, so no text can be a syntax error.
"""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import apsw

from memoir.embedders import static
from memoir.english.lexicon.table import is_common
from memoir.english.stop_word_names import stop_word_names
from memoir.english.stopwords import STOP_WORDS
from memoir.english.word_forms import finest, other_forms, synonyms, wholes
from memoir.english.words import stem
from memoir.errors import EmbedderUnavailable
from memoir.index import state
from memoir.index.filters import Condition
from memoir.index.schema import COLUMNS, PRIOR

WEIGHTS = {
    "content": 1.0, "forms": 1.0, "path": 0.5, "person": 0.5,
    "before": 0.5, "after": 0.25, "before2": 0.25, "after2": 0.125,
}  # fmt: skip
"""The weight of a match in each column of `words`: the memory before explains more than the one after."""
_BY_WEIGHT = {
    weight: [column for column, its in WEIGHTS.items() if its == weight]
    for weight in sorted(set(WEIGHTS.values()), reverse=True)
}
MAX_TERMS = 32
"""The most words of a query that are searched for, the rarest, so that a pasted page costs no more than a question."""

_WITH_SYNONYMS = 6
"""The most words of a query whose synonyms are searched for, the rarest."""
_MOST_HOLDERS = 0.1
"""The greatest share of documents with a synonym: more common words tell little and cost most."""

_HOLDERS_OF_A_NAME = 2
"""The most documents that have a name: a passage and the memory taken from it, or two memories."""

_AMONG = 8
"""The number of best matches filtered for each wanted one; if too few pass, it is multiplied by this again."""

_FOLDING = ("remove_diacritics", "2")


class Term(NamedTuple):
    """A word of a query, the number of documents with it, and its inverse document frequency as FTS5 computes it."""

    word: str
    documents: int
    idf: float


TermSynonyms = tuple[Term, tuple[Term, ...]]
"""A word of a query and its synonyms that occur in memories."""


class QueryWords(NamedTuple):
    """The searchable terms of a query, rarest first, and `absent` ones, which no memory contains.

    `other_forms` are not in the query: the long forms of its short forms, and the short forms of its words. They count
    less, and are not missed if no memory has them.
    """

    terms: tuple[Term, ...]
    absent: tuple[Term, ...] = ()
    other_forms: tuple[Term, ...] = ()

    @property
    def names(self) -> tuple[Term, ...]:
        """The terms that name one thing, such as `distutils`: in one or two documents and in no vocabulary."""
        return tuple(term for term in self.terms if 0 < term.documents <= _HOLDERS_OF_A_NAME and _is_name(term.word))

    @property
    def ideal(self) -> float:
        """The BM25 score of a memory of average length with every word once, including the absent ones."""
        return sum(term.idf for term in (*self.terms, *self.absent)) or 1.0

    @property
    def unknown(self) -> float:
        """The share of the query's idf in words that no memory contains."""
        return sum(term.idf for term in self.absent) / self.ideal


def _is_name(word: str) -> bool:
    """Whether a word may be a name: no number, and in neither the vocabulary of `static` nor the lexicon."""
    if len(word) <= 2 or word.isdigit():
        return False
    try:
        return not (static.is_word(word) or static.is_word(stem(word)) or is_common(word))
    except EmbedderUnavailable:  # the embedder reports this; ranking by words does without
        return False


class Terms(dict[str, Term]):
    """The words of queries with their rarity in an index, each looked up once; valid only within one read."""

    def __init__(self, database: apsw.Connection) -> None:
        super().__init__()
        self.total = state.total(database) + PRIOR
        """The number of documents for an idf: those of the index and the `PRIOR`."""
        self._database = database
        self._stemmer = database.fts5_tokenizer("porter", ["unicode61", *_FOLDING])
        self._splitter = database.fts5_tokenizer("unicode61", list(_FOLDING))

    def __missing__(self, word: str) -> Term:
        stem = "".join(_tokens(self._stemmer, word))
        holders: int = self._database.execute("SELECT doc FROM vocabulary WHERE term = ?", (stem,)).get or 0
        self[word] = term = Term(word, holders, idf(self.total, holders))
        return term

    def look_up(self, words: Iterable[str]) -> list[Term]:
        """Look up the rarity of words; new words in one query, which takes half as long as one query each."""
        wanted = list(words)
        if new := {word: "".join(_tokens(self._stemmer, word)) for word in wanted if word not in self}:
            sql = f"SELECT term, doc FROM vocabulary WHERE term IN ({','.join('?' * len(new))})"
            holders: dict[str, int] = dict(self._database.execute(sql, tuple(new.values())))
            for word, stem in new.items():
                self[word] = Term(word, count := holders.get(stem, 0), idf(self.total, count))
        return [self[word] for word in wanted]

    def split(self, query: str) -> list[str]:
        """The words of a query, each once."""
        return list(dict.fromkeys(_tokens(self._splitter, query)))

    def count_holders(self, words: Sequence[str], beginning: str) -> dict[str, int]:
        """The number of documents with each word, without words in none; all begin with `beginning`, in plain letters.

        Reading all words with that beginning at once is faster than looking each up.
        """
        sql = "SELECT term, doc FROM vocabulary WHERE term BETWEEN ? AND ?"
        # "{" is next after "z".
        by_stem: dict[str, int] = dict(self._database.execute(sql, (beginning, beginning + "{")))
        stems = zip(words, _tokens(self._stemmer, " ".join(words)), strict=True)
        return {word: by_stem[stem] for word, stem in stems if stem in by_stem}

    def stems(self, text: str) -> set[str]:
        """The stems of a text's words."""
        return set(_tokens(self._stemmer, text))


def query_words(terms: Terms, query: str) -> QueryWords:
    """The words of a query that distinguish memories.

    Stop words that are no names are dropped, and so are words in more than half of the memories: FTS5 gives them almost
    no weight, and finding them reads the whole index. A query of nothing else keeps them. A compound word is replaced
    by its parts. The compound or identifier as a whole is also searched for, but is not missed if no memory has it.
    """
    words = terms.split(finest(query))
    stop_words = STOP_WORDS - stop_word_names(query)
    content_words = [word for word in words if word not in stop_words] or words
    whole = set(terms.split(" ".join((query, *wholes(query))))).difference(words)
    rare_terms = [term for term in terms.look_up((*content_words, *whole)) if term.documents <= terms.total / 2]
    common = [term for word in content_words if (term := terms[word]).documents > terms.total / 2]
    present_terms = [term for term in rare_terms if term.documents] or common
    by_rarity = sorted(present_terms, key=lambda term: (term.documents, term.word))
    absent = tuple(term for term in rare_terms if not term.documents and term.word not in whole)
    others = terms.look_up(word for word in other_forms(" ".join(words)) if word not in STOP_WORDS)
    other_terms = tuple(term for term in others if 0 < term.documents <= terms.total / 2)
    return QueryWords(tuple(by_rarity[:MAX_TERMS]), absent, other_terms)


def synonyms_of(terms: Terms, query: QueryWords) -> list[TermSynonyms]:
    """The rarest words of a query with those synonyms that some documents have, but not too many."""
    rarest, most = (*query.absent, *query.terms)[:_WITH_SYNONYMS], terms.total * _MOST_HOLDERS
    stems = terms.stems(" ".join(term.word for term in rarest))

    def useful(word: str) -> tuple[Term, ...]:
        others = terms.look_up(other for other in synonyms(word) if not stems & terms.stems(other))
        return tuple(other for other in others if 0 < other.documents <= most)

    return [(term, others) for term in rarest if (others := useful(term.word))]


def _tokens(tokenizer: apsw.FTS5Tokenizer, text: str) -> list[str]:
    tokens = tokenizer(text.encode("utf-8", "replace"), apsw.FTS5_TOKENIZE_QUERY, None, include_offsets=False)
    return [str(alternatives[0]) for alternatives in tokens]


def idf(total: int, holders: int) -> float:
    """ln((N - n + 0.5) / (n + 0.5)), at least 1e-6: the idf of FTS5's bm25."""
    return max(math.log((total - holders + 0.5) / (holders + 0.5)), 1e-6)


class Matches:
    """The documents that match queries, with their BM25 scores; valid only within one read.

    The matches of the last query are kept in a temporary table, because scoring a few documents of another leg takes as
    long as finding all matches.
    """

    def __init__(self, database: apsw.Connection) -> None:
        self._database = database
        self._last_expression = ""
        self._kept = 0

    def best(self, query: Sequence[Term], where: Condition, pool: int, *, own: bool = False) -> list[tuple[int, float]]:
        """The best `pool` documents by BM25 with their scores, best first; ties are sorted by address.

        With `own`, only the documents' own contents count.
        """
        if not query:
            return []
        self._keep(_expression(query, own=own))
        sql, among = _BEST.format(where=where.sql), pool if where.is_met_by_all else _AMONG * pool
        while True:
            best = list(self._database.execute(sql, (among, *where.values, pool)))
            if len(best) == pool or among >= self._kept:
                return best
            among *= _AMONG

    def scores(self, query: Sequence[Term], ids: Sequence[int], *, own: bool = False) -> dict[int, float]:
        """The scores of the given documents by id, without documents that have none of the words."""
        return self._scores(_expression(query, own=own), ids) if query and ids else {}

    def synonym_scores(self, query: Sequence[TermSynonyms], ids: Sequence[int]) -> dict[int, float]:
        """The scores of the given documents by synonyms of query words that they and their neighbours lack."""
        return self._scores(_synonym_expression(query), ids) if query and ids else {}

    def _scores(self, expression: str, ids: Sequence[int]) -> dict[int, float]:
        id_list = ",".join(map(str, ids))
        if expression == self._last_expression:
            return dict(self._database.execute(f"SELECT id, score FROM temp.matches WHERE id IN ({id_list})"))
        # The '+' keeps FTS5 from restarting its search for each id.
        sql = f"SELECT rowid, {_SCORE} FROM words WHERE words MATCH ? AND +rowid IN ({id_list})"
        return dict(self._database.execute(sql, (expression,)))

    def _keep(self, expression: str) -> None:
        if expression != self._last_expression:
            self._last_expression = ""
            self._database.execute(_EMPTY)
            self._database.execute(
                f"INSERT INTO temp.matches SELECT rowid, {_SCORE} FROM words WHERE words MATCH ?", (expression,)
            )
            self._kept = self._database.changes()
            self._last_expression = expression


_SCORE = f"-bm25(words, {','.join(str(WEIGHTS[column]) for column in COLUMNS)})"
_CONTENTS = "content forms before after before2 after2"
_EMPTY = "CREATE TEMP TABLE IF NOT EXISTS matches(id INTEGER PRIMARY KEY, score REAL); DELETE FROM temp.matches"
# Documents are looked up only for the filter and the order of ties: for the best matches, not for all.
_BEST = (
    "WITH best AS MATERIALIZED (SELECT score FROM temp.matches ORDER BY score DESC LIMIT ?)"
    " SELECT d.id, score FROM temp.matches m CROSS JOIN document d ON d.id = m.id"
    " WHERE score >= (SELECT min(score) FROM best) AND {where}"
    " ORDER BY score DESC, d.namespace, d.path, d.ordinal LIMIT ?"
)


def _expression(query: Sequence[Term], *, own: bool) -> str:
    """The FTS5 query for any of the words."""
    any_word = _any_of(query)
    if own:
        return f"{{content forms}} : ({any_word})"
    # Paths and people are searched apart, so that a word common there keeps its rarity in the contents.
    return f"{{{_CONTENTS}}} : ({any_word}) OR {{path person}} : ({any_word})"


def _synonym_expression(query: Sequence[TermSynonyms]) -> str:
    """The FTS5 query for a synonym in place of any of the words.

    FTS5 counts a synonym only in documents that pass the NOT beside it, whatever else of the query they match.
    """
    instead = " OR ".join(f'(({_any_of(others)}) NOT "{term.word}")' for term, others in query)
    return f"{{{_CONTENTS}}} : ({instead})"


def _any_of(terms: Sequence[Term]) -> str:
    return " OR ".join(f'"{term.word}"' for term in terms)


def coverage(database: apsw.Connection, query: Sequence[Term], document: int) -> float:
    """The summed idf of the query words in a document, each times the greatest weight of a column that has it."""
    return sum(term.idf * _weight(database, term, document) for term in query)


def _weight(database: apsw.Connection, term: Term, document: int) -> float:
    for weight, columns in _BY_WEIGHT.items():
        expression = f'{{{" ".join(columns)}}} : "{term.word}"'
        if database.execute("SELECT 1 FROM words WHERE words MATCH ? AND rowid = ?", (expression, document)).get:
            return weight
    return 0.0
