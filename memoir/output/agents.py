"""The answers of `prime`, `hook` and `mcp`."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from memoir.output.answer import Answer, Line, line
from memoir.output.shared import place

if TYPE_CHECKING:
    from memoir.hosts.dialects import Host
    from memoir.output.contract import agents as types
    from memoir.primer.primer import Primer


def prime(found: "Primer") -> Answer:
    """`prime`: the text, how long it is, and the memories that it quotes."""
    data: types.Prime = {
        "text": found.text,
        "characters": len(found.text),
        "tokens": found.tokens,
        "sections": [{"name": each.name, "memories": list(map(place, each.places))} for each in found.sections],
        "degraded": found.degraded,
    }
    return Answer(data, lambda: [line(each) for each in found.text.splitlines()])


def hooks(hosts: "Mapping[str, Host]") -> Answer:
    """`hook` without a host: the hosts, each with the events that are answered."""
    data: types.Hooks = {
        "hosts": [{"host": name, "events": list(host.events)} for name, host in hosts.items()],
        "count": len(hosts),
    }

    def human() -> Iterable[Line]:
        for name, host in hosts.items():
            yield line((f"{name:<10}", "bold"), " ".join(host.events))

    return Answer(data, human)


def served(calls: int) -> Answer:
    """`mcp`, after its client has gone: how many calls it answered. People see nothing."""
    data: types.Mcp = {"calls": calls}
    return Answer(data)
