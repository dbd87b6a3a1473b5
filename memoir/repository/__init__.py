"""`Repository`: memoir as a library. A command that needs a part of it only imports that part."""
