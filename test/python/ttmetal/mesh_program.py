"""mesh_program.py <file.ttm>: a program of two chips for mutation, with a collective of the
executor and kernels that send to the other chip."""

from __future__ import annotations

import sys

import ttmlir


def program() -> ttmlir.Executable:
    b = ttmlir.Builder(mesh_shape=(1, 2))
    x = b.mesh_shard(b.input("x", (32, 64)), (None, 1))
    y = b.all_reduce(x, cluster_axis=1)
    z = b.collective_permute(y, [(0, 1), (1, 0)])
    b.output(b.mesh_gather(b.all_gather(z, dim=1, cluster_axis=1), (None, None)))
    return ttmlir.compile(
        b, backend="ttmetal", target="n300", use_all_gather_kernel=True, grid=(1, 1)
    )


if __name__ == "__main__":
    program().save(sys.argv[1])
