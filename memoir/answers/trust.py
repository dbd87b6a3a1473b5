"""The answers of `prove`, `verify` and `purge`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from memoir.answers.answer import COMMAND, Answer, Line, line, local, plural
from memoir.answers.parts import id_field, place, record_lines, signature, signature_line, value
from memoir.errors import ExitCode
from memoir.records.damage import read_or_empty
from memoir.taxonomy.paths import Address, from_key
from memoir.times import from_epoch

if TYPE_CHECKING:
    from memoir.answers.contract import trust as types
    from memoir.types import Proof, Purge, Record, Verification


def prove(proof: "Proof", *, as_text: bool) -> Answer:
    """`prove`: the proof, as the text to keep or as a field."""
    if as_text:
        return Answer({}, stream=iter([bytes(proof) + b"\n"]), exact=True)
    data: types.Prove = {**_subject(proof), "proof": bytes(proof).decode()}
    return Answer(data, lambda: [_proved(proof)], optional=True)


def _proved(proof: "Proof") -> Line:
    what = "holds no memory at" if proof.value is None else "holds these memories at"
    return line(("proved: ", "green"), f"commit {proof.commit} {what} {from_key(proof.key).full_key}")


def _subject(proof: "Proof") -> "types.Subject":
    return {"commit": str(proof.commit), **place(from_key(proof.key)), "found": proof.value is not None}


def verify(result: "Verification") -> Answer:
    """`verify`: what was proved, and why the commit can be trusted, if that is known."""
    proof, commit = result.proof, result.commit
    address, record = from_key(proof.key), read_or_empty(proof.value)
    data: types.Verify = {
        **_subject(proof),
        "record": None if proof.value is None else proof.value.decode(),
        "value": value(record, address) if record else None,
        "author": commit.author.name,
        "email": commit.author.email,
        "date": from_epoch(commit.author.time),
        "message": commit.message,
        "expected": result.is_expected,
        "signature": signature(result.signature) if result.signature else None,
    }
    return Answer(data, lambda: _lines(result, address, record))


def _lines(result: "Verification", address: Address, record: "Record") -> Iterator[Line]:
    proof, commit = result.proof, result.commit
    yield _proved(proof)
    yield line(f"named author: {commit.author.name} <{commit.author.email}>, {local(from_epoch(commit.author.time))}")
    if result.signature:
        yield signature_line(result.signature)
    if result.is_expected:
        yield line("it is the commit that was asked for")
    elif not result.signature:
        yield line(("whether to trust this commit is for you to decide: compare its id, or give --signers", "yellow"))
    if record:
        yield line()
        yield from record_lines(address.short_key, record)
    elif proof.value is not None:
        yield line((f"the record has a format that this memoir cannot read: {proof.value.decode()[:200]!r}", "yellow"))


def purge(done: "Purge") -> Answer:
    """`purge`: what was removed, the changed ids, and what to do elsewhere; exit 1 if something is left."""
    search = done.search
    data: types.Purge = {
        "dry_run": search is None,
        "memories": [{**place(each.address), "action": each.action} for each in done.values],
        "count": len(done.values),
        "commits": len(done.commits),
        "refs": [{"ref": ref, "old": str(old), "new": id_field(new)} for ref, (old, new) in done.refs.items()],
        "map": done.map,
        "signatures_lost": list(map(str, done.unsigned)),
        "files": list(done.files),
        "too_short": list(done.too_short),
        "absent": list(done.absent),
        "remotes": [
            {"remote": each.remote, "branch": each.branch, "commit": str(each.commit), "command": each.command}
            for each in done.remotes
        ],
        "searched": {"objects": search.objects, "files": search.files} if search else None,
        "left": search.found if search else [],
    }
    status = ExitCode.FAILURE if search and search.found else ExitCode.OK
    is_done = not (done.too_short or done.absent or done.remotes or done.unsigned)
    return Answer(data, lambda: _purge_lines(done), status, optional=bool(search and not search.found and is_done))


def _purge_lines(done: "Purge") -> Iterator[Line]:
    would = "" if done.search else "would be "
    for each in done.values:
        yield line((f"{would}{each.action}: ", "red"), each.address.full_key)
    branches = sum(ref.startswith("refs/heads/") for ref in done.refs)
    yield line(f"{plural(len(done.commits), 'commit')} {would}rewritten, on {plural(branches, 'branch', 'branches')}")
    yield from (line(f"{would}cleaned: {file}") for file in done.files)
    if done.unsigned:
        yield line((f"{plural(len(done.unsigned), 'signature')} {would}lost, since ids change", "yellow"))
    if done.too_short:
        words = ", ".join(map(repr, done.too_short))
        yield line((f"too short to search other texts for: {words}", "yellow"))
    yield from (line((f"there was nothing of {each}", "yellow")) for each in done.absent)
    if done.search:
        yield from _search_lines(done)
    for trace in done.remotes:
        kind = "ref" if trace.branch.startswith("refs/") else "branch"
        has = "may have" if trace.branch.startswith(("refs/tags/", "refs/memoir/tags/")) else "has"
        yield line((f"{trace.remote} {has} it in its {kind} {trace.branch!r}; to replace that there:", "yellow"))
        yield line("  ", (trace.command, COMMAND))
    if done.remotes:
        yield line("the old objects stay there until 'git gc --prune=now' runs there")
    yield line("every other clone has it, too: purge it there in the same way, or delete it and clone again")
    if not done.search:
        yield line(("nothing was changed; --yes in place of --dry-run does it", "bold"))


def _search_lines(done: "Purge") -> Iterator[Line]:
    assert done.search
    counts = f"{plural(done.search.objects, 'object')} and {plural(done.search.files, 'file')} searched"
    if done.search.found:
        yield line((f"{counts}; it is still in:", "red"))
        yield from (line(f"  {name}") for name in done.search.found)
    else:
        yield line((f"{counts}: nothing of it is left", "green"))
    yield line(f"old and new ids: {done.map}")
