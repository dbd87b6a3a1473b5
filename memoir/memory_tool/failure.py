"""The failure of a tool, in words for the model."""


class ToolFailure(Exception):
    """A tool's answer with `is_error`. The SDK shows a model an exception's `repr`, so that is the bare message."""

    def __repr__(self) -> str:
        return str(self)


def no_such_path(path: str) -> ToolFailure:
    """The failure of a command on a path that holds nothing."""
    return ToolFailure(f"The path {path} does not exist. Please provide a valid path.")
