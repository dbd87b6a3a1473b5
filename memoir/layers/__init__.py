"""What memories come from, segments and items, and what they belong to: threads, entities, insights."""
