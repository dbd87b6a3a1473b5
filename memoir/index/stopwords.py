"""English words that tell no memory from another; a query's are not searched for."""

STOP_WORDS = frozenset(
    """
    a about after again all also am an and any are as at be because been before being but by can could did do
    does doing don done down each else for from get got had has have having he her here hers him his how i if in
    into is it its just let like ll m may me might more most must my no nor not now of off on once one only or
    other our ours out over own re s said same say says shall she should so some such t than that the their
    theirs them then there these they this those through to too under until up upon us ve very was we were what
    when where which while who whom whose why will with would you your yours
    """.split()  # noqa: SIM905
)
