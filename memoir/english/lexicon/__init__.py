"""The words of the trade and of people's lives: which concept a word, a phrase or a name speaks of.

The sources are text files that people read and extend, one a domain; `table.txt` is compiled from them.
"""
