"""Largest values within limits, nearly: a linear program by a primal-dual first-order method."""

from typing import NamedTuple

import numpy as np

from shoal.kernels._compile import kernel


class Program(NamedTuple):
    """Maximise gains · values, where 0 <= values <= ceilings, and each limit is kept:
    sum of factors · values over its items `items[begins[i]:begins[i + 1]]` <= most[i].
    """

    gains: np.ndarray  # float64[values]
    ceilings: np.ndarray  # float64[values]
    items: np.ndarray  # int32
    factors: np.ndarray  # float64
    begins: np.ndarray  # int64[limits + 1]
    most: np.ndarray  # float64[limits]


class Steps(NamedTuple):
    """How far to go: by what stands in a column, and in a row, of the program."""

    of_values: np.ndarray  # float64[values]
    of_prices: np.ndarray  # float64[limits]


@kernel
def step_sizes(program):
    """Program -> Steps (Pock and Chambolle 2011, with alpha = 1)."""
    of_values = np.zeros(len(program.gains))
    of_prices = np.zeros(len(program.most))
    for i in range(len(of_prices)):
        for at in range(program.begins[i], program.begins[i + 1]):
            of_values[program.items[at]] += abs(program.factors[at])
            of_prices[i] += abs(program.factors[at])
    for i in range(len(of_values)):
        of_values[i] = 1 / max(of_values[i], 1.0)
    for i in range(len(of_prices)):
        of_prices[i] = 1 / max(of_prices[i], 1.0)
    return Steps(of_values, of_prices)


@kernel
def ascend(program, steps, values, prices, totals, n_steps):
    """Steps of Chambolle and Pock's method. OUT values, prices; totals: both added up."""
    gains, ceilings, items, factors, begins, most = program
    sum_of_values, sum_of_prices = totals
    pull = np.empty(len(values))
    ahead = np.empty(len(values))
    for _ in range(n_steps):
        pull[:] = gains
        for i in range(len(most)):
            if prices[i] > 0:
                for at in range(begins[i], begins[i + 1]):
                    pull[items[at]] -= prices[i] * factors[at]
        for j in range(len(values)):
            value = min(max(values[j] + steps.of_values[j] * pull[j], 0.0), ceilings[j])
            ahead[j] = 2 * value - values[j]
            values[j] = value
            sum_of_values[j] += value
        for i in range(len(most)):
            excess = -most[i]
            for at in range(begins[i], begins[i + 1]):
                excess += factors[at] * ahead[items[at]]
            prices[i] = max(prices[i] + steps.of_prices[i] * excess, 0.0)
            sum_of_prices[i] += prices[i]
