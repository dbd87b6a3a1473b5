"""The commands, thin: parse, call, answer. A module for each family, and for each command with helpers of its own."""
