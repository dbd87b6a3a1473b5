"""The explorer's pages: each module reads what a page shows, within bounds, and names its template."""
