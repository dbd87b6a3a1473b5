"""memoir over the Model Context Protocol: seven tools on standard input and output.

Only `memoir.mcp.server` imports the protocol's SDK, and only when it serves.
"""
