"""Tools for agents built on a model's SDK. Each imports its SDK only when it is used."""

from typing import TYPE_CHECKING, Any

__all__ = ["AsyncMemoryTool", "MemoryTool"]

if TYPE_CHECKING:
    from memoir.memory_tool.async_memory_tool import AsyncMemoryTool
    from memoir.memory_tool.memory_tool import MemoryTool


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'memoir.memory_tool' has no attribute {name!r}")
    from memoir.memory_tool import async_memory_tool

    return getattr(async_memory_tool, name)
