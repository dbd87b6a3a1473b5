"""The command line: one Typer tree over the services below. Parses, calls, prints."""
