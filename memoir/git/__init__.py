"""The formats of git and the one door to it: objects, refs, logs, locks. Only `git.py` starts git."""
