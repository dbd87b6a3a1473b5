"""Finding the right memories again: ranked without a model, with one call to one, or in tiers of calls."""
