"""The JSON contract and the human rendering of every answer."""

SCHEMA_VERSION = 1
