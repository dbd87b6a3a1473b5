"""The primer, which tells an agent what it should know when a session begins: `memoir prime`."""
