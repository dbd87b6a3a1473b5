"""The limits of a conversion, and the process that works within them: `python -m memoir.layers.limits ENDING`."""

import os
import resource
import sys
from io import BytesIO

MAX_BYTES = 64 << 20
"""The largest source, and the most text that is made of one."""
MAX_UNPACKED = 256 << 20
"""The most bytes that an archive may unpack to."""
SECONDS = 60
"""The processor time of a conversion."""
NO_CONVERTER = 3
"""The exit status if markitdown, or what it needs, is missing."""
_MEMORY = 2 << 30
"""The memory of a conversion, in bytes of address space."""


def main(ending: str) -> None:
    """Print the document on standard input as Markdown, and nothing that its converter prints besides."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with os.fdopen(os.dup(1), "wb") as answer:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        try:
            from markitdown import MarkItDown, StreamInfo
        except ImportError:
            raise SystemExit(NO_CONVERTER) from None
        document = BytesIO(sys.stdin.buffer.read())
        text = MarkItDown(enable_plugins=False).convert_stream(document, stream_info=StreamInfo(extension=ending))
        answer.write(text.markdown.encode("utf-8", "replace")[: MAX_BYTES + 1])


if __name__ == "__main__":
    main(sys.argv[1])
