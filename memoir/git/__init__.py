"""Git: its objects, refs, logs and locks, and running it. Only `git.py` starts git."""
