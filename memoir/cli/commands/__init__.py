"""The commands: each parses, calls a service and answers. A module for each family, and for commands with helpers."""
