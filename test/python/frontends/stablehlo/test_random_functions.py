"""The functions of ``jax.random`` draw the numbers that they draw on the CPU."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from oracle import assert_close
from ways import Way, both

CALLS: dict[str, tuple[Any, ...]] = {
    "ball": (3,),
    "bernoulli": (0.3, (5,)),
    "beta": (2.0, 3.0, (5,)),
    "binomial": (10, 0.4, (5,)),
    "bits": ((5,),),
    "categorical": (jnp.zeros((3, 4)),),
    "cauchy": ((5,),),
    "chisquare": (3.0, (5,)),
    "choice": (10, (4,)),
    "dirichlet": (jnp.ones(3), (2,)),
    "double_sided_maxwell": (0.0, 1.0, (4,)),
    "exponential": ((5,),),
    "gamma": (2.0, (4,)),
    "geometric": (0.3, (5,)),
    "gumbel": ((5,),),
    "laplace": ((5,),),
    "lognormal": (1.0, (5,)),
    "multivariate_normal": (jnp.zeros(2), jnp.eye(2)),
    "normal": ((5,),),
    "orthogonal": (3,),
    "permutation": (9,),
    "poisson": (3.0, (6,)),
    "rademacher": ((5,),),
    "randint": ((5,), 0, 9),
    "t": (3.0, (4,)),
    "truncated_normal": (-1.0, 1.0, (4,)),
    "uniform": ((4,),),
    "wald": (1.0, (4,)),
    "weibull_min": (1.0, 2.0, (4,)),
}
KINDS = ("rbg", "unsafe_rbg", "threefry2x32")


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("way", "name"), both((pytest.param(n, id=n) for n in CALLS), 10))
def test_draw(way: Way, name: str) -> None:
    def draw(key: Any) -> Any:
        return getattr(jax.random, name)(key, *CALLS[name])

    key = jax.random.key(1)
    assert_close(way.run(draw, (key,)), jax.jit(draw)(key), 1e-4)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("way", "kind"), both((pytest.param(k, id=k) for k in KINDS), 3))
def test_generator(way: Way, kind: str) -> None:
    def draw(seed: Any) -> Any:
        key = jax.random.key(seed, impl=kind)
        first, second = jax.random.split(key)
        number = jax.random.randint(jax.random.fold_in(first, 3), (5,), 0, 100)
        return jax.random.normal(key, (8,)), number, jax.random.bits(second, (4,), "uint8")

    seed = np.uint32(5)
    assert_close(way.run(draw, (seed,)), jax.jit(draw)(seed))
