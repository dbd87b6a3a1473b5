"""Paths and categories: the grammar of paths, globs, the kinds of memory, the default taxonomy."""
