"""The index: full text and vectors of one snapshot, derived from the store; it can be deleted at any time.

Everything in it comes from the store and is rebuilt from there. The memories in answers are read from the store, never
from the index.
"""
