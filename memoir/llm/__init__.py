"""Language models: what memoir asks of one, and the ones it can ask."""
