"""The lexicon: maps words, phrases and names of work and private life to concepts.

The sources are text files that people read and extend, one a domain; `table.txt` is compiled from them.
"""
