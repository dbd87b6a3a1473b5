"""The derived index: full text and vectors of one snapshot, disposable at any time.

Everything in it comes from the store and is rebuilt from there; nothing is read out of it that an
answer shows as a memory.
"""
