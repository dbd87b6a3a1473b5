"""The version of memoir, for the package and the files that it writes."""

__version__ = "0.1.0"
