"""The work of each tool: arguments in, one call of a `Repository` method, an answer out."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from memoir.answers.answer import one_line
from memoir.answers.parts import in_days
from memoir.english.named_days import named_days
from memoir.errors import InvalidInput
from memoir.mcp.call import Fields, ToolCall, ToolReply, hint_of_tools, provenance
from memoir.memory.facets import id_at, with_ids
from memoir.memory.speaker import said
from memoir.program import runnable
from memoir.records.origins import AGENT, CAPTURE, IMPORT, best_of, own_metadata
from memoir.taxonomy.paths import Address, MemoryAddress, is_glob

if TYPE_CHECKING:
    from memoir.filing.decision import Decision
    from memoir.filing.similar import SimilarMemory
    from memoir.filing.suggest import NearPath
    from memoir.memory.facets import PathRecord
    from memoir.memory.survey import Survey
    from memoir.recall.query import QueryFields as Options
    from memoir.recall.result import IntelligentSearchResult
    from memoir.repository.repository import Repository

_MOST_NAMESPACES = 20
"""How many namespaces an overview names, the largest first."""
_MOST_SIMILAR = 3
_LONGEST_SIMILAR = 200
"""The similar memories that are quoted beside a new one, and the characters of each."""


def recall(call: ToolCall) -> ToolReply:
    """A line for each memory, as in `recall --lean`; `degraded` names fallbacks, `weak` means that none fits well.

    `standing` has the standing instructions of users that concern the question.
    """
    from memoir.answers.hits import FOR_PREFIX, common_origin, hit_texts, shared_beginning, standing_lines
    from memoir.recall.relevance import binding, fits, not_shown

    arguments = call.arguments
    options: Options = {"limit": arguments.get("limit"), "namespace": list(call.namespaces), "at": call.at}
    options["gather"], options["strict"] = arguments.get("gather", False), arguments.get("strict", False)
    if "keys" in arguments:
        options["keys"] = [arguments["keys"]]
    answer = call.repository.recall(arguments["query"], joined=False, **options)
    fields: Fields = {"degraded": "; ".join(answer.degraded)} if answer.degraded else {}
    if not fits(answer):
        fields["weak"] = True
    if origin := common_origin(answer):
        fields["origin"] = origin
    prefix, _ = shared_beginning([each.key for each in answer.memories])
    if prefix:
        fields[FOR_PREFIX] = prefix
    texts = [text + _note(hit) for text, hit in zip(hit_texts(answer, prefix=prefix), answer.memories, strict=True)]
    if standing := not_shown(binding(answer.query, answer.standing), "\n".join(texts)):
        fields["standing"] = ["".join(text for text, _ in each) for each in standing_lines(standing)]
    return ToolReply(fields, "memories", texts)


def _note(hit: "IntelligentSearchResult") -> str:
    """The source of a captured or imported hit, if it has one, in the primer's form."""
    if best_of(hit.metadata) not in (CAPTURE, IMPORT):
        return ""
    from memoir.primer.length import named_source

    place = named_source(hit.metadata)
    return f"  ({place})" if place else ""


def summarize(call: ToolCall) -> ToolReply:
    """Counts by prefix, or the paths that match a glob."""
    arguments = call.arguments
    globs = [arguments["keys"]] if "keys" in arguments else []
    depth = arguments.get("depth") if globs else arguments.get("depth", 1)
    survey = call.repository.summarize(call.namespaces, depth=depth, globs=globs, at=call.at)
    fields = _counts(survey)
    if survey.user:
        fields["user"] = _counts(survey.user)
    return ToolReply(fields, "found", [*_rows(survey, "project"), *(_rows(survey.user, "user") if survey.user else ())])


def _rows(survey: "Survey", store: str) -> Iterator[Fields]:
    """The prefixes of a survey with their counts, and the keys that match."""
    for name, prefixes in survey.prefixes.items():
        for prefix, count in prefixes.items():
            yield {"prefix": Address(name, prefix).short_key, **_of(store), "count": count}
    for name, paths in survey.matches.items():
        yield from ({"key": Address(name, path).short_key, **_of(store)} for path in paths)


def get(call: ToolCall) -> ToolReply:
    """Memories by path or glob; a path without a memory comes with the nearest one as a hint."""
    keys = call.arguments["keys"]
    for key in keys:
        namespace, colon, path = key.rpartition(":")
        call.target(namespace + colon + ("any" if is_glob(path) else path))
    items = call.repository.get_many(keys, namespace=call.home, at=call.at)
    shown = (item for item in items if call.shows(item.address))
    return ToolReply({}, "items", (fields for item in shown for fields in _items(call, item)))


def _items(call: ToolCall, item: "PathRecord") -> Iterator[Fields]:
    """The memories of a path, each with an address of its own if there are several."""
    if item.record is None:
        yield {"key": item.target.short_key, "found": False, "hint": _hint(call, item.target)}
        return
    for identity, memory in with_ids(item.record):
        key = item.target._replace(id=identity or item.id).short_key
        fields = {"confidence": memory.confidence, "timestamp": memory.timestamp}
        fields |= {"metadata": own} if (own := own_metadata(memory.metadata)) else {}
        content = said(memory.content, memory.metadata)
        where = provenance(item.target.place.namespace, memory.metadata)
        dates = in_days(named_days(memory.content, memory.timestamp))
        yield {"key": key, **_of(item.store), **where, **fields, **dates, "content": content}


def _of(store: str) -> Fields:
    """The field `store` of a memory that is not in the project's store."""
    return {"store": store} if store != "project" else {}


def _hint(call: ToolCall, target: MemoryAddress) -> str:
    if is_glob(target.path):
        return "no path matches"
    return runnable(hint_of_tools(call.repository.hint(target.full_key, at=call.at)))


def suggest(call: ToolCall) -> ToolReply:
    """The paths nearest to a text; if none of them is near, categories as well."""
    found = call.repository.suggest(call.arguments["text"], namespace=call.home)
    fields: Fields = {"weak": found.weak}
    if found.categories:
        fields["categories"] = [
            {"key": Address(call.home, path).short_key, "confidence": round(confidence, 4), "about": about}
            for path, confidence, about in found.categories
        ]
    if found.degraded:
        fields["degraded"] = "; ".join(found.degraded)
    return ToolReply(fields, "paths", map(_near_path, found.paths))


def _near_path(each: "NearPath") -> Fields:
    example = one_line(each.example, _LONGEST_SIMILAR)
    return {"key": each.address.short_key, "score": round(each.score, 4), "memories": each.memories, "content": example}


def remember(call: ToolCall) -> ToolReply:
    """Store a memory, with the client as its source, in the project's store or in the user's own."""
    from memoir.repository.repository import Repository

    if not call.arguments.get("global"):
        return _remember(call, call.repository)
    with Repository.open_user(origin=AGENT) as own:
        reply = _remember(call, own)
    return reply._replace(fields={**reply.fields, **_of("user")})


def _remember(call: ToolCall, repository: "Repository") -> ToolReply:
    from memoir.records.record import Memory

    arguments = call.arguments
    keys = [call.place(arguments["key"]).full_key] if "key" in arguments else []
    new = Memory.of(arguments["content"], confidence=arguments.get("confidence", 1.0), metadata={"source": call.client})
    done = repository.remember(
        new,
        *keys,
        namespace=call.home,
        policy=arguments.get("policy"),
        replace_similar=arguments.get("replace_similar", False),
        about=arguments.get("about", ()),
    )
    old_contents = [facet.content for outcome in done.outcomes.values() for facet in outcome.superseded]
    address, outcome = next(iter(done.outcomes.items()))
    is_active = all(outcome.new_is_active for outcome in done.outcomes.values())
    return ToolReply(
        {
            "key": MemoryAddress(address, id_at(outcome.record, outcome.at)).short_key,
            "commit": str(done.commit.id) if done.commit else None,
            "active": is_active,
            **({"replaced": len(old_contents)} if old_contents and is_active else {}),
            **({"moved_from": done.moved_from.short_key} if done.moved_from else {}),
            **(_unfiled(done.decision, address.namespace) if done.decision else {}),
            **_beside([*done.neighbours(outcome).values()]),
            **({"similar": list(map(_similar, done.similar[:_MOST_SIMILAR]))} if done.similar else {}),
            **({"names": list(done.named)} if done.named else {}),
            **({"degraded": done.degraded} if done.degraded else {}),
        }
    )


def _unfiled(decision: "Decision", namespace: str) -> Fields:
    """The likeliest paths for a memory in the inbox, and how to file it; no fields if it was filed."""
    if decision.placements:
        return {}
    offers = [Address(namespace, each.path).short_key for each in decision.offers]
    one = "a key, perhaps one of these," if offers else "a key of your own"
    return {"offers": offers, "hint": f"repeat remember with {one} to file it"}


def _beside(neighbours: Sequence[str]) -> Fields:
    """The newest content of the other memories at the path, and their number."""
    return {"beside": one_line(neighbours[-1], _LONGEST_SIMILAR), "beside_count": len(neighbours)} if neighbours else {}


def _similar(each: "SimilarMemory") -> Fields:
    """The fields of a memory that the new one may be meant to replace."""
    memory = each.facet.memory
    return {
        "key": each.facet.target.short_key,
        "relation": each.relation,
        **({"newer": True} if each.is_newer else {}),
        "timestamp": memory.timestamp,
        "content": one_line(memory.content, _LONGEST_SIMILAR),
    }


def lexicon(call: ToolCall) -> ToolReply:
    """Add to the store's own words, which apply to all namespaces."""
    if call.namespace:
        raise InvalidInput(
            f"this server shows the namespace {call.namespace!r} only", "the whole store has one lexicon"
        )
    done = call.repository.lexicon.add(call.arguments["line"])
    commit = str(done.commit.id) if done.commit else None
    return ToolReply({"added": [each.text for each in done.lines], "commit": commit})


def forget(call: ToolCall) -> ToolReply:
    """Remove memories; history keeps them."""
    keys = [call.target(key).full_key for key in call.arguments["keys"]]
    done = call.repository.forget(*keys)
    return ToolReply(
        {"keys": [target.short_key for target in done.addresses], "commit": str(done.commit and done.commit.id)}
    )


def status(call: ToolCall) -> ToolReply:
    """The store, its branch and its counts."""
    state = call.repository.status()
    survey = call.repository.summarize()
    counts = {name: count for name, count in survey.namespaces.items() if call.namespace in (None, name)}
    return ToolReply(
        {
            "path": state.path,
            "branch": state.branch,
            "commit": str(state.commit.id) if state.commit else None,
            "commit_count": state.commit_count,
            **_counts(survey._replace(namespaces=counts)),
        }
    )


def _counts(survey: "Survey") -> Fields:
    namespaces = survey.namespaces
    largest = sorted(namespaces, key=lambda name: -namespaces[name])[:_MOST_NAMESPACES]
    more = len(namespaces) - len(largest)
    return {
        "path_count": survey.total,
        "namespaces": {name: namespaces[name] for name in largest},
        **({"more_namespaces": more} if more else {}),
    }
