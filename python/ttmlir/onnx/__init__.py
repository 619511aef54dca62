"""ONNX's own interface to what runs models: ``ttmlir.onnx.backend``.

``ttmlir.compile`` compiles models; needs the extra ``onnx``: ``pip install ttmlir[onnx]``.
"""
