"""The prolly tree: nodes as git trees, their shape, editing and comparing them."""
