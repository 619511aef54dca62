"""The tools, and what they read and write."""

from __future__ import annotations

from .table import CMakeOption, Exists, In, Listed, Page, Python, Row, Runs, Target

MULTIPLY = "test/ttmlir/Dialect/TTNN/simple_multiply.mlir"
SUBTRACT = "test/ttmlir/Dialect/TTNN/simple_subtract.mlir"
TO_EMITC = "--ttir-load-system-desc --ttir-layout --convert-ttir-to-ttnn --convert-ttnn-to-emitc"
NO_TORCH = "not needed: tensors are NumPy's, and torch is an optional extra"
FAQ_BUILD = "as on the page on building, where it has its rows"


def runs(lines: str) -> list[Row]:
    return [Runs(line) for line in lines.strip().splitlines()]


TOOLS = Page(
    "Tools",
    {
        "Tools": [
            Runs("./build/bin/ttmlir-opt --help"),
            Runs("ttrt --help"),
            Listed("tt-explorer", "another project's viewer"),
        ]
    },
)

OPT = Page(
    "ttmlir-opt",
    {
        "Simple Test": runs(f"""
./build/bin/ttmlir-opt --ttir-to-ttnn-backend-pipeline {MULTIPLY}
./build/bin/ttmlir-opt --ttir-to-ttmetal-backend-pipeline {MULTIPLY}
""")
    },
)

TRANSLATE = Page(
    "ttmlir-translate",
    {
        "Generate C++ code from MLIR": runs(f"""
./build/bin/ttmlir-opt {TO_EMITC} {MULTIPLY} -o c.mlir
./build/bin/ttmlir-translate -mlir-to-cpp c.mlir -allow-unregistered-dialect
./build/bin/ttmlir-opt {TO_EMITC} {MULTIPLY} | ./build/bin/ttmlir-translate -mlir-to-cpp -allow-unregistered-dialect
"""),  # noqa: E501
        "Generate flatbuffer file from MLIR": runs(f"""
./build/bin/ttmlir-opt --ttir-to-ttnn-backend-pipeline {MULTIPLY} -o ttnn.mlir
./build/bin/ttmlir-translate --ttnn-to-flatbuffer ttnn.mlir -o out.ttnn
"""),
    },
)

# The lines of a test are run by lit; here they are run one by one.
OF_SILICON = "test/ttmlir/Silicon/TTNN/simple_matmul.mlir"
TTRT = Page(
    "ttrt",
    {
        "Building": [Runs("source env/activate"), Target("ttrt"), Runs("ttrt --help")],
        "Installing ttrt as python whls": [
            Runs("python -m venv ttrt_env", instead="python -m venv --without-pip ttrt_env"),
            Runs("source ttrt_env/bin/activate"),
            Listed("pip install *.whl", "needs a built wheel; make wheel and check-install do it"),
        ],
        "Building runtime mode": [
            CMakeOption("TTMLIR_ENABLE_RUNTIME"),
            Listed("pip install torch", NO_TORCH),
        ],
        "Building perf mode": [
            Listed("-DTT_RUNTIME_ENABLE_PERF_TRACE=ON", "every build of the runtime can measure"),
            *(
                Listed(f"pip install {package}", "ttrt perf needs no package of its own")
                for package in ("torch", "loguru", "pandas", "seaborn", "graphviz", "pyyaml")
            ),
            Python("import click"),
        ],
        "Generate a flatbuffer file from compiler": runs(f"""
ttrt query --save-artifacts
./build/bin/ttmlir-opt --ttir-load-system-desc="path=/path/to/system_desc.ttsys" --ttir-to-ttnn-backend-pipeline {SUBTRACT} -o ttnn.mlir
./build/bin/ttmlir-opt --ttir-to-ttnn-backend-pipeline="system-desc-path=/path/to/system_desc.ttsys" {SUBTRACT} -o ttnn.mlir
./build/bin/ttmlir-translate --ttnn-to-flatbuffer ttnn.mlir -o out.ttnn
ttrt run /path/to/out.ttnn
"""),  # noqa: E501
        "Generate flatbuffer files using llvm-lit": [
            Runs("ttrt query --save-artifacts"),
            Runs("export SYSTEM_DESC_PATH=/path/to/system_desc.ttsys"),
            Target("check-ttmlir"),
            *runs("""
llvm-lit -v ./build/test/ttmlir/Silicon
SYSTEM_DESC_PATH=/path/to/system_desc.ttsys llvm-lit -v ./build/test/ttmlir/Silicon
ttrt run /path/to/test.ttnn
ttrt run /path/to/dir/of/flatbuffers
"""),
        ],
        "Adding llvm-lit config options inside a .mlir file": [
            In(
                '// RUN: ttmlir-opt --ttir-load-system-desc="path=%system_desc_path%" '
                "--ttir-implicit-device --ttir-layout --convert-ttir-to-ttnn %s",
                OF_SILICON,
            ),
            In("// RUN: FileCheck %s --input-file=%t.mlir", OF_SILICON),
            In("// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir > %t.ttnn", OF_SILICON),
        ],
        "Adding new mlir test cases": [Exists("test/ttmlir/Silicon")],
        "Versioning": [
            Runs(
                "vmajor.minor.patch",
                instead="ttrt read --section version out.ttnn | grep -E '[0-9]+\\.[0-9]+\\.[0-9]+'",
            ),
        ],
        "APIs": runs("ttrt --help")
        + [Runs(f"ttrt {api}", instead=f"ttrt {api} --help") for api in ("read", "run")]
        + [Runs("ttrt query")]
        + [Runs(f"ttrt {api}", instead=f"ttrt {api} --help") for api in ("perf", "check")],
        "Command Line": [
            Runs(
                "TT_MLIR_HOME",
                instead="mkdir home && TT_MLIR_HOME=$PWD/home ttrt query --save-artifacts && "
                "test -f home/ttrt-artifacts/system_desc.ttsys",
            ),
        ],
        "read": runs("""
ttrt read --help
ttrt read --section mlir out.ttnn
ttrt read --section cpp out.ttnn
ttrt read --section version out.ttnn
ttrt read --section system_desc out.ttnn
ttrt read --section inputs out.ttnn
ttrt read --section outputs out.ttnn
ttrt read --section all out.ttnn
ttrt read --section all out.ttnn --clean-artifacts
ttrt read --section all out.ttnn --save-artifacts
ttrt read --section all /dir/of/flatbuffers
ttrt read system_desc.ttsys
ttrt read --section system_desc system_desc.ttsys
ttrt read system_desc.ttsys --log-file ttrt.log
"""),
        # --identity compares inputs with outputs: out.ttnn is then a program that changes nothing.
        "run": runs("""
ttrt run --help
ttrt run out.ttnn
ttrt run out.ttnn --seed 0
ttrt run out.ttnn --init arange
""")
        + [
            Runs(line, instead=line.replace("out.ttnn", "given/out.ttnn"))
            for line in (
                "ttrt run out.ttnn --identity",
                "ttrt run out.ttnn --identity --rtol 1 --atol 1",
            )
        ]
        + runs("""
ttrt run out.ttnn --clean-artifacts
ttrt run out.ttnn --save-artifacts
ttrt run out.ttnn --loops 10
ttrt run --program-index all out.ttnn
ttrt run --program-index 0 out.ttnn
ttrt run /dir/of/flatbuffers
ttrt run /dir/of/flatbuffers --loops 10
ttrt run /dir/of/flatbuffers --log-file ttrt.log
"""),
        "query": runs("""
ttrt query --help
ttrt query --save-artifacts
ttrt query --clean-artifacts
ttrt query --save-artifacts --log-file ttrt.log
"""),
        "perf": runs("""
ttrt perf --help
ttrt perf out.ttnn
ttrt perf out.ttnn --clean-artifacts
ttrt perf out.ttnn --save-artifacts
ttrt perf out.ttnn --loops 10
ttrt perf --program-index all out.ttnn
ttrt perf --program-index 0 out.ttnn
ttrt perf --host-only out.ttnn
ttrt perf /dir/of/flatbuffers --host-only
ttrt perf /dir/of/flatbuffers --loops 10 --host-only
ttrt perf /dir/of/flatbuffers --log-file ttrt.log --host-only
"""),
        "check": runs("""
ttrt check --help
ttrt check out.ttnn
ttrt check out.ttnn --system-desc /path/to/system_desc.ttsys
ttrt check out.ttnn --clean-artifacts
ttrt check out.ttnn --save-artifacts
ttrt check out.ttnn --log-file ttrt.log
ttrt check /dir/of/flatbuffers --system-desc /dir/of/system_desc
"""),
        "ttrt as a python package": [
            Python("from ttrt.common.api import API"),
            Python("API.initialize_apis()"),
            Python(
                "custom_args = API.Query.registered_args\n"
                'custom_args["clean-artifacts"] = True\n'
                "query_instance = API.Query(args=custom_args)"
            ),
            Python(
                'custom_args = { "clean-artifacts": True }\n'
                "query_instance = API.Query(args=custom_args)"
            ),
            Python(
                "from ttrt.common.util import Logger\n"
                'log_file_name = "some_file_name.log"\n'
                "custom_logger = Logger(log_file_name)\n"
                "read_instance = API.Read(logging=custom_logger)"
            ),
            Python(
                "from ttrt.common.util import Artifacts\n"
                'log_file_name = "some_file_name.log"\n'
                'artifacts_folder_path = "/opt/folder"\n'
                "custom_logger = Logger(log_file_name)\n"
                "custom_artifacts = Artifacts(logging=custom_logger, "
                "artifacts_folder_path=artifacts_folder_path)\n"
                "run_instance = API.Run(artifacts=custom_artifacts)"
            ),
            Python("query_instance()"),
            # As printed they name no file.
            Python("read_instance()", before='read_instance["binary"] = "/path/to/out.ttnn"'),
            Python("run_instance()", before='run_instance["binary"] = "/path/to/out.ttnn"'),
        ],
        "Putting it all together": [
            Python(
                "from ttrt.common.api import API\n"
                "from ttrt.common.util import Logger\n"
                "from ttrt.common.util import Artifacts\n"
                "API.initialize_apis()\n"
                "custom_args = API.Run.registered_args\n"
                'custom_args["clean-artifacts"] = True\n'
                'custom_args["save-artifacts"] = True\n'
                'custom_args["loops"] = 10\n'
                'custom_args["init"] = "randn"\n'
                'custom_args["binary"] = "/path/to/subtract.ttnn"\n'
                'log_file_name = "some_file_name.log"\n'
                "custom_logger = Logger(log_file_name)\n"
                'artifacts_folder_path = "/opt/folder"\n'
                "custom_artifacts = Artifacts(logging=custom_logger, "
                "artifacts_folder_path=artifacts_folder_path)\n"
                "run_instance = API.Run(args=custom_args, logging=custom_logger, "
                "artifacts=custom_artifacts)"
            ),
        ],
        "Flatbuffer version does not match ttrt version!": [
            In("does not match flatbuffer", "docs/src/ttrt.md"),
        ],
        "System desc does not match flatbuffer!": [
            In("system desc for device did not match flatbuffer", "docs/src/ttrt.md"),
        ],
        "I just want to test and push my commit!": [
            Runs("source env/activate"),
            Listed("cmake -G Ninja -B build ...", FAQ_BUILD),
            Target("all"),
            Target("ttrt"),
            Runs("ttrt query --save-artifacts"),
            Runs("export SYSTEM_DESC_PATH=/path/to/system_desc.ttsys"),
            Target("check-ttmlir"),
            Runs("ttrt run build/test/ttmlir/Silicon"),
            Runs("ttrt perf build/test/ttmlir/Silicon"),
        ],
    },
)

EXPLORER = Page("tt-explorer", why="another project's viewer, with a link to it and no command")

FLATBUFFERS = Page(
    "Flatbuffers",
    {
        "Flatbuffers": [
            Runs(".ttsys", instead="ttrt read given/system_desc.ttsys"),
            Runs(".ttnn", instead="ttrt read given/out.ttnn"),
            Runs(
                ".ttb",
                instead="./build/bin/ttmlir-opt --ttir-to-ttmetal-backend-pipeline "
                f"{MULTIPLY} | ./build/bin/ttmlir-translate --ttmetal-to-flatbuffer -o out.ttb && "
                "ttrt read out.ttb && ttrt run out.ttb",
            ),
        ]
    },
)

LABELS = "a label of another project's machines"
CI = Page(
    "ci",
    {
        "Key Words": [
            Python(
                "assert {'n150', 'n300'} <= set(targets)",
                before="from ttmlir import targets\ntargets = targets()",
            ),
        ],
        "GitHub Runner CI Tags": [
            Listed("builder, runner", LABELS),
            Listed("bare-metal, virtual-machine", LABELS),
            Python(
                "assert {'wormhole_b0', 'blackhole'} <= {str(arch) for arch in tt.Arch}",
                before="from ttmlir.dialects import tt",
            ),
            Listed("perf, functional", LABELS),
            Listed("in-service, out-of-service", LABELS),
            Python("assert 't3000' in targets"),
            Listed("tg, tgg", "announced there, and no system of the emulator"),
            Listed("-silicon-n150-0, -silicon-n150-1, -silicon-n300-0-0", LABELS),
            In("push:", ".github/workflows/ci.yml"),
            In("pull_request:", ".github/workflows/ci.yml"),
        ],
        "CI Test Flow": [
            Runs("ttrt query --save-artifacts"),
            Runs("llvm-lit -v ./build/test/ttmlir/Silicon"),
            Runs("ttrt run build/test/ttmlir/Silicon"),
        ],
        "Adding a test": [
            Exists("test/ttmlir/Silicon"),
            Listed(
                "REQUIRES: ..., UNSUPPORTED: ...", "announced there; every test runs everywhere"
            ),
        ],
    },
)

PAGES = [TOOLS, OPT, TRANSLATE, TTRT, EXPLORER, FLATBUFFERS, CI]
