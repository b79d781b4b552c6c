"""Ranked lists and judgements in; the usual figures of retrieval, and how sure they are, out.

recall@k and average precision as in Manning, Raghavan and Schütze (2008), ch. 8; nDCG with linear
gain and log2 discount (Järvelin and Kekäläinen 2002) as trec_eval computes it; the paired
bootstrap over queries after Efron and Tibshirani (1993) and Sakai (2006). All of them are 0 to 1.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from typing import NamedTuple

Judged = Mapping[str, float]
"""Grade by key; what is absent or not above 0 is not relevant."""

RESAMPLES = 2_000
"""Bootstrap samples: the ends of the interval then hold to about two in the third place."""


def recall(ranked: Sequence[str], judged: Judged, k: int) -> float:
    """The share of all relevant ones that are among the first k."""
    wanted = {key for key, grade in judged.items() if grade > 0}
    return len(wanted.intersection(ranked[:k])) / len(wanted) if wanted else 0.0


def ndcg(ranked: Sequence[str], judged: Judged, k: int) -> float:
    """Normalised discounted cumulative gain of the first k."""
    gains = [max(judged.get(key, 0.0), 0.0) for key in ranked[:k]]
    best = sorted((grade for grade in judged.values() if grade > 0), reverse=True)[:k]
    ideal = _discounted(best)
    return _discounted(gains) / ideal if ideal else 0.0


def reciprocal(ranked: Sequence[str], judged: Judged) -> float:
    """One over the rank of the first relevant one; its mean over queries is MRR."""
    ranks = (rank for rank, key in enumerate(ranked, 1) if judged.get(key, 0.0) > 0)
    return 1 / first if (first := next(ranks, 0)) else 0.0


def average_precision(ranked: Sequence[str], judged: Judged) -> float:
    """The mean over all relevant ones of the precision at their rank; its mean is MAP."""
    wanted = sum(grade > 0 for grade in judged.values())
    found, total = 0, 0.0
    for rank, key in enumerate(ranked, 1):
        if judged.get(key, 0.0) > 0:
            found += 1
            total += found / rank
    return total / wanted if wanted else 0.0


def _discounted(gains: Sequence[float]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


class Gain(NamedTuple):
    """The mean difference of two runs over the same queries, its 95 % interval, how many wins."""

    mean: float
    low: float
    high: float
    better: int
    worse: int

    @property
    def sure(self) -> bool:
        """Whether the interval is all on one side of nothing."""
        return self.low > 0 or self.high < 0


def gain(one: Sequence[float], other: Sequence[float], *, seed: int = 7) -> Gain:
    """How much better `one` is than `other`, query by query, by the paired bootstrap."""
    differences = [a - b for a, b in zip(one, other, strict=True)]
    count = len(differences)
    if not count:
        return Gain(0.0, 0.0, 0.0, 0, 0)
    chance = random.Random(seed)
    means = sorted(sum(chance.choices(differences, k=count)) / count for _ in range(RESAMPLES))
    low, high = means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES) - 1]
    better, worse = sum(d > 0 for d in differences), sum(d < 0 for d in differences)
    return Gain(sum(differences) / count, low, high, better, worse)
