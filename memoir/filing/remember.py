"""Remembering: the guards, then the merge policy, the classifier or the model that the memory needs.

Classifier and model are imported only when they are needed: a memory with a path needs neither.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memoir.memory import write
from memoir.memory.options import DEFAULTS, WriteOptions
from memoir.memory.policy import LLM_MERGE, Outcome
from memoir.memory.record import Memory
from memoir.named_tuple import NamedTuple
from memoir.settings import MERGE_POLICY, note
from memoir.store.commit import Commit
from memoir.store.store import Store
from memoir.taxonomy.paths import Address

if TYPE_CHECKING:
    from memoir.filing.decision import Decision


class RememberResult(NamedTuple):
    """The result for a memory.

    Attributes:
        commit: None if nothing changed.
        outcomes: The outcome at each path.
        decision: The classifier's decision; None if the caller named the paths.
        degraded: What failed and was done in another way; None if nothing did.
    """

    commit: Commit | None
    outcomes: dict[Address, Outcome]
    decision: "Decision | None" = None
    degraded: str | None = None


def remember(
    store: Store,
    new: Memory,
    places: Sequence[Address],
    namespace: str,
    *,
    classifier: str | None = None,
    policy: str | None = None,
    options: WriteOptions = DEFAULTS,
) -> RememberResult:
    """Remember a memory at some places; without any, a classifier chooses them.

    Without a policy, `memoir.remember.mergePolicy` decides at places that the caller names, and a filed memory is added
    to what is there.

    Raises:
        InvalidInput: no such classifier or policy, or a refusal of `memoir.memory.write.refuse_unfit`.
        Conflict: the policy is `reject` and a path is occupied.
        LlmUnavailable: the classifier is `model`, and none is configured.
    """
    store.expect_config()
    write.refuse_unfit(new, places or [Address(namespace, "")], options)
    if not places:
        import memoir.filing.filer  # noqa: F401 - while git reads the settings
    default = MERGE_POLICY.read_if_set(store.config)
    policy = policy or (default if places or default == LLM_MERGE else None)
    inner_options = options._replace(allow_secrets=True)
    if not places or policy == LLM_MERGE:
        return _file_or_merge(store, new, places, namespace, classifier, policy, inner_options)
    result = write.remember(store, new, places, policy=policy, options=inner_options)
    return RememberResult(*result, degraded="; ".join(note(store.git_settings.ignored, "remember")) or None)


def _file_or_merge(
    store: Store,
    new: Memory,
    places: Sequence[Address],
    namespace: str,
    classifier: str | None,
    policy: str | None,
    options: WriteOptions,
) -> RememberResult:
    """Remember with a classifier, which finds the path, or with a model, which merges at it, or with both."""
    from memoir.filing.filer import Filer

    filer = Filer(store, classifier=classifier)
    decision = None if places else filer.decide(new.content, namespace, options.branch)
    notes = note(store.git_settings.ignored, "remember")
    notes += [decision.degraded] if decision and decision.degraded else []
    if decision and policy != LLM_MERGE:
        result = filer.remember(new, decision, namespace, policy=policy, options=options)
    else:
        from memoir.filing.llm_merge import remember_merged

        memory = filer.annotate(new, decision) if decision else new
        where = decision.addresses(new.content, namespace) if decision else places
        talk = filer.talk(model) if (model := filer.model()) else None
        result, degraded = remember_merged(store, talk, memory, where, options)
        notes += [degraded] if degraded else []
    return RememberResult(*result, decision, "; ".join(notes) or None)
