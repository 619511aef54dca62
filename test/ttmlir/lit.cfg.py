"""lit configuration: tools come from the build tree, FileCheck and not from LLVM."""

import os

import lit.formats

config.name = "ttmlir"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.ttmlir_binary_dir, "test", "ttmlir")

# With --param verify_roundtrip=1 every module is also printed, parsed and compared, as text and as
# bytecode. Files whose point is invalid IR are left out of that leg by their -errors suffix.
opt = "ttmlir-opt"
if lit_config.params.get("verify_roundtrip"):
    opt += " --verify-roundtrip"
    config.excludes += [
        name
        for _, _, names in os.walk(config.test_source_root)
        for name in names
        if name.endswith("-errors.mlir") or name.endswith(".test")
    ]

config.substitutions += [
    (r"\bttmlir-opt\b", opt),
    ("%system_desc_path%", os.environ.get("SYSTEM_DESC_PATH", "")),
    ("%python", config.python_executable),
    ("%source_root", config.ttmlir_source_dir),
    ("%schema", os.path.join(config.ttmlir_binary_dir, "schema")),
]
config.environment["PATH"] = os.pathsep.join(
    [
        os.path.join(config.ttmlir_binary_dir, "bin"),
        config.llvm_tools_dir,
        os.environ.get("PATH", ""),
    ]
)
