"""Memories tied to the code of the project around a store, and changes of that code."""
