"""Remember JSON lines through memoir-ai's library, without its classifier.

    python -I fill_peer.py FOLDER FILE together|each

`each` makes one commit a memory, as its command `remember` does; `together` one in all.
"""

import asyncio
import importlib
import json
import sys


async def fill(folder: str, file: str, *, together: bool) -> None:
    """Remember every line."""
    service = importlib.import_module("memoir.services.memory_service").MemoryService(folder)
    store = service._get_store()
    store.auto_commit = not together
    with open(file, "rb") as lines:
        for line in map(json.loads, lines):
            await service.remember(line["content"], path=line["path"])
    if together:
        store.commit("fill")


if __name__ == "__main__":
    asyncio.run(fill(sys.argv[1], sys.argv[2], together=sys.argv[3] == "together"))
