"""`Repository`: memoir as a library. Its parts are imported on demand."""
