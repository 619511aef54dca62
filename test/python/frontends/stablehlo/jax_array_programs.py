"""More programs as people write them: random numbers, orders, NumPy's functions, matrices."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, nn, random
from jax_programs import ints, number, program

# Random numbers ----------------------------------------------------------------------------------


@program(number(7, np.uint32))
def random_numbers(seed: Any) -> Any:
    keys = random.split(random.key(seed), 5)
    return (
        random.normal(keys[0], (16, 16)),
        random.uniform(keys[1], (7, 5), minval=-2),
        random.bernoulli(keys[2], 0.3, (64,)),
        random.randint(keys[3], (33,), 0, 1000),
        random.truncated_normal(keys[4], -1, 1, (20,)),
    )


@program(number(3, np.uint32), (4, 32))
def random_choices(seed: Any, logits: Any) -> Any:
    key = random.PRNGKey(seed)
    first, second = random.split(random.fold_in(key, 9))
    return random.categorical(first, logits), random.permutation(second, 16)


@program(number(1, np.uint32))
def initializers(seed: Any) -> Any:
    keys = random.split(random.key(seed), 2)
    return [
        nn.initializers.glorot_normal()(keys[0], (32, 16)),
        nn.initializers.orthogonal()(keys[1], (8, 8)),
    ]


# Orders and places -------------------------------------------------------------------------------


@program((6, 40))
def orders(x: Any) -> Any:
    return jnp.sort(x), jnp.argsort(x, descending=True), lax.top_k(x, 5), jnp.median(x, axis=1)


@program((5, 30))
def running(x: Any) -> Any:
    return (
        jnp.cumsum(x, 1),
        jnp.cumprod(x, 0),
        lax.cummax(x, 1),
        lax.cummin(x, 1, reverse=True),
        lax.cumlogsumexp(x, 1),
    )


@program((64, 16), ints((8,), 64), (8, 16))
def updates(x: Any, i: Any, u: Any) -> Any:
    at = x.at[i]
    return (
        at.add(u),
        x.at[jnp.sort(i)[::-1]].max(u),
        at.min(u),
        x.at[3:7].set(0),
        x.at[1, ::2].multiply(2),
    )


@program((20, 16), ints((4, 6), 20), (32, 4), ints((32,), 8))
def bags(table: Any, words: Any, values: Any, segments: Any) -> Any:
    return (
        table[words].sum(1),
        jax.ops.segment_sum(values, segments, 8),
        jax.ops.segment_max(values, segments, 8),
    )


@program((30,), ints((24,), 5))
def searches(x: Any, n: Any) -> Any:
    ordered = jnp.sort(x)
    return (
        jnp.searchsorted(ordered, jnp.linspace(-1, 1, 9)),
        jnp.bincount(n, length=5),
        jnp.histogram(x, bins=6, range=(-3, 3))[0],
        jnp.unique(n, size=5, fill_value=-1),
        jnp.nonzero(x > 0, size=30)[0],
        jnp.interp(jnp.linspace(-1, 1, 5), ordered, x),
    )


@program((64, 8), (4, 8))
def clusters(x: Any, centres: Any) -> Any:
    own = jnp.argmin(jnp.square(x[:, None] - centres).sum(-1), axis=1)
    share = nn.one_hot(own, 4)
    return share.T @ x / jnp.maximum(share.sum(0), 1)[:, None], own


# NumPy's functions -------------------------------------------------------------------------------


@program((8, 16))
def shapes(x: Any) -> Any:
    return (
        jnp.pad(x, ((1, 2), (0, 3)), constant_values=1.5),
        jnp.pad(x, 2, mode="reflect"),
        jnp.flip(x, 0),
        jnp.roll(x, (3, -2), (0, 1)),
        jnp.tile(x, (2, 1)),
        jnp.repeat(x, 3, 0),
        jnp.stack(jnp.split(x, 4, 1)),
        jnp.rot90(x),
        jnp.kron(x[:2, :2], x[:3, :3]),
        x[::2, ::-3],
        jnp.meshgrid(x[0], x[:, 0]),
        jnp.triu(x, 1),
    )


@program((8, 16))
def numbers(x: Any) -> Any:
    return (
        jnp.clip(x, 0, 1),
        jnp.round(x * 3),
        jnp.mod(x, 3.0),
        jnp.floor_divide(x, 0.7),
        jnp.linalg.norm(x),
        jnp.isnan(jnp.sqrt(x)),
        jnp.arctan2(x, x + 1),
        jnp.sinh(x),
        jnp.std(x, 0),
        jnp.hypot(x, 2.0),
        jnp.nan_to_num(jnp.log(x)),
        jnp.prod(x, 1),
        x.argmax(1),
        (x > 0).any(1),
        jnp.where(x > 0, x, 0).astype(jnp.int8),
        jnp.abs(x * 50).astype(jnp.uint8),
        jnp.quantile(x, 0.3, axis=1),
        jnp.logaddexp(x, 1.0),
    )


@program(ints((6, 7), 1000), ints((6, 7), 30))
def integers(a: Any, b: Any) -> Any:
    return (
        a // (b + 1),
        a % (b + 1),
        a << (b % 5),
        a >> 2,
        a ^ b,
        ~a & b,
        a**2,
        lax.population_count(a),
        lax.clz(b),
    )


@program((8, 16))
def activations(x: Any) -> Any:
    return [
        f(x)
        for f in (
            nn.elu,
            nn.silu,
            nn.softplus,
            nn.mish,
            nn.hard_swish,
            nn.leaky_relu,
            nn.log_softmax,
            nn.selu,
            nn.celu,
            nn.relu6,
            nn.gelu,
            nn.log_sigmoid,
            nn.soft_sign,
            nn.standardize,
        )
    ] + [nn.logsumexp(x, -1), nn.gelu(x, approximate=False)]


@program(lambda rng: (rng.random((8, 16)) * 3 + 0.1).astype(np.float32))
def special_functions(x: Any) -> Any:
    from jax.scipy import special

    return (
        special.gammaln(x), special.digamma(x), special.erf(x), special.erfc(x),
        special.erfinv(x / 4), special.i0e(x), special.i1e(x), special.expit(x),
        special.gammainc(x, 1.5), special.zeta(x + 1.5, 2.0), special.polygamma(1, x),
        special.xlogy(x, x), special.entr(x), special.betaln(x, 2.0), special.logit(x / 4),
    )  # fmt: skip


@program((2, 8, 8, 4))
def resized_images(x: Any) -> Any:
    return [jax.image.resize(x, (2, 16, 12, 4), kind) for kind in ("linear", "nearest", "cubic")]


@program(
    lambda rng: rng.integers(-128, 127, (32, 32)).astype(np.int8),
    lambda rng: rng.integers(-128, 127, (32, 24)).astype(np.int8),
)
def products_of_8_bits(a: Any, b: Any) -> Any:
    return lax.dot(a, b, preferred_element_type=jnp.int32)


@program((3, 4, 5, 6), (5, 3, 7))
def contractions(a: Any, b: Any) -> Any:
    return jnp.einsum("abcd,cae->edb", a, b), jnp.tensordot(a, b, ((0, 2), (1, 0))), jnp.vdot(b, b)


# Matrices ----------------------------------------------------------------------------------------


@program((12, 12), (12, 3), tolerance=1e-4)
def linear_systems(a: Any, b: Any) -> Any:
    positive = a @ a.T + 5 * jnp.eye(12)
    factor = jax.scipy.linalg.cho_factor(positive)
    return (
        jax.scipy.linalg.cho_solve(factor, b),
        jnp.linalg.solve(positive, b),
        jnp.linalg.inv(positive),
        jnp.linalg.slogdet(positive)[1],
        jnp.linalg.qr(a)[1],
        jax.scipy.linalg.expm(a * 0.1),
    )


@program((9, 6), tolerance=1e-4)
def values_of_matrices(a: Any) -> Any:
    return (
        jnp.linalg.svd(a, compute_uv=False),
        jnp.linalg.eigvalsh(a.T @ a),
        jnp.linalg.pinv(a),
        jnp.linalg.matrix_rank(a),
        jnp.linalg.lstsq(a, a[:, 0])[0],
    )
