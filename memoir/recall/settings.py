"""The settings of ranked recall, read together; `memoir.settings` declares them."""

from typing import NamedTuple

from memoir.setting import Config
from memoir.settings import (
    BM25_WEIGHT,
    CANDIDATE_POOL,
    FUSION,
    PERSON_BOOST,
    RECALL_LIMIT,
    RECALL_MODE,
    RERANK,
    RRF_K,
    TAU,
    TIME_BOOST,
    VECTOR_WEIGHT,
    check_together,
    decay_days,
)  # fmt: skip


class Settings(NamedTuple):
    """How candidates are found and weighed. `tau` is in days, 0 for no decay."""

    mode: str = RECALL_MODE.default
    fusion: str = FUSION.default
    rrf_k: float = RRF_K.default
    bm25_weight: float = BM25_WEIGHT.default
    vector_weight: float = VECTOR_WEIGHT.default
    candidate_pool: int = CANDIDATE_POOL.default
    k: int = RECALL_LIMIT.default
    tau: float = TAU.default
    person_boost: float = PERSON_BOOST.default
    time_boost: float = TIME_BOOST.default
    rerank: str = RERANK.default


def read(config: Config) -> Settings:
    """The settings of recall in a configuration.

    Raises:
        InvalidInput: a value is not what its setting must be, or two settings contradict each other.
    """
    check_together(config)
    return Settings(
        mode=RECALL_MODE.read(config),
        fusion=FUSION.read(config),
        rrf_k=RRF_K.read(config),
        bm25_weight=BM25_WEIGHT.read(config),
        vector_weight=VECTOR_WEIGHT.read(config),
        candidate_pool=CANDIDATE_POOL.read(config),
        k=RECALL_LIMIT.read(config),
        tau=decay_days(config),
        person_boost=PERSON_BOOST.read(config),
        time_boost=TIME_BOOST.read(config),
        rerank=RERANK.read(config),
    )
