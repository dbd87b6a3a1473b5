"""What other tools keep: readers that bring their memories in, and writers that give memories back to them."""
