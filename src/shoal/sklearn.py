"""A transformer for scikit-learn: the features of a training table, k-anonymous.

It needs `pip install shoal[sklearn]`. docs/python.md says what it promises and what not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.api.anonymize import anonymize
from shoal.errors import InputError
from shoal.policy.policy import Policy
from shoal.types.algorithm import Algorithm
from shoal.types.model import PrivacyModel

try:
    from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
    from sklearn.utils.validation import check_is_fitted, validate_data
except ModuleNotFoundError:
    raise InputError("shoal.sklearn needs scikit-learn. Install shoal[sklearn].") from None

HEIGHT = 5  # levels above the lowest, which cuts the range of a feature into 2**HEIGHT intervals
Numbers = npt.NDArray[np.float64]


class Anonymizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Replaces each number by the middle of an interval, so that `k` training rows look alike.

    `fit` cuts the range of each feature into 32 intervals and joins them, two by two, until every
    row looks like at least `k` - 1 others in all features; the result is verified as every release
    is. `transform` replaces the numbers of any table by the middles of the same intervals; those
    beyond the range of the training table fall into the first or the last. `privacy` gives other
    models than k-anonymity that need no sensitive column. No row is left out: scikit-learn needs
    them all. After `fit`, `levels_` says how often the intervals of each feature were joined, and
    `verdict_` what was verified.

    >>> Anonymizer(k=2).fit_transform([[20.0], [22.0], [50.0], [52.0]]).ravel().tolist()
    [22.0, 22.0, 50.0, 50.0]
    """

    def __init__(
        self,
        k: int = 5,
        *,
        privacy: Sequence[PrivacyModel | Mapping[str, Any]] | None = None,
        algorithm: str | Mapping[str, Any] | Algorithm = "flash",
    ) -> None:
        self.k = k
        self.privacy = privacy
        self.algorithm = algorithm

    def fit(self, X: Any, y: Any = None) -> Anonymizer:
        """Choose the intervals of each feature; `y` is not looked at."""
        policy = self._policy(1)
        table = validate_data(self, X, dtype=np.float64, ensure_min_samples=max(1, int(self.k)))
        self.low_ = table.min(axis=0)
        self.step_ = (table.max(axis=0) - self.low_) / 2**HEIGHT
        policy = self._policy(table.shape[1])
        release = anonymize(
            pl.DataFrame(self._codes(table), schema=list(policy.columns), orient="row"),
            policy=policy,
            progress=False,
        )
        levels = release.summary().get("levels")
        if levels is None:
            raise InputError("The Anonymizer needs a full-domain algorithm, such as flash.")
        self.levels_ = np.array([levels[name] for name in policy.columns], dtype=np.int64)
        self.verdict_ = release.verdict
        return self

    def transform(self, X: Any) -> Numbers:
        """The middle of the interval that each number is in."""
        check_is_fitted(self)
        table = validate_data(self, X, dtype=np.float64, reset=False)
        width = 2**self.levels_
        middles: Numbers = self.low_ + (self._codes(table) // width + 0.5) * width * self.step_
        return middles

    def _codes(self, table: Numbers) -> npt.NDArray[np.int64]:
        """The number of the lowest interval that each value is in."""
        step = np.where(self.step_ > 0, self.step_, 1.0)
        with np.errstate(over="ignore", invalid="ignore"):
            places = np.nan_to_num((table - self.low_) / step)
        codes: npt.NDArray[np.int64] = np.clip(np.floor(places), 0, 2**HEIGHT - 1).astype(np.int64)
        return codes

    def _policy(self, n_features: int) -> Policy:
        models = [{"model": "k-anonymity", "k": self.k}] if self.privacy is None else self.privacy
        widths = [2**level for level in range(1, HEIGHT)]
        column = {"role": "quasi", "hierarchy": {"intervals": widths}}
        return Policy.of_mapping(
            {
                "columns": {f"x{i}": column for i in range(n_features)},
                "privacy": models,
                "algorithm": self.algorithm,
            }
        )
