"""The limits of a conversion, and the process that works within them: `python -m memoir.layers.limits FILE`."""

import resource
import sys

MAX_BYTES = 64 << 20
"""The largest source, and the most text that is made of one."""
MAX_UNPACKED = 256 << 20
"""The most bytes that an archive may unpack to."""
SECONDS = 60
"""The processor time of a conversion."""
_MEMORY = 2 << 30
"""The memory of a conversion, in bytes of address space."""


def main(file: str) -> None:
    """Print a document as Markdown."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    from markitdown import MarkItDown

    text = MarkItDown(enable_plugins=False).convert_local(file).markdown
    sys.stdout.buffer.write(text.encode("utf-8", "replace")[: MAX_BYTES + 1])


if __name__ == "__main__":
    main(sys.argv[1])
