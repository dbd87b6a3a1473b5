"""The calls that write: a repository and the arguments of a request in, a command's answer out."""

from functools import partial
from typing import Any

from memoir.answers import branches as branch_shapes
from memoir.answers import captures as capture_shapes
from memoir.answers import filing
from memoir.answers import write as shapes
from memoir.answers.answer import Answer
from memoir.errors import InvalidInput
from memoir.memory.write import reword
from memoir.memory.write_options import WriteOptions
from memoir.records.record import Memory
from memoir.repository.repository import Repository
from memoir.taxonomy.paths import DEFAULT_NAMESPACE as DEFAULT

Names = list[str] | None


def remember(
    repository: Repository, content: str, keys: Names = None, namespace: str = DEFAULT, confidence: float = 1.0,
    timestamp: str | None = None, metadata: dict[str, Any] | None = None, links: Names = None, kind: str | None = None,
    policy: str | None = None, classifier: str | None = None, replace_similar: bool = False, about: Names = None,
    expires: str | None = None, dry_run: bool = False, message: str | None = None, allow_secret: bool = False,
) -> Answer:  # fmt: skip
    """Store a memory at one or more paths, or let memoir find the path."""
    new = Memory.of(content, confidence=confidence, timestamp=timestamp, metadata=metadata)
    options = WriteOptions(message, dry_run=dry_run, allow_secrets=allow_secret)
    result = repository.remember(
        new, *keys or (), namespace=namespace, policy=policy, classifier=classifier, links=links or (), kind=kind,
        replace_similar=replace_similar, about=about or (), expires=expires, options=options,
    )  # fmt: skip
    return shapes.remember(result, new.content, new.confidence, dry_run=dry_run)


def edit(
    repository: Repository, key: str, content: str | None = None, about: Names = None, expires: str | None = None,
    namespace: str = DEFAULT, message: str | None = None, allow_secret: bool = False,
) -> Answer:  # fmt: skip
    """Give a memory other words; or say which files it is about, or until when it holds.

    The id of `KEY#id` changes with the words, so an edit that comes too late fails.
    """
    options = WriteOptions(message, allow_secrets=allow_secret)
    if (content is None) != bool(about or expires):
        raise InvalidInput("give the content, or else about or expires", "change the words and the rest one by one")
    if content is None:
        done = repository.annotate(key, about=about or (), expires=expires, namespace=namespace, options=options)
    else:
        done = repository.edit(key, partial(reword, content=content), namespace=namespace, options=options)
    return shapes.write(*done, "edited")


def replace(
    repository: Repository, old: str, new: str | None = None, namespace: str = DEFAULT, dry_run: bool = False,
    message: str | None = None,
) -> Answer:  # fmt: skip
    """Let a newer memory take the place of an older one."""
    options = WriteOptions(message, dry_run=dry_run)
    return shapes.replace(repository.replace(old, new, namespace=namespace, options=options), dry_run=dry_run)


def forget(
    repository: Repository, keys: list[str], prefix: bool = False, namespace: str = DEFAULT, dry_run: bool = False,
    message: str | None = None,
) -> Answer:  # fmt: skip
    """Remove memories; history keeps them."""
    options = WriteOptions(message, dry_run=dry_run)
    return shapes.write(
        *repository.forget(*keys, prefix=prefix, namespace=namespace, options=options), "forgotten", dry_run=dry_run
    )


def mv(
    repository: Repository, old: str, new: str, prefix: bool = False, append: bool = False, namespace: str = DEFAULT,
    dry_run: bool = False, message: str | None = None,
) -> Answer:  # fmt: skip
    """Move a memory, or a whole prefix, to another path."""
    options = WriteOptions(message, dry_run=dry_run)
    done = repository.move(old, new, prefix=prefix, append=append, namespace=namespace, options=options)
    return shapes.mv(done.pairs, done.commit, dry_run=dry_run)


def pin(
    repository: Repository, keys: list[str], namespace: str = DEFAULT, dry_run: bool = False, message: str | None = None
) -> Answer:
    """Pin memories: every agent's session begins with them."""
    options = WriteOptions(message, dry_run=dry_run)
    return shapes.write(*repository.agents.pin(*keys, namespace=namespace, options=options), "pinned", dry_run=dry_run)


def unpin(
    repository: Repository, keys: list[str], namespace: str = DEFAULT, dry_run: bool = False, message: str | None = None
) -> Answer:
    """Unpin memories."""
    options = WriteOptions(message, dry_run=dry_run)
    done = repository.agents.unpin(*keys, namespace=namespace, options=options)
    return shapes.write(*done, "unpinned", dry_run=dry_run)


def restore(
    repository: Repository, keys: list[str], at: str, namespace: str = DEFAULT, message: str | None = None
) -> Answer:
    """Bring memories back as they were at a revision."""
    return shapes.write(
        *repository.restore(*keys, at=at, namespace=namespace, options=WriteOptions(message)), "restored"
    )


def branch(
    repository: Repository, name: str, start: str | None = None, rename: str | None = None, delete: bool = False,
    force: bool = False,
) -> Answer:  # fmt: skip
    """Create a branch; with `rename` give it another name, with `delete` delete it."""
    if sum(map(bool, (delete, rename, start))) > 1:
        raise InvalidInput("start, rename and delete exclude each other", "give one of them")
    branches = repository.branches
    if rename:
        return branch_shapes.branch_change(rename, "renamed", branches.rename(rename, name), name)
    if delete:
        return branch_shapes.branch_change(name, "deleted", branches.delete(name, force=force))
    return branch_shapes.branch_change(name, "created", branches.create(name, start).id)


def merge(
    repository: Repository, source: str, strategy: str | None = None, choices: Names = None, dry_run: bool = False,
    message: str | None = None,
) -> Answer:  # fmt: skip
    """Merge a branch or another revision, memory by memory; `choices` are KEY=STRATEGY or KEY#id=STRATEGY."""
    options = WriteOptions(message, dry_run=dry_run)
    done = repository.merge(source, strategy=strategy, choices=choices or (), options=options)
    return branch_shapes.merge(done, source, repository.branch, strategy, dry_run=dry_run)


def tag(repository: Repository, name: str, revision: str | None = None, delete: bool = False) -> Answer:
    """Create a tag, or delete one."""
    if delete:
        return branch_shapes.tag_change(name, "deleted", repository.tags.delete(name))
    return branch_shapes.tag_change(name, "created", repository.tags.create(name, revision))


def classify(
    repository: Repository, classifier: str | None = None, namespace: Names = None, dry_run: bool = False,
    message: str | None = None,
) -> Answer:  # fmt: skip
    """File the memories in the inbox."""
    options = WriteOptions(message, dry_run=dry_run)
    done = repository.classify(classifier=classifier, namespaces=namespace or (), options=options)
    return filing.classify(*done, dry_run=dry_run)


def consolidate(
    repository: Repository, threshold: float | None = None, accept: Names = None, namespace: Names = None,
    dry_run: bool = False, message: str | None = None,
) -> Answer:  # fmt: skip
    """Mark near-duplicates as superseded, and list memories that are only similar."""
    done = repository.consolidate(
        threshold=threshold, accept=accept or (), namespaces=namespace or (),
        options=WriteOptions(message, dry_run=dry_run),
    )  # fmt: skip
    return filing.consolidate(done, dry_run=dry_run)


def accept(
    repository: Repository, numbers: list[int] | None = None, every: bool = False, message: str | None = None
) -> Answer:
    """Remember proposals of a review of captures."""
    done = repository.captures.accept(*numbers or (), every=every, options=WriteOptions(message))
    return capture_shapes.decision(done, "accepted")


def reject(repository: Repository, numbers: list[int] | None = None, every: bool = False) -> Answer:
    """Drop proposals of a review of captures."""
    return capture_shapes.decision(repository.captures.reject(*numbers or (), every=every), "rejected")
