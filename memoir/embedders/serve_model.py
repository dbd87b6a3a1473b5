"""A program that embeds texts with the model in a folder, for `memoir.embedders.vector_process.ModelProcess`."""

import sys
from array import array
from pathlib import Path

from memoir.embedders.minilm import read_model
from memoir.embedders.vector_process import serve


def main() -> None:
    """Embed each text from standard input, and print its vector."""
    model = read_model(Path(sys.argv[1]))
    serve(lambda text: array("f", model.embed(text)), sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    main()
