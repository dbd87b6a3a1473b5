"""What memoir knows of English: little words, words and their stems, dates. It knows nothing of memories."""
