"""Capture: what hosts hand over is kept in a local spool, and what of it is worth remembering is found by rules."""
