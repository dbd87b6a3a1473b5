"""What an agent should know when a session begins: `memoir prime`."""
