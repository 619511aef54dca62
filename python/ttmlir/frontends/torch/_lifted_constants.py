"""Constants of exported programs that are also parameters or buffers."""

from __future__ import annotations

import copy

import torch
from torch.export.graph_signature import ExportGraphSignature, InputKind, InputSpec


def with_shared_inputs(exported: torch.export.ExportedProgram) -> torch.export.ExportedProgram:
    """Merges the inputs of a program that are the same tensor of the module.

    ``torch.export`` lifts tensors that are not attributes of the module, such as those in a
    transformers cache, as constants, even if they are also registered as buffers. PyTorch cannot
    decompose programs that modify such a tensor.
    """

    def tensor(spec: InputSpec) -> torch.Tensor | None:
        for source in (exported.state_dict, exported.constants):
            if isinstance(found := source.get(spec.target), torch.Tensor):
                return found
        return None

    specs = exported.graph_signature.input_specs
    owners = {
        id(tensor(spec)): spec.arg.name
        for spec in specs
        if spec.kind in (InputKind.PARAMETER, InputKind.BUFFER) and tensor(spec) is not None
    }
    shared = {
        spec.arg.name: owners[id(tensor(spec))]
        for spec in specs
        if spec.kind == InputKind.CONSTANT_TENSOR and id(tensor(spec)) in owners
    }
    if not shared:
        return exported
    module = copy.deepcopy(exported.graph_module)
    inputs = {node.name: node for node in module.graph.nodes if node.op == "placeholder"}
    for name, owner in shared.items():
        inputs[name].replace_all_uses_with(inputs[owner])
        module.graph.erase_node(inputs[name])
    module.recompile()
    kept = [spec for spec in specs if getattr(spec.arg, "name", None) not in shared]
    signature = ExportGraphSignature(kept, exported.graph_signature.output_specs)
    return exported._update(module, signature)
