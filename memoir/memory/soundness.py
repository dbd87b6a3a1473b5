"""The check of keys and records that come from elsewhere, before a store takes them."""

from collections.abc import Mapping

from memoir.errors import DamagedStore, InvalidInput
from memoir.memory.layer_namespaces import mark_problem
from memoir.records import record
from memoir.taxonomy.paths import LAYERS_NAMESPACE, MAX_KEY_BYTES, Address, check_namespace, check_path, from_key


def fault(key: bytes, value: bytes | None) -> str | None:
    """The fault of a stored key, or of the record there if it is given; None if there is none."""
    place = from_key(key)
    try:
        check_namespace(place.namespace)
        check_path(place.path)
    except InvalidInput as error:
        return error.message
    if len(key) > MAX_KEY_BYTES:
        return f"the key takes {len(key)} bytes, {MAX_KEY_BYTES} are allowed"
    if place.namespace == LAYERS_NAMESPACE:
        return mark_problem(place, value)
    return None if value is None else record.problem(value)


def refuse_faults(values: Mapping[Address, bytes]) -> None:
    """Refuse records that are not sound.

    Raises:
        DamagedStore: one is not sound; the first is named.
    """
    for place, value in values.items():
        if problem := fault(place.key, value):
            raise DamagedStore(f"the record at {place.full_key} is damaged: {problem}")
