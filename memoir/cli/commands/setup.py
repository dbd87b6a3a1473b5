"""`memoir setup`."""

import os
from typing import Annotated

import typer

from memoir.answers import agents as shapes
from memoir.answers.answer import Answer
from memoir.cli import complete
from memoir.cli.options import argument, option
from memoir.cli.session import session
from memoir.errors import InvalidInput
from memoir.hosts import dialects
from memoir.hosts.setup.recipes import GLOBAL, PROJECT, RECIPES
from memoir.repository.repository import Repository


def command(
    ctx: typer.Context,
    host: Annotated[
        str | None, argument("[HOST]", "The host, such as claude or codex.", completion=complete.words(*RECIPES))
    ] = None,
    listed: Annotated[bool, option("List the hosts, and which are set up.", "--list")] = False,
    check: Annotated[bool, option("Check whether the host is set up; exit with 1 if it is not.", "--check")] = False,
    remove: Annotated[bool, option("Remove everything that memoir has added.", "--remove")] = False,
    shown: Annotated[bool, option("Print what would be added, for you to add it yourself.", "--print")] = False,
    dry_run: Annotated[
        bool, option("Show what changes in which file, and write nothing.", "--dry-run", "--diff")
    ] = False,
    allow: Annotated[
        bool, option("Let agents run memoir's reading commands and remember without asking you.", "--allow")
    ] = False,
    project: Annotated[
        bool, option("Only for the project in this folder, which gets a store if it has none.", "--project")
    ] = False,
    everywhere: Annotated[bool, option("For all your projects (the default).", "--global")] = False,
    mcp: Annotated[bool, option("Add the MCP server, too; hosts without hooks always get it.", "--mcp")] = False,
    recall_on_prompt: Annotated[
        bool, option("Add up to 3 relevant memories to each prompt.", "--recall-on-prompt")
    ] = False,
    recall_on_file: Annotated[
        bool, option("Before a file is read or changed, add up to 2 memories about it.", "--recall-on-file")
    ] = False,
    recall_on_failure: Annotated[
        bool, option("After a command failed, add the memory about its error.", "--recall-on-failure")
    ] = False,
    nudge: Annotated[bool, option("Add to each prompt one line on how to ask for memories.", "--nudge")] = False,
    memory_md: Annotated[
        bool, option("Synchronize Claude Code's MEMORY.md with the store, when sessions begin and end.", "--memory-md")
    ] = False,
) -> Answer:
    """Set up the host of an agent, such as Claude Code.

    The host's hooks then tell an agent what the store holds when a session begins. --allow also adds the host's own
    permissions for the commands that read memories, and for remember. The rest of each file stays as it is, a file
    that cannot be parsed is left alone, and every hook is tried before it is written. A later setup adds its options
    to those of earlier ones. --remove restores each file.
    """
    from memoir.hosts.setup import found, setup
    from memoir.hosts.setup.setup import current_wish

    if listed or not any(ctx.params.values()):
        return shapes.hosts({name: (recipe, found.find_scopes(name)) for name, recipe in RECIPES.items()})
    if host is None:
        raise InvalidInput("no host given", "name one, such as claude; 'memoir setup --list' shows which are set up")
    _refuse_several({"--check": check, "--remove": remove, "--print": shown})
    _refuse_several({"--project": project, "--global": everywhere})
    _refuse_several({"--recall-on-prompt": recall_on_prompt, "--nudge": nudge})
    recipe = RECIPES.get(host)
    local = project or bool(recipe and not everywhere and GLOBAL not in recipe.scopes)
    here = session(ctx)
    wish = current_wish(
        PROJECT if local else GLOBAL,
        mcp=mcp or bool(recipe and not recipe.has_hooks),
        allow=allow,
        memory_md=memory_md,
        prompt="--recall" if recall_on_prompt else "--nudge" if nudge else None,
        tools=frozenset([dialects.FILE] * recall_on_file + [dialects.FAILURE] * recall_on_failure),
        store=os.path.abspath(here.folder) if here.folder else None,
    )
    if check:
        return shapes.setup_check(setup.check(host, wish))
    if remove:
        return shapes.set_up(setup.remove(host, wish, dry_run=dry_run), "removed", dry_run=dry_run)
    done = setup.set_up(host, wish, dry_run=dry_run or shown)
    if shown:
        return shapes.set_up(done, "printed", dry_run=True)
    new_store = None
    if project and not dry_run and Repository.find(".") is None:
        new_store = Repository.init(".", origin=here.origin).path
    return shapes.set_up(done, "installed", dry_run=dry_run, store=new_store)


def _refuse_several(options: dict[str, bool]) -> None:
    names = [name for name, value in options.items() if value]
    if len(names) > 1:
        raise InvalidInput(f"{' and '.join(names)} exclude each other", "'memoir help setup' describes them")
