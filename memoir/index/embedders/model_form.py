"""`ModelForm`: how a sentence-transformer is run."""

from typing import Literal, NamedTuple

Runner = Literal["prollytree", "onnx"]
"""What runs a model: prollytree, or ONNX Runtime of the extra `onnx`."""


class ModelForm(NamedTuple):
    """How a model is run.

    Attributes:
        title: What it is called, for people.
        runner: What runs it.
        pooling: How the vectors of tokens become one: `mean`, `cls`, `max` or `last`.
        dimensions: The length of a vector; 0 where the files do not say.
        tokens: How many tokens of a text are read.
        document: What is written before a memory.
        query: What is written before a query.
        lowercase: Whether texts are put in small letters first.
    """

    title: str
    runner: Runner
    pooling: str
    dimensions: int
    tokens: int
    document: str = ""
    query: str = ""
    lowercase: bool = False
