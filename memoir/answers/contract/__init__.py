"""The JSON contract: the type of every answer. `scripts/schemas.py` writes docs/schema/ from these."""
