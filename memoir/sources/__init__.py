"""Read conversations, chats and documents of people and hosts, as turns and sections."""
