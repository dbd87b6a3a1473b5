"""Time decay: exp(-age / tau), the older the less."""

import math

_DAY = 86_400.0
_LEAST = 1e-12
"""However old, a memory is only put behind others, never out of sight."""


def recency(now: float, learnt: float, tau: float) -> float:
    """The factor for a memory learnt at an instant (seconds since 1970), for a `tau` in days; 1 without decay (0).

    At an age of tau it is 1/e; at one of tau * ln 2, the half-life, 0.5. What lies ahead counts as now.
    """
    return max(math.exp(-max(now - learnt, 0.0) / (tau * _DAY)), _LEAST) if tau else 1.0
