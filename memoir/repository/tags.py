"""`repository.tags`: listing, creating and deleting tags."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memoir.errors import MemoirError
from memoir.git.objects import Oid
from memoir.git.ref_names import TAGS
from memoir.repository.door import Part

if TYPE_CHECKING:
    from memoir.git.refs import Ref


class Tags(Part):
    """The tags of a store."""

    def list(self, glob: str | None = None) -> list[Ref]:
        """List the tags, or those whose names match a glob."""
        from fnmatch import fnmatchcase

        return [tag for tag in self._store.refs.list(TAGS) if glob is None or fnmatchcase(tag.name, glob)]

    def create(self, name: str, revision: str | None = None) -> Oid:
        """Tag a revision, by default the newest commit, and return the commit's id.

        Raises:
            Conflict: the tag exists. InvalidInput: it cannot have this name. NotFound: there is no such revision.
            MemoirError: there is no commit yet.
        """
        commit = self._store.at(revision).commit
        if commit is None:
            raise MemoirError("there is no commit to tag yet", "remember something first")
        self._store.refs.create("tag", name, commit.id)
        return commit.id

    def delete(self, name: str) -> Oid:
        """Delete a tag and return the id of the commit it named.

        Raises:
            NotFound: there is no such tag.
        """
        return self._store.refs.delete("tag", name)
