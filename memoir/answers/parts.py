"""Parts of several answers: the fields of a path, a record and a commit, and their lines for people."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memoir.answers.answer import Line, Span, hint_line, line, local, plural, rows_of
from memoir.program import NAME, runnable, shell_word
from memoir.records.origins import author_of, origins_of, own_metadata, remark, voucher_note
from memoir.records.record import ABOUT, Record, active_facets, last_updated, projection
from memoir.taxonomy.paths import TAXONOMY_NAMESPACE

if TYPE_CHECKING:
    from memoir.answers.contract import shapes
    from memoir.english.named_days import NamedDay
    from memoir.records.record import Memory
    from memoir.types import Address, Commit, Cost, MemoryAddress, Oid, SignatureCheck, Usage

_MOST_UNITED = 5
"""How many paths a note names."""
DAY = len("2026-01-31")
"""The characters of a day, with which every time begins."""


def place(address: "Address") -> "shapes.Place":
    """The three fields that name a path."""
    return {"key": address.path, "namespace": address.namespace, "full_key": address.full_key}


def target(of: "MemoryAddress") -> "shapes.Target":
    """The fields that name a path, or one of several memories there."""
    return {**place(of.place), "id": of.id or None, "address": of.full_key}


def store_of(store: str, *, both: bool) -> "shapes.InStore":
    """Which of two stores something is in; nothing if only one was read."""
    return {"store": store} if both else {}


def own(store: str) -> Span:
    """The note behind a memory of the user's own store."""
    return ("  (in your own store)" if store == "user" else "", "dim")


def voucher(namespace: str, metadata: Mapping[str, Any]) -> Span:
    """The note behind a memory's key about its origin; empty for a passage, and if only an agent vouches for it."""
    return (f"  ({its})" if (its := remark(namespace, metadata)) else "", "dim")


def memory(facet: "Memory") -> "shapes.Memory":
    """The fields of one memory."""
    return {
        "content": facet.content,
        "confidence": facet.confidence,
        "timestamp": facet.timestamp,
        "status": facet.status,
        "origin": list(origins_of(facet.metadata)),
        **author(facet.metadata),
        "metadata": own_metadata(facet.metadata),
    }


def value(record: Record, address: "Address") -> "shapes.Value":
    """The record of a path as `get` shows it: one active memory, or the aggregate of several, each with its address."""
    superseded = sum(not facet.active for facet in record)
    if len(active := active_facets(record)) == 1:
        return {**memory(active[0]), "superseded": superseded}
    from memoir.memory.facets import with_ids
    from memoir.taxonomy.paths import MemoryAddress

    facets = with_ids(record)
    return {
        "content": projection(record),
        "memories": [
            {**memory(facet), **dates_of(facet), "id": identity, "address": MemoryAddress(address, identity).full_key}
            for identity, facet in facets
        ],
        "count": len(facets),
        "last_updated": last_updated(record),
        "superseded": superseded,
    }


def record_lines(key: str, record: Record) -> Iterable[Line]:
    """A record for people: its key, then each memory's time, confidence and metadata, and its content, indented.

    If there are several memories, each begins with its id. The speaker is not among the metadata: the content begins
    with the name.
    """
    from memoir.memory.facets import with_ids
    from memoir.memory.speaker import said, speaker

    yield line((key, "bold cyan"))
    for identity, facet in with_ids(record):
        name = speaker(facet.metadata)
        vouched = voucher_note("", facet.metadata)
        notes = [local(facet.timestamp), f"confidence {facet.confidence:g}", f"origin {vouched}"]
        notes += [] if facet.active else [facet.status]
        metadata = own_metadata(facet.metadata)
        own = ((field, part) for field, part in sorted(metadata.items()) if name is None or part != name)
        notes += [note for field, part in own for note in _notes(field, part)]
        yield line("  ", (f"#{identity}  " if identity else "", "yellow"), ("  ".join(notes), "dim"))
        for text in rows_of(said(facet.content, facet.metadata)):
            yield line("    " + text, means(text, facet.timestamp))


def common_source(addresses: Iterable["MemoryAddress"]) -> str:
    """The common beginning of the passages' keys; empty unless there are several, all of one source."""
    beginnings = [source_of(each) for each in addresses if each.names_passage]
    return beginnings[0] if len(beginnings) > 1 and len(set(beginnings)) == 1 else ""


def source_of(address: "MemoryAddress") -> str:
    """The beginning of a passage's key that all passages of its source share; empty for a memory."""
    return address.short_key[: address.short_key.rfind(".") + 1] if address.names_passage else ""


def key_below(address: "MemoryAddress", beginning: str) -> str:
    """The key of a memory; `~` replaces the `beginning` of a passage's key. `get` reads such keys as well."""
    return _below(address.short_key, beginning if address.names_passage else "")


def _below(key: str, beginning: str) -> str:
    return f"~{key.removeprefix(beginning)}" if beginning else key


def passage_lines(address: "MemoryAddress", beginning: str, passage: "Memory", above: str) -> Iterable[Line]:
    """A passage for people: its key, day, speaker and text, and the key at which the text goes on.

    `beginning` is as for `key_below`. The day is omitted if it is `above`, the day of the passage above.
    """
    day = passage.timestamp[:DAY]
    first, *others = rows_of(passage.content.replace(f" ({day}): ", ": ", 1))
    yield line(
        (key_below(address, beginning), "bold cyan"),
        (f" {day} " if day and day != above else " ", "dim"),
        first,
        means(first, passage.timestamp),
    )
    yield from (line("    " + text, means(text, passage.timestamp)) for text in others)
    if more := passage.metadata.get("goes_on"):
        yield line((f"    goes on: {_below(str(more), beginning)}", "dim"))


def in_days(days: Iterable["NamedDay"]) -> "shapes.InDays":
    """The field `dates`: the days that words such as `yesterday` mean."""
    dates: list[shapes.NamedDay] = [{"text": each.text, "from": each.first, "to": each.last} for each in days]
    return {"dates": dates} if dates else {}


def dates_of(memory: "Memory") -> "shapes.InDays":
    """The field `dates` of a memory."""
    from memoir.english.named_days import named_days

    return in_days(named_days(memory.content, memory.timestamp))


def means(text: str, said: str) -> Span:
    """The note behind a text: the days that its words mean, by the instant at which it was said."""
    from memoir.english.named_days import meaning, named_days

    return (meaning(named_days(text, said)), "green")


def author(metadata: Mapping[str, Any]) -> "shapes.OfRemote":
    """The field `author` of a memory that came from a remote."""
    return {"author": name} if (name := author_of(metadata)) else {}


def _notes(name: str, part: Any) -> Iterable[str]:
    """The fields of a memory's metadata for people: `name=value`, or `name.inner=value` if they are nested."""
    if words := in_words(name, part):
        yield f"about {words}" if name == ABOUT else words
    elif isinstance(part, Mapping):
        for inner, value in part.items():
            yield from _notes(f"{name}.{inner}", value)
    else:
        yield f"{name}={format_value(part)}"


def in_words(name: str, part: Any) -> str | None:
    """Describe a field that memoir itself writes; None for any other field and for a malformed one."""
    from memoir.records.metadata import FILING, IMPORTED

    if name == ABOUT:
        return ", ".join(code_notes(part)) or None
    if name == IMPORTED and isinstance(part, Mapping) and isinstance(kind := part.get("from"), str):
        return f"imported from {kind}"  # the id and the digest are for the next import
    return _filing(part) if name == FILING else None


def code_notes(part: Any) -> list[str]:
    """Describe the field `about`: each piece of code, and what became of it."""
    from memoir.anchors.mark import notes

    return notes({ABOUT: part})


def _filing(fields: Any) -> str | None:
    """How a memory came to its path; None if the field is malformed."""
    match fields:
        case {"by": "move", "from": str(path)}:
            return f"moved from {path}"
        case {"by": str(by), "confidence": int() | float() as confidence}:
            return f"filed by {by} ({confidence:.2f})"
    return None


def format_value(part: Any) -> str:
    """A metadata value for people."""
    if isinstance(part, str):
        return part
    if isinstance(part, list) and all(isinstance(each, str) for each in part):
        return ", ".join(part)
    import orjson

    return orjson.dumps(part).decode()


def changed_fields(address: "Address", old: Record, new: Record) -> list[str]:
    """The names of the JSON fields in which two records of a path differ."""
    before, after = value(old, address), value(new, address)
    return sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))


def nothing(items: Collection[object] | int, what: str = "nothing found") -> list[Line]:
    """The note about an empty answer."""
    return [] if items else [line((what, "dim"))]


def omitted_note(shown: int, omitted: int, noun: str, nouns: str | None = None) -> list[Line]:
    """The note about what a limit left out."""
    text = f"{plural(omitted, f'more {noun}', nouns and f'more {nouns}')} left out; --limit {shown + omitted} shows all"
    return [line((text, "yellow"))] if omitted else []


def united_lines(united: Sequence["Address"]) -> list[Line]:
    """The note about paths at which a merge keeps what both sides wrote."""
    names = ", ".join(address.short_key for address in united[:_MOST_UNITED])
    more = f" and {len(united) - _MOST_UNITED:,} more, which --json names" if len(united) > _MOST_UNITED else ""
    text = f"memories of both sides hold at {plural(len(united), 'path')}: {names}{more}"
    ways_out = {
        False: "'memoir get KEY' shows them, 'memoir replace KEY#id KEY#id' puts the second in the place of the first",
        True: "'memoir taxonomy add NAME --about TEXT' describes a category anew",
    }
    kinds = sorted({address.namespace == TAXONOMY_NAMESPACE for address in united})
    return [line((text, "yellow")), *(hint_line(ways_out[kind]) for kind in kinds)] if united else []


def total_line(total: int, namespaces: Mapping[str, int], apart: Mapping[str, str]) -> Line:
    """`5 paths in 2 namespaces`, without the namespaces in `apart`."""
    count = sum(name not in apart for name in namespaces)
    return line((plural(total, "path"), "bold"), f" in {plural(count, 'namespace')}")


def namespace_line(name: str, namespaces: Mapping[str, int], apart: Mapping[str, str]) -> Line:
    """A namespace with its number of paths, and a note if the total does not include them."""
    note = f"  ({apart[name]}, not in the total)" if name in apart else ""
    return line((f"{namespaces[name]:>8,}  ", "green"), (name, "bold cyan"), note)


def id_field(oid: "Oid | None") -> str | None:
    """An id as JSON has it, in hexadecimal; null if there is none."""
    return None if oid is None else str(oid)


def commit_fields(commit: "Commit | None") -> "shapes.CommitMade":
    """The two fields of a write's commit; null if nothing changed."""
    from memoir.times import from_epoch

    return {
        "commit_hash": str(commit.id) if commit else None,
        "commit_date": from_epoch(commit.committer.time) if commit else None,
    }


def written(commit: "Commit | None", *, dry_run: bool) -> "shapes.Written":
    """The fields of the commit that a write made; in a dry run there is none."""
    return {**commit_fields(commit), "dry_run": dry_run}


def short(commit: "Commit | None") -> str:
    """A commit's id for people."""
    return commit.id.short if commit else "unchanged"


def cost(of: "Cost | None") -> "shapes.Cost | None":
    """The cost of asking a model; None if no model would be asked."""
    return {"calls": of.calls, "input_tokens": of.input_tokens} if of else None


def usage(spent: "Usage") -> "shapes.Usage":
    """The tokens that a model used."""
    return {
        "calls": spent.calls,
        "input_tokens": spent.input_tokens,
        "output_tokens": spent.output_tokens,
        "cache_creation_input_tokens": spent.cache_creation_input_tokens,
        "cache_read_input_tokens": spent.cache_read_input_tokens,
    }


def led(command: str, word: str) -> str:
    """A command with its `memoir` replaced by `word`, which adds the options for the same store and branch."""
    return shell_word() + word.removeprefix(NAME) + command.removeprefix(NAME) if command else ""


def later() -> Line:
    """The note after many memories were added, if a learned embedder has yet to compute their vectors."""
    return line(("vectors: ", "dim"), runnable("the next recalls compute them; 'memoir index' does it now"))


def signature(check: "SignatureCheck") -> "shapes.Signature":
    """The fields of a commit's checked signature."""
    return {"status": check.status, "signer": check.signer, "key": check.key}


def signature_line(check: "SignatureCheck") -> Line:
    """A commit's checked signature, for people."""
    if check.status == "good":
        return line("Signed: ", (f"by {check.signer}", "green"), f"  {check.key}")
    texts = {
        "unknown": f"by a key that is not among the allowed signers'  {check.key}",
        "bad": "the signature does not belong to this commit",
        "unsupported": "not with SSH, and other signatures are not checked",
        "none": "no",
    }
    return line("Signed: ", (texts[check.status], "red" if check.status == "bad" else "yellow"))


STALE = "stale"
"""The word for an insight that is out of date."""


def stale_marks(is_stale: bool | None) -> list[Span]:
    """The note behind the key of an insight that is out of date."""
    return [(f"  ({STALE})", "yellow")] if is_stale else []


def passing_note(folder: Path) -> Iterator[Line]:
    """A warning if a new store will be deleted with its folder, such as a linked worktree."""
    from shlex import quote

    from memoir.store.locate import passing

    if found := passing(folder):
        command, lasting = found
        what = f"{command!r} deletes this store with its folder; to have one that stays and is found here too"
        yield line((runnable(f"{what}: 'memoir init {quote(str(lasting))}'"), "yellow"))
