"""The version of memoir, as the package and what it writes name it."""

__version__ = "0.1.0"
