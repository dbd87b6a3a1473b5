"""The tables of the index.

One row of `document` is one active memory of the indexed snapshot, or one passage of a segment of a source
(`memoir.memory.passages`). `ordinal` is the memory's position at its path, or the passage's in its segment. `role` is
empty for a memory, `turn` numbers the turns of a segment, and `code` says whether a passage of a chat with an assistant
is mostly code. The `content` of a passage is the number of the row of `segment` that has the texts of all its passages
(`memoir.index.documents`). `told_id` is the id of the text that a learned embedder gets, if the store's own words
change the content. `sequence` is the number of the sequence that a document belongs to, and `place` its sort key there,
so that neighbours are found by one index.

`words` indexes each document's text by column, without a copy of the text (`content=''`). `person` counts the documents
about each person, by each part of the name. `name` counts every word, and how often it has a capital (see
`memoir.index.word_tables`). `moment` says when every memory was learnt, superseded ones included, and when every
segment of a `source` was; only memories are indexed by time, because segments are always read by namespace. `damaged`
names the records that cannot be read. `field` has the fields of each document's metadata. `pending` lists the documents
without a vector, and `stand_in` may have a quick one for them; `embedding` has each document's vector, and `signature`
the signs of many in one row (see `memoir.index.signatures`), because a first pass reads all signs and few vectors.
`vector` keeps the vectors that a learned embedder has computed for a text, even when no document has that text, because
another branch may. `answer` caches the answers of models. `item` has the segments from which a memory was taken, and
`standing` the standing instructions of users to an assistant (see `memoir.index.standing_table`). `concept` has the
lexicon's concepts in each document (see `memoir.index.concept_table`). `about` has the files that memories are about,
`expiry` when they expire. `entity` has the names that a memory by itself shows (see `memoir.index.entities`), and
`claim` the claims of each memory (see `memoir.index.claim_table`).

`threaded` numbers memories in the order of time, each with the number of the memory that founded its thread (see
`memoir.index.grouping`). `topic` has the memories with each topic (`place` counts them from 0, and `weight` is the
topic's greatest weight so far). `joined` says which threads became part of another, and since which memory. `thread`
has a summary of every thread of two or more memories, and `unsure` lists those to be summed up again. `insight` has the
metadata of stored insights (see `memoir.index.insight_state`).
"""

VERSION = 47
"""The version of the tables and their content; an index of another version, or another lexicon, is rebuilt."""

PRIOR = 100
"""The number of imaginary memories about other things. Among five memories, BM25 would give no weight to a word that
three of them have; with these it counts as rare."""
PRIOR_WORDS = 20
"""The words of each imaginary memory, about as many as a real one has, because BM25 uses the average length."""

COLUMNS = ("content", "forms", "path", "person", "before", "after", "before2", "after2")
"""The columns of `words`, in order: a document's own text, the other forms of its identifiers, its path, its people,
and the text of its neighbours, one and two places away."""

MERGE_EARLY = "INSERT INTO words(words, rank) VALUES('crisismerge', 3);"
"""Merge the segments of `words` whenever three have one level, because a query searches each of them.

By default FTS5 leaves up to 15 segments of a small index.
"""

ADD_PRIOR = f"""
WITH RECURSIVE prior(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM prior WHERE n < {PRIOR})
INSERT INTO words(rowid, content) SELECT -n, '{" ".join(["zzprior"] * PRIOR_WORDS)}' FROM prior;
"""

TABLES = f"""
CREATE TABLE state(name TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;
CREATE TABLE document(
    id INTEGER PRIMARY KEY,
    namespace TEXT NOT NULL,
    path TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    place TEXT NOT NULL,
    content ANY NOT NULL,
    content_id BLOB NOT NULL,
    told_id BLOB,
    person TEXT NOT NULL,
    role TEXT NOT NULL,
    turn INTEGER NOT NULL,
    code INTEGER NOT NULL,
    learnt REAL NOT NULL,
    occurred REAL NOT NULL
) STRICT;
CREATE TABLE segment(id INTEGER PRIMARY KEY, texts BLOB NOT NULL) STRICT;
CREATE UNIQUE INDEX document_address ON document(namespace, path, ordinal);
CREATE INDEX document_sequence ON document(sequence, place);
CREATE INDEX document_occurred ON document(occurred);
CREATE VIRTUAL TABLE words USING fts5(
    {", ".join(COLUMNS)}, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, row);
CREATE TABLE moment(
    namespace TEXT, path TEXT, ordinal INTEGER, learnt REAL NOT NULL, active INTEGER NOT NULL, source INTEGER NOT NULL,
    PRIMARY KEY(namespace, path, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX moment_learnt ON moment(learnt, namespace, path, ordinal) WHERE NOT source;
CREATE TABLE person(
    part TEXT, namespace TEXT, name TEXT, documents INTEGER NOT NULL, PRIMARY KEY(part, namespace, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE name(
    word TEXT PRIMARY KEY, documents INTEGER NOT NULL, inside INTEGER NOT NULL, capitals INTEGER NOT NULL,
    identifiers INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE damaged(
    namespace TEXT, path TEXT, reason TEXT NOT NULL, PRIMARY KEY(namespace, path)
) STRICT, WITHOUT ROWID;
CREATE TABLE field(id BLOB, document INTEGER, PRIMARY KEY(id, document)) STRICT, WITHOUT ROWID;
CREATE INDEX field_document ON field(document);
CREATE TABLE about(file TEXT, document INTEGER, PRIMARY KEY(file, document)) STRICT, WITHOUT ROWID;
CREATE INDEX about_document ON about(document);
CREATE TABLE expiry(document INTEGER PRIMARY KEY, instant REAL NOT NULL) STRICT;
CREATE INDEX expiry_instant ON expiry(instant);
CREATE TABLE item(
    document INTEGER, namespace TEXT, path TEXT, PRIMARY KEY(document, namespace, path)
) STRICT, WITHOUT ROWID;
CREATE TABLE standing(
    document INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL, value BLOB NOT NULL, scope BLOB NOT NULL
) STRICT;
CREATE INDEX standing_document ON standing(document);
CREATE TABLE concept(
    id INTEGER, document INTEGER, weight INTEGER NOT NULL, PRIMARY KEY(id, document)
) STRICT, WITHOUT ROWID;
CREATE INDEX concept_document ON concept(document);
CREATE TABLE claim(
    document INTEGER, clause INTEGER, value TEXT NOT NULL, PRIMARY KEY(document, clause)
) STRICT, WITHOUT ROWID;
CREATE INDEX claim_clause ON claim(clause, document, value);
CREATE TABLE pending(document INTEGER PRIMARY KEY) STRICT;
CREATE TABLE embedding(document INTEGER PRIMARY KEY, value BLOB NOT NULL) STRICT;
CREATE TABLE signature(block INTEGER PRIMARY KEY, value BLOB NOT NULL) STRICT;
CREATE TABLE stand_in(document INTEGER PRIMARY KEY, value BLOB NOT NULL) STRICT;
CREATE TABLE entity(
    key TEXT, document INTEGER, kind TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY(key, document)
) STRICT, WITHOUT ROWID;
CREATE INDEX entity_document ON entity(document);
CREATE TABLE threaded(
    number INTEGER PRIMARY KEY,
    learnt REAL NOT NULL,
    namespace TEXT NOT NULL,
    path TEXT NOT NULL,
    content_id BLOB NOT NULL,
    id TEXT NOT NULL,
    mass REAL NOT NULL,
    topics TEXT NOT NULL,
    thread INTEGER NOT NULL
) STRICT;
CREATE INDEX threaded_time ON threaded(learnt, namespace, path, content_id);
CREATE INDEX threaded_address ON threaded(namespace, path);
CREATE INDEX threaded_id ON threaded(id);
CREATE INDEX threaded_thread ON threaded(thread);
CREATE TABLE topic(
    namespace TEXT, topic TEXT, number INTEGER, place INTEGER NOT NULL, weight REAL NOT NULL,
    PRIMARY KEY(namespace, topic, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE joined(thread INTEGER PRIMARY KEY, into_thread INTEGER NOT NULL, since INTEGER NOT NULL) STRICT;
CREATE INDEX joined_into ON joined(into_thread);
CREATE TABLE thread(
    number INTEGER PRIMARY KEY,
    namespace TEXT NOT NULL,
    level TEXT NOT NULL,
    path TEXT NOT NULL,
    size INTEGER NOT NULL,
    first REAL NOT NULL,
    last REAL NOT NULL,
    digest INTEGER NOT NULL
) STRICT;
CREATE INDEX thread_path ON thread(namespace, path);
CREATE INDEX thread_size ON thread(namespace, level, size DESC, path);
CREATE TABLE unsure(thread INTEGER PRIMARY KEY) STRICT;
CREATE TABLE insight(
    namespace TEXT, path TEXT, level TEXT NOT NULL, digest INTEGER, terms TEXT NOT NULL,
    PRIMARY KEY(namespace, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX insight_above ON insight(namespace, path) WHERE level <> 'leaf';
{MERGE_EARLY}
{ADD_PRIOR}"""

SHARED_TABLES = """
CREATE TABLE vector(
    embedder TEXT, content BLOB, value BLOB NOT NULL, PRIMARY KEY(embedder, content)
) STRICT, WITHOUT ROWID;
CREATE TABLE answer(id BLOB PRIMARY KEY, used REAL NOT NULL, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
"""
"""The tables that do not depend on a snapshot; they are in the first index file, and the second one uses them, too."""

COMMITS = """
CREATE TABLE known(number INTEGER PRIMARY KEY, id BLOB NOT NULL) STRICT;
CREATE UNIQUE INDEX known_id ON known(id);
CREATE TABLE joint(number INTEGER, place INTEGER, parent INTEGER NOT NULL, PRIMARY KEY(number, place))
STRICT, WITHOUT ROWID;
CREATE TABLE changed(key BLOB, number INTEGER, PRIMARY KEY(key, number)) STRICT, WITHOUT ROWID;
CREATE TABLE moved(new BLOB, old BLOB, PRIMARY KEY(new, old)) STRICT, WITHOUT ROWID;
CREATE TABLE unclear(number INTEGER PRIMARY KEY) STRICT;
"""
"""The table of commits, in a file of its own: which commits changed a key, and which may have (`unclear`).

Its rows stay true when branches change. Commits are numbered, parents before children, so all ancestors of a known
commit are known; `joint` has the parents of all commits other than those whose only parent has the number before theirs
(see `memoir.index.commits`; the parent of a first commit is 0). `moved` has the keys whose memories a commit moved to
another key.
"""

OF_WORDS = frozenset(f"words_{part}" for part in ("data", "idx", "docsize", "config"))
"""The tables that FTS5 itself creates for `words`."""
