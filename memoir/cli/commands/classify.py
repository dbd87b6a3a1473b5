"""`memoir classify`."""

import typer

from memoir.answers import filing
from memoir.answers.answer import Answer
from memoir.cli.options import Classifier, DryRun, Message, Namespaces
from memoir.cli.session import session
from memoir.memory.write_options import WriteOptions


def classify(
    ctx: typer.Context,
    classifier: Classifier = None,
    namespace: Namespaces = None,
    dry_run: DryRun = False,
    message: Message = None,
) -> Answer:
    """File the memories in the inbox; those that cannot be filed with confidence stay there.

    The memories are moved in one commit, and 'memoir blame' follows them.
    """
    options = WriteOptions(message, dry_run=dry_run)
    items, commit = session(ctx).repository.classify(classifier=classifier, namespaces=namespace or [], options=options)
    return filing.classify(items, commit, dry_run=dry_run)
