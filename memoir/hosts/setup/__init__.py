"""`memoir setup`: what hosts need in their configuration, put there and taken away again."""
