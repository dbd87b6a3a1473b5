"""Benchmarks: each prints a table; none passes or fails.

Run them from the root of a checkout, with the interpreter of an environment that memoir is
installed in (not editable, so that its bytecode is compiled):

    python -m venv /tmp/bench && /tmp/bench/bin/pip install .
    /tmp/bench/bin/python -m benchmarks.figures
    /tmp/bench/bin/python -m benchmarks.prollytree_stores --peer-python /path/to/python
    /tmp/bench/bin/python -m benchmarks.recall_quality DATASET_DIR
    /tmp/bench/bin/python -m benchmarks.recall_latency
"""
