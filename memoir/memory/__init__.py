"""What a memory is, and the services that read and write memories in a store."""
