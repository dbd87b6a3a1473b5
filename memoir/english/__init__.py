"""English: stop words, words and their stems, dates. Nothing here depends on memories."""
