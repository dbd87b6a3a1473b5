"""`python -m memoir`."""

from memoir.cli.main import main

main()
