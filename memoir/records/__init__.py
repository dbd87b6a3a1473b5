"""What a memory is: its record, its metadata, its merge policy, and damaged records."""
