"""Every setting of memoir, declared once.

A value comes from the first of these that has one: an option of the command line, the environment, the store's
configuration, the user's configuration, the default. All configuration is git's (`memoir config`). Only for `user.*`
the user's configuration comes before the store's.
"""

from functools import cache
from typing import Any

from memoir.errors import InvalidInput
from memoir.setting import TEXT, TEXT_OR_NOTHING, Kind, Setting, days, number, slug, switch, whole, words
from memoir.taxonomy.kinds import ITEM_KINDS

SECTIONS = ("memoir.", "user.")
"""The beginnings of the keys that memoir reads and writes."""

RECALL_MODE = Setting(
    "memoir.recall.mode", words("simple", "single", "tiered", "deep", "agent"), "simple",
    "how recall searches; simple: by words and vectors, deep: further by names, single or tiered: by one or more calls "
    "to a model", only_user=True,
)  # fmt: skip
RECALL_LIMIT = Setting(
    "memoir.recall.k", whole(1, 10_000), "5", "how many memories recall returns without --limit", in_store=whole(3, 100)
)
RECALL_INSIGHTS = Setting(
    "memoir.recall.insights", whole(0, 1000), "3",
    "how many insights recall returns with --layers, or in the modes deep and agent", in_store=whole(0, 20),
)  # fmt: skip
RECALL_CAPTIONS = Setting(
    "memoir.recall.rawData", whole(0, 1000), "3",
    "how many captions of sources recall returns with --layers, or in the modes deep and agent", in_store=whole(0, 20),
)  # fmt: skip
MAX_CHARS = Setting(
    "memoir.recall.maxChars", whole(1), "", "how many characters recall returns in all; if not set, there is no limit",
    in_store=whole(2000),
)  # fmt: skip
_FUSIONS = words("blend", "rrf")
FUSION = Setting(
    "memoir.recall.fusion", _FUSIONS, "blend", "how a memory's scores by words and by vectors are combined",
    in_store=_FUSIONS,  # in a store another word is ignored
)  # fmt: skip
RRF_K = Setting(
    "memoir.recall.rrfK", number(0), "60", "the constant k of reciprocal rank fusion (rrf)", in_store=number(1, 1000)
)


def _weight(key: str, default: str, about: str, most: int = 2) -> Setting[float]:
    """The weight of a part of the ranking; a store's own configuration may set it to at most `most`."""
    return Setting(key, number(0), default, about, in_store=number(0, most))


BM25_WEIGHT = _weight("memoir.recall.bm25Weight", "1", "the weight of words; 0 switches them off", 10)
VECTOR_WEIGHT = _weight("memoir.recall.vectorWeight", "1.25", "the weight of vectors; 0 switches them off", 10)
CONCEPTS_WEIGHT = _weight(
    "memoir.recall.weight.concepts", "1.6", "the weight of the lexicon's concepts; 0 switches them off"
)
CANDIDATE_POOL = Setting(
    "memoir.recall.candidatePool",
    whole(1, 10_000),
    "50",
    "how many candidates words and vectors each propose",
    in_store=whole(20, 1000),
)
TAU = Setting(
    "memoir.recall.tau", days(), "off", "decay: the days in which a memory's score falls to 1/e", in_store=days(7)
)
HALF_LIFE = Setting(
    "memoir.recall.halfLifeDays", days(), "off", "decay, as a half-life: the days in which a memory's score is halved",
    in_store=days(7),
)  # fmt: skip
PERSON_BOOST = _weight("memoir.recall.personBoost", "0.3", "what a memory gains if its person is named in the query")
TIME_BOOST = _weight("memoir.recall.timeBoost", "0.3", "what a memory gains if its date is named in the query")
SYNONYMS_WEIGHT = _weight(
    "memoir.recall.weight.synonyms", "0.2", "what a memory gains if it has synonyms of the query's words"
)
_OFF = "; 0, the default, switches it off"
GRAPH_WEIGHT = _weight(
    "memoir.recall.weight.graph", "0", f"what a memory gains if a good match leads to it by a name or link{_OFF}"
)
THREADS_WEIGHT = _weight(
    "memoir.recall.weight.threads", "0", f"what a memory gains if its thread has a good match{_OFF}"
)
INSIGHTS_WEIGHT = _weight(
    "memoir.recall.weight.insights", "0", f"what a memory gains if a good insight rests on it{_OFF}"
)
HOP_WEIGHT = _weight(
    "memoir.recall.weight.hop", "1", "the weight of memories to which names in the best memories lead; 0 follows none"
)
RERANK = Setting(
    "memoir.recall.rerank", words("none", "deterministic", "llm"), "none",
    "how the best results are reordered; llm asks a model", only_user=("llm",),
)  # fmt: skip
AGENT_STRATEGY = Setting(
    "memoir.agent.strategy", words("auto", "direct", "split", "chain"), "auto",
    "how mode agent searches; direct: once, split: for each part of the question, chain: until nothing is missing",
    only_user=True,
)  # fmt: skip
AGENT_ATTEMPTS = Setting("memoir.agent.maxAttempts", whole(1, 20), "3", "the most searches of a chain", only_user=True)
AGENT_CONFIDENCE = Setting(
    "memoir.agent.confidence", number(0, 1), "0.8", "how sure the model must be of its evidence to end a chain",
    only_user=True,
)  # fmt: skip
AGENT_QUERIES = Setting(
    "memoir.agent.maxQueries", whole(1, 20), "6", "the most questions that one question is split into", only_user=True
)
AGENT_FALLBACK = Setting(
    "memoir.agent.fallback", words("direct", "split", "chain"), "chain",
    "the strategy if the model's answer names none", only_user=True,
)  # fmt: skip
DEEP_SUFFICIENCY = Setting(
    "memoir.deep.sufficiency", switch(), "on",
    "whether mode deep asks a model if the memories found are enough", only_user=True,
)  # fmt: skip
DEEP_EXPANSION = Setting(
    "memoir.deep.expansion", switch(), "on",
    "whether mode deep asks a model for up to 3 further queries", only_user=True,
)  # fmt: skip
DEEP_RERANK = Setting(
    "memoir.deep.rerank", switch(), "off", "whether mode deep lets a model reorder the best memories", only_user=True
)
DEEP_STRONG_SCORE = Setting(
    "memoir.deep.strongScore", number(0, 1), "0.85",
    "the relevance that the first memory needs for mode deep to ask no model", only_user=True,
)  # fmt: skip
DEEP_STRONG_GAP = Setting(
    "memoir.deep.strongGap", number(0, 1), "0.15",
    "the lead over the second memory's relevance that the first needs as well", only_user=True,
)  # fmt: skip
FILING_CLASSIFIER = Setting(
    "memoir.filing.classifier", words("auto", "model", "rules"), "rules",
    "how a memory without a path is filed; auto: by a model if one is configured, else by rules", only_user=True,
)  # fmt: skip
FILING_THRESHOLD = Setting(
    "memoir.filing.threshold", number(0, 1), "0.5", "the confidence below which a memory goes to the inbox"
)
FILING_PATHS = Setting("memoir.filing.paths", whole(1, 2), "1", "the most paths that a filed memory gets")
MERGE_POLICY = Setting(
    "memoir.remember.mergePolicy", words("append", "replace", "confidence_gated", "reject", "llm_merge"), "",
    "what remember does at a path that holds a memory; if not set, the path's first segment decides",
    only_user=("llm_merge",),
)  # fmt: skip
LLM_MODEL = Setting(
    "memoir.llm.model", TEXT, "claude-haiku-4-5", "the language model", variables=("MEMOIR_MODEL",),
    only_user=True,
)  # fmt: skip
LLM_TIMEOUT = Setting(
    "memoir.llm.timeout", number(0.001), "60", "seconds to wait for the model, in each of up to 3 attempts",
    only_user=True,
)  # fmt: skip
_STEPS = {
    "single.select": "mode single chooses paths",
    "tiered.l1": "mode tiered chooses first segments",
    "tiered.l2": "mode tiered chooses second segments",
    "tiered.select": "mode tiered chooses paths",
    "rerank": "a model reorders the memories found",
    "deep.sufficiency": "mode deep asks if the memories are enough",
    "deep.expand": "mode deep asks for further queries",
    "agent.select": "mode agent chooses how to search",
    "agent.split": "mode agent splits a question",
    "agent.chain": "mode agent asks what is missing",
    "filing.classify": "a model files a memory",
    "filing.merge": "a model merges memories into one",
    "ingest.items": "a model finds the memories in a source",
    "capture.review": "a model reviews what was said",
}
"""What each step that asks a model is for, by its name."""
PROMPT_FILES = {
    step: Setting(
        f"memoir.prompt.{step.replace('.', '-')}", TEXT, "", f"a file that says how {deed}",
        only_user=True,
    )
    for step, deed in _STEPS.items()
}  # fmt: skip
"""For each step that asks a model, by its name: the setting of a file that replaces memoir's instructions."""
_CENTURY = 36_500
"""The most days: a memory that holds for longer need not expire."""
EXPIRE = {
    kind: Setting(
        f"memoir.expire.{kind}", days(most=_CENTURY), "off", f"the days for which a new memory of the kind {kind} holds"
    )
    for kind in ITEM_KINDS
}
"""For each kind of memory, by its name: the setting of the days for which a memory without a date holds."""
EMBED_PROVIDER = Setting(
    "memoir.embed.provider", words("auto", "hash", "static", "minilm", "onnx", "installed", "http"), "auto",
    "the embedder; auto: minilm, or static if there is no room for its weights; "
    "installed: the model of 'memoir embed install --from'",
    variables=("MEMOIR_EMBED_PROVIDER",), only_user=True,
)  # fmt: skip
EMBED_URL = Setting(
    "memoir.embed.url", TEXT, "http://127.0.0.1:11434", "the address of an http embedder",
    variables=("MEMOIR_EMBED_URL",), only_user=True,
)  # fmt: skip
EMBED_MODEL = Setting("memoir.embed.model", TEXT, "nomic-embed-text", "the model of an http embedder", only_user=True)
ALIAS = Setting(
    "memoir.alias.NAME",
    TEXT,
    "",
    "a command of your own: the command line that 'memoir NAME' stands for",
    only_user=True,
)
REMOTE_REFS = Setting(
    "memoir.remote.NAME.refs", words("plain", "beside"), "",
    "where a remote keeps memory; plain: in its branches, beside: under refs/memoir/, beside code; "
    "the first fetch or push sets it",
)  # fmt: skip
REMOTE_WRITERS = Setting(
    "memoir.remote.NAME.writers", words("auto", "shared", "own"), "auto",
    "where sync sends this store's commits; shared: to the branch itself, own: to a ref of this store, which others "
    "fold into the branch, auto: own while others push so often that shared would need retries",
)  # fmt: skip
WRITER = Setting(
    "memoir.writer", slug(63), "", only_store=True,
    about="the name of this store's own refs at remotes; the first sync that needs it chooses one",
)  # fmt: skip
REPACK_AT = Setting(
    "memoir.repackAt", whole(0), "50", "the number of packs above which a write repacks the store; 0: never"
)
CAPTURE_BY = Setting(
    "memoir.capture.by", words("rules", "model"), "rules",
    "how 'memoir capture review' finds memories; model: one call for each turn", only_user=True,
)  # fmt: skip
SYNC = Setting(
    "memoir.sync", words("off", "after-write", "on-session-end"), "off",
    "when memoir runs 'memoir sync' by itself; after-write: when a command has written, on-session-end: when a session "
    "of an agent ends", variables=("MEMOIR_SYNC",), only_user=True,
)  # fmt: skip
USER_NAME = Setting(
    "user.name", TEXT, "memoir", "your name in commits; if it is not set, git's own config of the project gives it",
    variables=("GIT_AUTHOR_NAME",), user_first=True,
)  # fmt: skip
USER_EMAIL = Setting(
    "user.email",
    TEXT,
    "memoir@localhost",
    "your address in commits, found like user.name",
    variables=("GIT_AUTHOR_EMAIL",),
    user_first=True,
)
SIGN = Setting(
    "memoir.sign", words("off", "ssh"), "off", "whether commits are signed, in git's SSH format with user.signingKey",
    variables=("MEMOIR_SIGN",), only_user=True,
)  # fmt: skip
SIGNING_KEY = Setting(
    "user.signingKey", TEXT, "", "the key that signs commits: a file, or a public key that your SSH agent holds",
    only_user=True,
)  # fmt: skip
STORE_GLOBAL = Setting(
    "memoir.store.global", TEXT, "",
    "your own store, read beside a project's; off: none; if not set, ~/.memoir if it exists",
    variables=("MEMOIR_STORE_GLOBAL",), only_user=True,
)  # fmt: skip
STORE = Setting(
    "MEMOIR_STORE",
    TEXT,
    "",
    "the folder that holds .memoir/, as with --store; empty: not set",
    variables=("MEMOIR_STORE",),
)
BRANCH = Setting(
    "MEMOIR_BRANCH", TEXT, "",
    "the branch of every command, as with --branch; the first write creates it if it does not exist",
    variables=("MEMOIR_BRANCH",),
)  # fmt: skip
BRANCH_FOLLOW = Setting(
    "memoir.branch.follow", words("off", "code"), "off",
    "the branch that commands work on if none is named; code: the one named like the project's git branch",
    only_store=True,
)  # fmt: skip
JSON = Setting(
    "MEMOIR_JSON", switch(), "off", "whether every command prints JSON, as with --json", variables=("MEMOIR_JSON",)
)
DEBUG = Setting(
    "MEMOIR_DEBUG", switch(), "off",
    "whether a failure also prints its traceback and its causes on standard error",
    variables=("MEMOIR_DEBUG",),
)  # fmt: skip
HOOKS = Setting("MEMOIR_HOOKS", switch(), "on", "off switches off all hooks of memoir", variables=("MEMOIR_HOOKS",))
NOW = Setting(
    "MEMOIR_NOW", Kind("a time such as 2026-01-31T09:30:00Z", str), "",
    "the time that memoir uses as the present, so that a script gives the same result again", variables=("MEMOIR_NOW",),
)  # fmt: skip
AUTHOR = Setting(
    "MEMOIR_AUTHOR", TEXT, "",
    "your name and address in commits, as 'Name <email>'; overrides user.name and user.email",
    variables=("MEMOIR_AUTHOR",),
)  # fmt: skip
LOCK_TIMEOUT = Setting(
    "MEMOIR_LOCK_TIMEOUT", number(0), "60", "seconds to wait while another process writes",
    variables=("MEMOIR_LOCK_TIMEOUT",),
)  # fmt: skip
PAGER = Setting(
    "MEMOIR_PAGER", TEXT_OR_NOTHING, "less -FRX", "the pager on a terminal; 'cat' or empty for none",
    variables=("MEMOIR_PAGER", "PAGER"),
)  # fmt: skip


TABLE: tuple[Setting[Any], ...] = tuple(
    setting
    for value in globals().values()
    for setting in (value.values() if isinstance(value, dict) else [value])
    if isinstance(setting, Setting)
)
"""All settings, in the order in which they are declared."""


@cache
def _singles() -> dict[str, Setting[Any]]:
    return {setting.git_key: setting for setting in TABLE if not setting.is_family}


@cache
def _families() -> list[Setting[Any]]:
    return [setting for setting in TABLE if setting.is_family]


def find(key: str) -> Setting[Any] | None:
    """The setting of a key in git's form (section and name in lower case); None if there is none."""
    return _singles().get(key) or next((family for family in _families() if family.has(key)), None)


def require(key: str) -> Setting[Any]:
    """The setting of a key in git's form.

    Raises:
        InvalidInput: there is no such setting; the hint names the nearest.
    """
    if (setting := find(key)) is None:
        raise InvalidInput(f"there is no setting {key!r}", _nearest(key))
    return setting


def _nearest(key: str) -> str:
    from difflib import get_close_matches

    keys = {setting.key.lower(): setting.key for setting in TABLE}
    near = get_close_matches(key.lower(), keys, 1, 0.8)
    group = key.lower().rpartition(".")[0]
    siblings = [other for name, other in keys.items() if "." in group and name.rpartition(".")[0] == group]
    if near:
        return f"did you mean {keys[near[0]]!r}?"
    return f"there are {', '.join(siblings)}" if siblings else "'memoir config --list' shows all settings"
