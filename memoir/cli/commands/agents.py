"""The commands for agents and their hosts: `prime`, `hook`, `doctor`, `mcp`."""

import os
import sys
from typing import Annotated

import typer

from memoir.answers import agents as shapes
from memoir.answers.answer import Answer
from memoir.cli import complete
from memoir.cli.options import argument, option
from memoir.cli.session import session
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
        bool, option("Say nothing if the host's own configuration has the same hook.", "--plugin")
    ] = False,
) -> Answer:
    """Answer an event of an agent's host; never fails.

    'memoir setup' writes this command into the configuration of a host. It reads one JSON object from standard input,
    prints one line of JSON or nothing, and exits 0 whatever happens, within two seconds. What went wrong is in a log
    that 'memoir doctor' shows. It uses no network and no model. MEMOIR_HOOKS=off switches all hooks off.

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
    """Check that everything works, and say how to repair what does not; exit 1 if something does not.

    It looks at git, the store, the index, the embedder, captures, permissions, the hosts that are set up, and at what
    went wrong in their hooks. Nothing is changed.
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
    remember, forget, history and status. The store is that of --store or MEMOIR_STORE. Without these it is that of the
    project which the host names (CLAUDE_PROJECT_DIR, or the client's roots), never that of the folder where the host
    starts the command. With --global it is your own store.
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
    'memoir'; "stdin", if it is there, is what the command reads as standard input. For each line, in order and as soon
    as it is done, one object is printed: "id" is the line's "id", or its number; "status" the exit status; "answer"
    what the command prints with --json. A line that fails does not end it. The store, the index and the embedder stay
    open, so that a command takes a fraction of the time of a process.

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
    with their numbers of memories, then how to ask for more. It states facts, and memories are quoted as data. Of
    an empty store it says when and how to write to it. The same store always prints the same.
    """
    return shapes.prime(session(ctx).repository.agents.prime(max_chars=max_chars, query=query))
