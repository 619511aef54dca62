"""Functions of JAX: traced and lowered to StableHLO.

Needs the extra ``jax``: ``pip install ttmlir[jax]``.
"""

try:
    import jax  # noqa: F401
except ImportError as error:
    message = f"ttmlir.frontends.jax needs JAX: pip install ttmlir[jax] ({error})"
    raise ImportError(message) from None
