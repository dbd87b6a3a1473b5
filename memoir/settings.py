"""Every setting of memoir, declared once, and whose word counts for it.

The first of these that says something counts: an option of the command line, the environment, the configuration of the
store, that of its user, the default. All configuration is git's (`memoir config`).

A store may have come with somebody else's project. It may say how its own memories are weighed and kept, but what is
sent, where to, and whether a model is asked is for its user to decide: by an option, the environment, or the user's
own git configuration. What a store's own configuration says of that is ignored.
"""

from math import isclose, log
from typing import Any

from memoir.errors import InvalidInput
from memoir.setting import TEXT, TEXT_OR_NOTHING, Config, Setting, days, number, whole, words

STORE_SCOPES = frozenset(("local", "worktree"))
"""What git calls the levels of configuration that a store brings along."""
SECTIONS = ("memoir.", "user.")
"""How the keys begin that memoir reads and writes."""

RECALL_MODE = Setting(
    "memoir.recall.mode", words("simple", "single", "tiered"), "simple",
    "how recall searches: without a model, with one call to one, or in tiers of calls", only_user=True,
)  # fmt: skip
RECALL_LIMIT = Setting("memoir.recall.k", whole(1, 10_000), "5", "how many memories an answer holds, without --limit")
FUSION = Setting(
    "memoir.recall.fusion", words("blend", "rrf"), "blend", "how the scores of words and vectors become one"
)
RRF_K = Setting("memoir.recall.rrfK", number(0), "60", "the k of the fusion rrf")
BM25_WEIGHT = Setting("memoir.recall.bm25Weight", number(0), "1", "how much words count; 0 switches them off")
VECTOR_WEIGHT = Setting("memoir.recall.vectorWeight", number(0), "1", "how much vectors count; 0 switches them off")
CANDIDATE_POOL = Setting(
    "memoir.recall.candidatePool", whole(1, 10_000), "50", "how many memories words and vectors each propose"
)
TAU = Setting("memoir.recall.tau", days(), "off", "decay: after so many days a memory's score is e times smaller")
HALF_LIFE = Setting(
    "memoir.recall.halfLifeDays", days(), "off", "decay, said in another way: after so many days a score is halved"
)
PERSON_BOOST = Setting("memoir.recall.personBoost", number(0), "0.3", "what a person named in the query adds")
TIME_BOOST = Setting("memoir.recall.timeBoost", number(0), "0.3", "what a date named in the query adds")
RERANK = Setting(
    "memoir.recall.rerank", words("none", "deterministic", "llm"), "none",
    "what puts the best results in a new order; llm asks a model", only_user=("llm",),
)  # fmt: skip
FILING_CLASSIFIER = Setting(
    "memoir.filing.classifier", words("auto", "model", "rules"), "rules",
    "what finds a path for a memory without one; auto: a model if one is configured, else rules", only_user=True,
)  # fmt: skip
FILING_THRESHOLD = Setting(
    "memoir.filing.threshold", number(0, 1), "0.3", "the confidence below which a memory goes to the inbox"
)
MERGE_POLICY = Setting(
    "memoir.remember.mergePolicy", words("append", "replace", "confidence_gated", "reject", "llm_merge"), "",
    "what remember does at a path that holds a memory; not set: as the path's first segment says",
    only_user=("llm_merge",),
)  # fmt: skip
LLM_MODEL = Setting(
    "memoir.llm.model", TEXT, "claude-haiku-4-5", "the language model to ask", variables=("MEMOIR_MODEL",),
    only_user=True,
)  # fmt: skip
LLM_TIMEOUT = Setting(
    "memoir.llm.timeout", number(0.001), "60", "seconds to wait for each of up to three attempts", only_user=True
)
EMBED_PROVIDER = Setting(
    "memoir.embed.provider", words("auto", "hash", "minilm", "http"), "auto",
    "the embedder; auto: minilm if it is installed, else hash", variables=("MEMOIR_EMBED_PROVIDER",), only_user=True,
)  # fmt: skip
EMBED_URL = Setting(
    "memoir.embed.url", TEXT, "http://127.0.0.1:11434", "the address of an http embedder",
    variables=("MEMOIR_EMBED_URL",), only_user=True,
)  # fmt: skip
EMBED_MODEL = Setting("memoir.embed.model", TEXT, "nomic-embed-text", "the model of an http embedder", only_user=True)
ALIAS = Setting("memoir.alias.NAME", TEXT, "", "the words that the command 'memoir NAME' stands for", only_user=True)
REMOTE_REFS = Setting(
    "memoir.remote.NAME.refs", words("plain", "beside"), "",
    "where a remote keeps memory: in its branches, or beside code; found out at the first fetch or push",
)  # fmt: skip
REPACK_AT = Setting("memoir.repackAt", whole(0), "50", "the number of packs above which a store is repacked; 0: never")
USER_NAME = Setting("user.name", TEXT, "memoir", "the name of who commits", variables=("GIT_AUTHOR_NAME",))
USER_EMAIL = Setting(
    "user.email", TEXT, "memoir@localhost", "the address of who commits", variables=("GIT_AUTHOR_EMAIL",)
)
AUTHOR = Setting(
    "MEMOIR_AUTHOR", TEXT, "", "who commits, as 'Name <email>', before user.name and user.email",
    variables=("MEMOIR_AUTHOR",),
)  # fmt: skip
LOCK_TIMEOUT = Setting(
    "MEMOIR_LOCK_TIMEOUT", number(0), "60", "seconds to wait for another writer", variables=("MEMOIR_LOCK_TIMEOUT",)
)
PAGER = Setting(
    "MEMOIR_PAGER", TEXT_OR_NOTHING, "less -FRX", "the pager on a terminal; 'cat' or empty for none",
    variables=("MEMOIR_PAGER", "PAGER"),
)  # fmt: skip


TABLE: tuple[Setting[Any], ...] = tuple(each for each in globals().values() if isinstance(each, Setting))
"""All settings, in the order in which they are declared."""


def find(key: str) -> Setting[Any] | None:
    """The setting of a key in git's form (section and name in lower case); None if there is none."""
    return next((setting for setting in TABLE if setting.has(key)), None)


def decay_days(config: Config) -> float:
    """The `tau` of the decay, in days, from either of its two names; 0 for no decay.

    `halfLifeDays` names the same curve: exp(-t/tau) is one half at t = tau * ln 2.

    Raises:
        InvalidInput: both are set, and disagree.
    """
    tau, half_life = TAU.read_if_set(config), HALF_LIFE.read_if_set(config)
    if half_life is None:
        return TAU.read(config)
    same = half_life / log(2)
    if tau is not None and not isclose(same, tau, rel_tol=0.01):
        raise InvalidInput(
            f"{TAU.key} and halfLifeDays disagree: a half-life of {half_life:g} days is a tau of {same:.2f}",
            "set one of them",
        )
    return same


def check(config: Config, key: str, value: str) -> None:
    """Refuse a new value that would make a later command fail.

    Args:
        config: The configuration that counts so far.
        key: What is set, in git's form.
        value: Its new value; an empty one counts as not set.

    Raises:
        InvalidInput: there is no such setting, it cannot have that value, or the value contradicts another setting.
    """
    setting = require(key)
    if setting.only_environment:
        raise InvalidInput(f"only the environment gives {setting.key}", f"export {setting.key}={value}")
    if value:
        setting.parse(value)
    check_together({**config, key: [value]})


def check_together(config: Config) -> None:
    """Refuse settings that contradict each other.

    Raises:
        InvalidInput: two settings do.
    """
    decay_days(config)
    if not BM25_WEIGHT.read(config) and not VECTOR_WEIGHT.read(config):
        raise InvalidInput(f"{BM25_WEIGHT.key} and vectorWeight are both 0, so nothing can be found")


def require(key: str) -> Setting[Any]:
    """The setting of a key in git's form.

    Raises:
        InvalidInput: there is none, naming the nearest.
    """
    if (setting := find(key)) is None:
        raise InvalidInput(f"there is no setting {key!r}", _nearest(key))
    return setting


def _nearest(key: str) -> str:
    from difflib import get_close_matches

    keys = {setting.key.lower(): setting.key for setting in TABLE}
    near = get_close_matches(key.lower(), keys, 1, 0.8)
    siblings = [shown for name, shown in keys.items() if name.rpartition(".")[0] == key.lower().rpartition(".")[0]]
    if near:
        return f"did you mean {keys[near[0]]!r}?"
    return f"there are {', '.join(siblings)}" if siblings else "'memoir config --list' shows all settings"


def only_the_user_decides(key: str, value: str) -> bool:
    """Whether a store's own configuration may not give a setting (a key in git's form) this value."""
    setting = find(key)
    if setting is None or isinstance(setting.only_user, bool):
        return setting is not None and setting.only_user is True
    return value in setting.only_user


def is_ignored(scope: str, key: str, value: str) -> bool:
    """Whether a setting that git found at a level of configuration does not count."""
    return scope in STORE_SCOPES and only_the_user_decides(key, value)


def note(ignored: list[tuple[str, str]], *sections: str) -> list[str]:
    """What to tell a user whose store sets what only the user may.

    Args:
        ignored: The keys and values that the store sets in vain.
        sections: The sections that matter here, such as `recall`.
    """
    beginnings = tuple(f"memoir.{section}." for section in sections)
    keys = sorted({require(key).key for key, _ in ignored if key.startswith(beginnings)})
    if not keys:
        return []
    return [f"ignored {', '.join(keys)} in the store's own config: only your own counts ('memoir config --global')"]
