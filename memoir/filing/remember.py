"""Remember a memory: check it, then apply the merge policy, the classifier or the model that it needs.

Classifier and model are imported only when needed: a memory with a path needs neither.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from memoir.errors import InvalidInput
from memoir.memory import write
from memoir.memory.facets import ids_of
from memoir.memory.write_options import DEFAULTS, WriteOptions
from memoir.records.metadata import EXPIRES, expiry_after, read_expiry, with_expiry
from memoir.records.policy import LLM_MERGE, Outcome
from memoir.records.record import Memory
from memoir.setting_rules import note
from memoir.settings import EXPIRE, MERGE_POLICY
from memoir.store.commit import Commit
from memoir.store.store import Store
from memoir.taxonomy.kinds import ITEM_KIND, ITEM_KINDS
from memoir.taxonomy.paths import Address, MemoryAddress, check_namespace

if TYPE_CHECKING:
    from memoir.filing.decision import Decision
    from memoir.filing.similar import SimilarMemory

AUTO = "auto"
"""The value of `kind` with which rules infer the kind."""


class RememberResult(NamedTuple):
    """The result of remembering a memory."""

    commit: Commit | None
    """None if nothing changed."""
    outcomes: dict[Address, Outcome]
    """The outcome at each path."""
    decision: "Decision | None" = None
    """The classifier's decision; None if the caller named the paths, or the memory replaced a similar one."""
    degraded: str | None = None
    """What failed and was replaced by a fallback; None if nothing did."""
    similar: "Sequence[SimilarMemory]" = ()
    """The memories that stay active but may be meant to be replaced."""
    named: "Sequence[str]" = ()
    """The project's files named in the text, although the memory is not tied to them."""
    moved_from: MemoryAddress | None = None
    """The previous address, if the memory was stored already and has moved: from the inbox, or to a similar one's
    path."""

    def neighbours(self, outcome: Outcome) -> dict[str, str]:
        """Other active memories at the path by id, without those in `similar`, oldest first."""
        if outcome.policy != "append":
            return {}
        new, similar = outcome.record[outcome.at], {each.facet.memory.content for each in self.similar}
        named = zip(ids_of(outcome.record), outcome.record, strict=True)
        active = ((identity, each.content) for identity, each in named if each.active and each is not new)
        return {identity: content for identity, content in active if content not in similar}


def remember(
    store: Store,
    new: Memory,
    addresses: Sequence[Address],
    namespace: str,
    *,
    classifier: str | None = None,
    policy: str | None = None,
    replace_similar: bool = False,
    options: WriteOptions = DEFAULTS,
) -> RememberResult:
    """Remember a memory at the addresses; without any, a classifier chooses them.

    Without a policy, `memoir.remember.mergePolicy` decides at given addresses, and a filed memory is appended. With
    `replace_similar` the memory replaces the one most similar to it: anywhere, or only at the given addresses.

    Raises:
        InvalidInput: no such classifier or policy, a policy with `replace_similar`, a malformed namespace, a refusal of
            `memoir.memory.write.refuse_unfit`, or an address that differs in capitals only from one that is there.
    """
    store.expect_config()
    write.refuse_unfit(new, addresses or [Address(check_namespace(namespace), "")], options)
    if replace_similar and policy:
        raise InvalidInput("a merge policy and replacing what is similar exclude each other", "leave out one of them")
    if not addresses:
        import memoir.filing.filer  # noqa: F401 - while git reads the settings
    default = MERGE_POLICY.read_if_set(store.config)
    policy = policy or (default if addresses or default == LLM_MERGE else None)
    inner_options = options._replace(allow_secrets=True)
    if not addresses or (policy == LLM_MERGE and not replace_similar):
        return _file_or_merge(
            store, new, addresses, namespace, classifier, policy, inner_options, replace_similar=replace_similar
        )
    outcome = _replacing(new, policy) if replace_similar else None
    waiting = None if outcome else write.inbox_address(new.content, addresses[0].namespace)
    result = write.remember(
        store, new, addresses, policy=policy, outcome=outcome, waiting=waiting, options=inner_options
    )
    degraded = "; ".join(note(store.git_settings.ignored, "remember")) or None
    return RememberResult(
        result.commit, result.outcomes, None, degraded, _offers(result.outcomes, new), moved_from=result.moved_from
    )


def _replacing(new: Memory, policy: str | None) -> write.Combine:
    from memoir.filing.similar import replacing

    return replacing(new, write.by_policy(None if policy == LLM_MERGE else policy, new))


def _offers(
    outcomes: dict[Address, Outcome], new: Memory, similar: "Sequence[SimilarMemory]" = ()
) -> "list[SimilarMemory]":
    """The memories that a new one may be meant to replace: those in `similar`, else similar ones at its path."""
    if not similar and all(sum(memory.active for memory in outcome.record) == 1 for outcome in outcomes.values()):
        return []
    from memoir.filing.similar import beside, offer

    return offer(similar or beside(outcomes, new), outcomes)


def _file_or_merge(
    store: Store,
    new: Memory,
    addresses: Sequence[Address],
    namespace: str,
    classifier: str | None,
    policy: str | None,
    options: WriteOptions,
    *,
    replace_similar: bool,
) -> RememberResult:
    """Remember with a classifier (for the path), with a model (for the merge), or with both."""
    from memoir.filing.filer import Filer

    filer = Filer(store, classifier=classifier)
    decision = None if addresses else filer.decide(new.content, namespace, options.branch, stores=not options.dry_run)
    similar = filer.similar(new, decision, namespace, options.branch) if decision else []
    notes = note(store.git_settings.ignored, "remember")
    notes += [decision.degraded] if decision and decision.degraded else []
    if replace_similar and similar and not similar[0].is_newer:
        from memoir.filing.similar import put_in_place

        near = decision.near if decision else None
        result, decision = put_in_place(store, new, similar[0].facet, near or (), options), None
    elif decision and policy != LLM_MERGE:
        result = filer.remember(new, decision, namespace, policy=policy, options=options)
    else:
        from memoir.filing.with_model import remember_merged

        memory = filer.annotate(new, decision) if decision else new
        where = decision.addresses(new.content, namespace) if decision else addresses
        talk = filer.talk(model) if (model := filer.model()) else None
        result, degraded = remember_merged(store, talk, memory, where, options, filed=bool(decision))
        notes += [degraded] if degraded else []
    filer.keep_vectors()
    offers = _offers(result.outcomes, new, similar)
    return RememberResult(
        result.commit, result.outcomes, decision, "; ".join(notes) or None, offers, moved_from=result.moved_from
    )


def qualified(memory: Memory, store: Store, *, kind: str | None, expires: str | None) -> Memory:
    """Add the given kind, if any, and the expiry to a memory."""
    return _with_expiry_of(_with_kind(memory, kind) if kind else memory, expires, store)


def _with_expiry_of(memory: Memory, expires: str | None, store: Store) -> Memory:
    """Add an expiry: the given date or span, else that of the setting for the memory's kind."""
    if expires is not None:
        return memory._replace(metadata=with_expiry(memory.metadata, read_expiry(expires)))
    setting = EXPIRE.get(str(memory.metadata.get(ITEM_KIND)))
    days = setting.read(store.config) if setting and EXPIRES not in memory.metadata else 0
    return memory._replace(metadata=with_expiry(memory.metadata, expiry_after(days))) if days else memory


def _with_kind(memory: Memory, kind: str) -> Memory:
    """Add a kind to the metadata: the given one, or with `auto` one inferred by rules.

    Raises:
        InvalidInput: there is no such kind, or the metadata become too large.
    """
    if kind != AUTO and kind not in ITEM_KINDS:
        raise InvalidInput(f"no kind named {kind!r}", f"there are: {', '.join((*ITEM_KINDS, AUTO))}")
    if kind == AUTO:
        from memoir.english.lasting.statements import likeliest_kind

        kind = likeliest_kind(memory.content)
    return Memory.of(**{**memory.as_dict(), "metadata": {**memory.metadata, ITEM_KIND: kind}})
