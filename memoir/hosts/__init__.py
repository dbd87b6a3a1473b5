"""The hosts that agents run in, such as Claude Code: their hooks, and what they hand over."""
