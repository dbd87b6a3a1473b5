"""Logistic regression with a ridge, for the scripts that fit weights."""

from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"
_STEPS = 50
_ENOUGH = 1e-9
"""A step that changes no constant by more is the last."""


def fit_logistic(matrix: Array, right: Array, weight: Array, ridge: Array) -> Array:
    """The constants of a logistic regression, one for each column, by Newton's method.

    Args:
        matrix: The features, a row for each example.
        right: For each example 1 if it is right, else 0.
        weight: How much each example counts.
        ridge: How much each constant is held near 0.
    """
    constants = np.zeros(matrix.shape[1])
    for _ in range(_STEPS):
        sure = shares(matrix, constants)
        slope = matrix.T @ (weight * (right - sure)) - ridge * constants
        curve = (matrix.T * (weight * sure * (1 - sure))) @ matrix + np.diag(ridge)
        step = np.linalg.solve(curve, slope)
        constants = constants + step
        if np.abs(step).max() < _ENOUGH:
            break
    return constants


def shares(matrix: Array, constants: Array) -> Array:
    """How likely each example is right, by the constants."""
    return 1 / (1 + np.exp(-matrix @ constants))
