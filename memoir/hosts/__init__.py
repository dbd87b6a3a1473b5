"""The hosts that agents run in, such as Claude Code: their setup, hooks and payloads."""
