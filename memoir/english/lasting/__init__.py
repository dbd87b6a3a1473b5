"""What lasts: which sentences and clauses of sessions, chats and documents are worth keeping, and as what."""
