"""Capture: texts of sessions are kept in a local spool, and rules propose memories from them."""
