"""Text generation with whole decoder models on emulated chips.

Needs the extra ``llm``: ``pip install ttmlir[llm]``.

    from ttmlir import llm

    model = llm.load("folder", users=2)
    print(model.generate(["Once upon a time", "The"], max_new_tokens=20).texts)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ttmlir.llm._accuracy import TokenAccuracy as TokenAccuracy
    from ttmlir.llm._accuracy import accuracy as accuracy
    from ttmlir.llm._estimate import Estimate as Estimate
    from ttmlir.llm._model import Generation as Generation
    from ttmlir.llm._model import Model as Model
    from ttmlir.llm._model import Speed as Speed
    from ttmlir.llm._model import Token as Token
    from ttmlir.llm._model import load as load
    from ttmlir.llm._plan import Choice as Choice
    from ttmlir.llm._plan import plan as plan

# The module of each public name.
_HOMES = {
    "Choice": "_plan",
    "Estimate": "_estimate",
    "Generation": "_model",
    "Model": "_model",
    "Speed": "_model",
    "Token": "_model",
    "TokenAccuracy": "_accuracy",
    "accuracy": "_accuracy",
    "load": "_model",
    "plan": "_plan",
}

__all__ = list(_HOMES)


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'ttmlir.llm' has no attribute '{name}'")
    from importlib import import_module

    try:
        import torch  # noqa: F401
        import transformers  # noqa: F401
    except ImportError as error:
        message = f"ttmlir.llm needs PyTorch and transformers: pip install ttmlir[llm] ({error})"
        raise ImportError(message) from None
    return getattr(import_module(f"ttmlir.llm.{_HOMES[name]}"), name)
