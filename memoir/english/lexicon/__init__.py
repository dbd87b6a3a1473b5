"""The words of the trade and of people's lives: which concept a word, a phrase or a name speaks of.

`table.txt` is compiled from text files that people read and extend, one a domain: `scripts/concepts/`.
"""
