"""The work of the tool `history`: its five queries, each one call of a `Repository` method."""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING

from memoir.answers import history as shapes
from memoir.answers.parts import code_notes
from memoir.errors import InvalidInput
from memoir.mcp.call import Fields, ToolCall, ToolReply, provenance
from memoir.memory.compare import changes, turnover
from memoir.memory.speaker import said, spoken
from memoir.taxonomy.paths import Address, MemoryAddress

if TYPE_CHECKING:
    from memoir.answers.contract.shapes import Node
    from memoir.memory.provenance import LinkNode
    from memoir.memory.revisions import Difference
    from memoir.memory.versions import MemoryVersion
    from memoir.recall.timeline import Moment
    from memoir.store.commit import Commit

_MOST = 200
"""How many versions, commits or links are shown without a limit."""
_SHORT = 12
"""How many characters of a commit's id are shown: enough to refer to it."""


def history(call: ToolCall) -> ToolReply:
    """The tool `history`: run the query that `what` names."""
    return WAYS[call.arguments["what"]](call)


def _blame(call: ToolCall) -> ToolReply:
    target = _target(call)
    versions = call.repository.blame(target.full_key, limit=call.arguments.get("limit", _MOST), at=call.at)
    shown = (_version(call, version) for version in versions if call.shows(version.address))
    return ToolReply({"key": target.place.short_key}, "versions", shown)


def _version(call: ToolCall, version: "MemoryVersion") -> Fields:
    entry = shapes.blame_entry(version)
    return {
        "commit": entry["commit"][:_SHORT],
        "date": entry["date"],
        "author": entry["author"],
        **({"origin": ", ".join(entry["origin"])} if entry["origin"] else {}),
        "operation": entry["operation"],
        "message": call.message(version.commit).partition("\n")[0],
        "content": spoken(version.record or ()),
    }


def _diff(call: ToolCall) -> ToolReply:
    arguments = call.arguments
    under = [_target(call).full_key] if "key" in arguments else []
    comparison = call.repository.diff(
        arguments.get("from"), arguments.get("to") or call.at, namespaces=() if under else call.namespaces, under=under
    )
    rows = map(_change, comparison.differences)
    ends = {"from": comparison.old, "to": comparison.new}
    return ToolReply({name: end and str(end) for name, end in ends.items()}, "changes", rows)


def _change(change: "Difference") -> Fields:
    """A path that differs, with the removed and added memories, or else the changed fields."""
    old, new = change.old or (), change.new or ()
    pairs = turnover(old, new).pairs
    rows = [(sign, row) for pair in pairs for sign, row in zip("-+", pair, strict=True) if row]
    sides = [
        f"{sign} {f'#{identity} ' if identity else ''}{said(memory.content, memory.metadata)}"
        for sign, (identity, memory) in rows
    ]
    sides = sides or [f"{each.field}: {each.old} -> {each.new}" for each in changes(old, new)]
    return {"key": change.address.short_key, "operation": change.operation, "content": "\n".join(sides)}


def _log(call: ToolCall) -> ToolReply:
    arguments = call.arguments
    key = _target(call).full_key if "key" in arguments else None
    commits = call.repository.log(
        key,
        namespaces=() if key else call.namespaces,
        since=arguments.get("from"),
        until=arguments.get("to"),
        at=call.at,
    )
    return ToolReply(
        {}, "commits", (_commit(call, commit) for commit in islice(commits, arguments.get("limit", _MOST)))
    )


def _commit(call: ToolCall, commit: "Commit") -> Fields:
    fields = shapes.commit(commit)
    return {
        "commit": fields["commit"][:_SHORT],
        "date": fields["date"],
        "author": fields["author"],
        "content": call.message(commit),
    }


def _timeline(call: ToolCall) -> ToolReply:
    arguments = call.arguments
    timeline = call.repository.timeline(
        around=_target(call).place.full_key if "key" in arguments else None,
        since=arguments.get("from"),
        until=arguments.get("to"),
        limit=arguments.get("limit"),
        namespaces=call.namespaces,
        at=call.at,
    )
    fields: Fields = {"omitted": timeline.omitted} if timeline.omitted else {}
    if timeline.degraded:
        fields["degraded"] = "; ".join(timeline.degraded)
    return ToolReply(fields, "memories", map(_moment, timeline.moments))


def _moment(moment: "Moment") -> Fields:
    memory = moment.memory
    return {
        "key": moment.target.short_key,
        "timestamp": memory.timestamp,
        "status": memory.status,
        **provenance(moment.target.place.namespace, memory.metadata),
        "content": said(memory.content, memory.metadata),
    }


def _why(call: ToolCall) -> ToolReply:
    tree = call.repository.why(_target(call).full_key, at=call.at)
    return ToolReply(
        {}, "memories", islice(_nodes(call, tree, shapes.link(tree), None), call.arguments.get("limit", _MOST))
    )


def _nodes(call: ToolCall, tree: "LinkNode", node: "Node", parent: str | None) -> Iterator[Fields]:
    """The memories of a tree of links, each with the memory that links to it and the name of the link."""
    address = MemoryAddress(Address(node["namespace"], node["key"]), node["id"] or "")
    if not call.shows(address.place):
        return
    link = {"link": node["edge"], "of": parent} if parent else {}
    said_by = [", ".join(its)] if isinstance(its := node.get("origin"), list) else []  # a source's is a string
    said_by += [f"by {author.partition(' <')[0]}"] if (author := node.get("author")) else []
    origin = {"origin": " ".join(said_by)} if said_by else {}
    code = {"about": code_notes(node["about"])} if "about" in node else {}
    said_of = {**link, "found": node["found"], **origin, **code}
    yield {"key": address.short_key, **said_of, "content": spoken(tree.record or ())}
    for below, child in zip(tree.links, node["links"], strict=True):
        yield from _nodes(call, below, child, address.short_key)


def _target(call: ToolCall) -> MemoryAddress:
    """Return the address that the key of a call names, which may be `KEY#id`."""
    if "key" not in call.arguments:
        raise InvalidInput(f"history {call.arguments['what']} needs a key", "add key, such as preferences.coding")
    return call.target(str(call.arguments["key"]))


WAYS: Mapping[str, Callable[[ToolCall], ToolReply]] = {
    "blame": _blame,
    "diff": _diff,
    "log": _log,
    "timeline": _timeline,
    "why": _why,
}
