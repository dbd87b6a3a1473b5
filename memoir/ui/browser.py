"""Opening a link in the user's browser."""

import os
import sys


def open_link(link: str) -> bool:
    """Ask a browser with windows to open a link; one in the terminal would take the terminal from the server."""
    has_windows = sys.platform == "darwin" or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")))
    if not has_windows:
        return False
    import webbrowser

    return webbrowser.open(link)
