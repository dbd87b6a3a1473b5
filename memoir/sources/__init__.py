"""Reading what people and hosts have: conversations, chats and documents, as turns and sections."""
