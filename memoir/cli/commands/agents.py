"""The commands for agents and their hosts except `setup`: `prime`, `hook`, `capture`, `doctor`, `batch`, `mcp`."""

import os
import sys
from typing import Annotated

import typer

from memoir.answers import agents as shapes
from memoir.answers import captures
from memoir.answers.answer import Answer
from memoir.cli import complete
from memoir.cli.options import Message, argument, group, option
from memoir.cli.session import Session, prepare_embedder, session
from memoir.cli.writing import About, LlmCalls, LlmTokens
from memoir.errors import ExitCode
from memoir.hosts.dialects import HOSTS
from memoir.primer.length import LEAST_CHARACTERS, MOST_CHARACTERS, USUAL_CHARACTERS
from memoir.settings import STORE


def hook(
    ctx: typer.Context,
    host: Annotated[str | None, argument("[HOST]", "The host, such as claude.")] = None,
    event: Annotated[str | None, argument("[EVENT]", "The event, by the host's name for it.")] = None,
    recall: Annotated[bool, option("Answer a prompt with up to 3 relevant memories.", "--recall")] = False,
    nudge: Annotated[bool, option("Answer a prompt with one line on how to ask for memories.", "--nudge")] = False,
    plugin: Annotated[
        bool, option("Print nothing if the host's own configuration has the same hook.", "--plugin")
    ] = False,
) -> Answer:
    """Answer an event of an agent's host; never fails.

    'memoir setup' writes this command into the configuration of a host. It reads one JSON object from standard input,
    prints one line of JSON or nothing, and exits 0 whatever happens, within two seconds. Errors go to a log that
    'memoir doctor' shows. It uses no network and no model. MEMOIR_HOOKS=off switches all hooks off.

    Without HOST and EVENT, the hosts and their events are listed.
    """
    if host is not None:
        from memoir.hosts.entry import leave_with_answer

        if folder := session(ctx).explicit_folder():
            os.environ[STORE.key] = folder
        flags = ["--recall"] * recall + ["--nudge"] * nudge + ["--plugin"] * plugin
        leave_with_answer([host, event or "", *flags])
    return shapes.hooks(HOSTS)


def doctor(ctx: typer.Context) -> Answer:
    """Check that everything works, and say how to repair it; exit 1 if something is broken.

    It checks git, the store, the index, the embedder, captures, permissions, the hosts that are set up, and the errors
    of their hooks. Nothing is changed.
    """
    from memoir.hosts.doctor import examine

    return shapes.doctor(examine(session(ctx).explicit_folder()))


def mcp(
    ctx: typer.Context,
    namespace: Annotated[
        str | None,
        option(
            "Show and change this namespace only.", "-n", "--namespace", metavar="NAME", completion=complete.namespaces
        ),
    ] = None,
    read_only: Annotated[bool, option("Offer no tool that writes.", "--read-only")] = False,
    max_chars: Annotated[
        int | None, option("At most N characters in an answer (default: 4,000).", metavar="N", min=1000)
    ] = None,
) -> Answer:
    """Serve the store to an agent over the Model Context Protocol, on standard input and output.

    An agent's host starts this command; it ends when its input ends. Its seven tools are recall, summarize, get,
    remember, forget, history and status. The store is that of --store or MEMOIR_STORE. Without these it is the
    store of the project that the host names (CLAUDE_PROJECT_DIR, or the client's roots), never of the folder in which
    the host starts the command. With --global it is your own store.
    """
    from memoir.mcp.client_store import StorePlace
    from memoir.mcp.server import serve
    from memoir.mcp.service import BUDGET, Service

    here = session(ctx)
    folder = str(here.git_dir()) if here.user else here.explicit_folder()
    place = StorePlace(folder, here.selection())
    service = Service(place, namespace=namespace, read_only=read_only, budget=max_chars or BUDGET)
    serve(service)
    return shapes.mcp(service.calls)


def batch(
    ctx: typer.Context,
    output: Annotated[str | None, option("Write the answers to a file.", "-o", "--output", metavar="FILE")] = None,
) -> Answer:
    """Run many commands in one process: JSON lines in, JSON lines out.

    Each line of standard input is an object: "args" is a list of strings, the command and its arguments as after
    'memoir'; the optional "stdin" is the command's standard input. For each line, in order and as soon as it is done,
    one object is printed: "id" is the line's "id", or its number; "status" the exit status; "answer" what the command
    prints with --json. After a line that fails, the next one runs. The store, the index and the embedder stay open, so
    that a command takes a fraction of the time of a process.

    Commands that print streams need -o FILE here. 'batch', 'hook' and 'mcp' cannot be in a line.
    """
    from memoir.cli.command_lines import run_lines

    answers = run_lines(sys.stdin.buffer, session(ctx))
    if output in (None, "-"):
        return Answer({}, stream=answers, finish=lambda: ExitCode.OK)
    with open(output, "wb") as file:
        count = sum(1 for _ in map(file.write, answers))
    return shapes.batch(output, count)


def prime(
    ctx: typer.Context,
    max_chars: Annotated[
        int, option("At most N characters.", metavar="N", min=LEAST_CHARACTERS, max=MOST_CHARACTERS)
    ] = USUAL_CHARACTERS,
    query: Annotated[str | None, option("Also quote memories that answer this question.", metavar="TEXT")] = None,
) -> Answer:
    """Print what an agent should know when a session begins.

    First come pinned memories ('memoir pin'), then rules and preferences, then the last ten changes, then the paths
    with their numbers of memories, then how to ask for more. It states facts, and memories are quoted as data. For
    an empty store it says when and how to write to it. The same store always gives the same text.
    """
    return shapes.prime(session(ctx).repository.agents.prime(max_chars=max_chars, query=query))


_Numbers = Annotated[list[int] | None, argument("[N...]", "Numbers of proposals.")]
_Every = Annotated[bool, option("All proposals.", "--all")]

capture = group()


@capture.callback()
def show_capture(ctx: typer.Context) -> Answer | None:
    """Keep the texts of sessions, and remember what is worth it.

    Capture is off until you switch it on for a store. Then the hooks of 'memoir setup' keep your prompts and the last
    message of each of the agent's turns in a folder of yours, never what a tool returned; credentials are removed
    first. Nothing leaves the machine, and nothing is remembered before 'memoir capture accept'.
    """
    return None if ctx.invoked_subcommand else status(ctx)


@capture.command("on")
def on(ctx: typer.Context) -> Answer:
    """Keep the texts of sessions by the hooks of the hosts set up here."""
    return _switch(ctx, True)


@capture.command("off")
def off(
    ctx: typer.Context, purge: Annotated[bool, option("Delete the texts that are kept.", "--purge")] = False
) -> Answer:
    """Keep no further texts; --purge deletes the earlier ones, too."""
    return _switch(ctx, False, purge=purge)


def _switch(ctx: typer.Context, on: bool, *, purge: bool = False) -> Answer:
    from memoir.hosts.setup.setup import renew_all

    here = session(ctx)
    repository, kept = here.repository, here.repository.captures
    kept.switch(on)
    deleted = kept.purge() if purge else None
    return captures.status(repository, renewals=renew_all(repository.path.parent), deleted=deleted, word=here.word)


@capture.command("status")
def status(ctx: typer.Context) -> Answer:
    """Show whether capture is on, and how much is kept where."""
    here = session(ctx)
    return captures.status(here.repository, word=here.word)


def _session_with_embedder(ctx: typer.Context) -> Session:
    """The session, with the embedder prepared if any texts are kept."""
    here = session(ctx)
    if here.repository.captures.contents().turns:
        prepare_embedder(here)
    return here


@capture.command("review")
def review(
    ctx: typer.Context,
    by: Annotated[
        str | None,
        option(
            "Find memories by rules, or by model, with one call a turn (default: memoir.capture.by).",
            metavar="NAME",
            completion=complete.words("rules", "model"),
        ),
    ] = None,
    llm_calls: LlmCalls = None,
    llm_tokens: LlmTokens = None,
) -> Answer:
    """Propose memories from the kept texts; each has a number.

    The number stays valid until you accept or reject the proposal. Rules find standing instructions and facts, unless
    you ask a model. A request to forget something is shown, and changes nothing.
    """
    here = _session_with_embedder(ctx)
    found = here.repository.captures.review(by=by, llm_calls=llm_calls, llm_tokens=llm_tokens)
    return captures.review(found, here.word)


@capture.command("accept")
def accept(
    ctx: typer.Context,
    numbers: _Numbers = None,
    every: _Every = False,
    about: About = None,
    replace_similar: Annotated[
        bool, option("Let each replace the older memory that it contradicts most, or is near to.", "--replace-similar")
    ] = False,
    message: Message = None,
) -> Answer:
    """Remember proposals of a review, in one commit.

    With --all, texts that were not reviewed are reviewed first, and all proposals are remembered. A memory names
    its host, session and time. A proposal that cannot be stored is left out and named, and the exit status is 1.
    If one contradicts an older memory, or is near to it, both stay, and the answer says how to replace the older one.
    When nothing is left to decide on, the texts are deleted.
    """
    here = _session_with_embedder(ctx)
    return captures.accept(
        here.repository, numbers, every, message, about=about or (), replace_similar=replace_similar, word=here.word
    )


@capture.command("reject")
def reject(ctx: typer.Context, numbers: _Numbers = None, every: _Every = False) -> Answer:
    """Drop proposals of a review.

    With --all, texts that were not reviewed are dropped, too. When nothing is left to decide on, the texts are
    deleted.
    """
    here = session(ctx)
    return captures.reject(here.repository, numbers, every, word=here.word)
