"""What memories are about in the code beside a store, and whether the code is still as it was."""
