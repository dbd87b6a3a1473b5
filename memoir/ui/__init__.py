"""The HTTP API of `memoir serve`, and the pages of `memoir ui`.

Only these two commands import it, and with it Starlette, uvicorn and Jinja2.
"""
