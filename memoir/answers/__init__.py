"""The JSON contract and the human rendering of every answer."""
