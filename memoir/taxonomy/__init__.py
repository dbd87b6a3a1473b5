"""Where memories live: the grammar of paths, globs over them, the kinds of memory."""
