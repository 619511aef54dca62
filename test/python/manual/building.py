"""Introduction, building, containers."""

from __future__ import annotations

from .table import CMakeOption, Exists, In, Listed, Page, Python, Reads, Row, Runs, Target

ROOT_RIGHTS = "needs the rights of root; docs/src/install.md has the packages for this project"
MACOS = "macOS; the project is for Linux"
NO_CONTAINERS = "needs a container engine; test_containers.py is about the file"

MODULE = """
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
module attributes {tt.system_desc = #tt.system_desc<[<#tt.arch<wormhole_b0>, #tt.grid<8x8>>], [0], [<pcie|host_mmio>], [<0, 0, 0, 0>]>} {
  func.func @forward(%arg0: tensor<64x128xf32>, %arg1: tensor<64x128xf32>) -> tensor<64x128xf32> {
    %0 = tensor.empty() : tensor<64x128xf32>
    %1 = "ttir.multiply"(%arg0, %arg1, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
    return %1 : tensor<64x128xf32>
  }
}
"""  # noqa: E501 (as printed)

INTRODUCTION = Page(
    "Introduction",
    {
        "MLIR Primitives": [
            Reads(MODULE),
        ],
        "Affine Dialect": [Reads("affine_map<(x, y) -> (y, x)>")],
        "Built-in MLIR Dialects": [
            Python(
                "for name in ('arith', 'func', 'tosa', 'scf', 'emitc', 'linalg', 'tensor'):\n"
                "    assert name in dialects",
                before="import subprocess\n"
                "shown = subprocess.run(['./build/bin/ttmlir-opt', '--show-dialects'], "
                "capture_output=True, text=True).stdout\n"
                "dialects = set(shown.partition('Available Dialects:')[2].strip().split(','))",
            ),
            Listed("affine", "its maps belong to MLIR itself; no program has ops of the dialect"),
        ],
        "TT-Explorer": [Listed("TT-Explorer", "another project's viewer")],
    },
)

BUILDING = Page(
    "Building",
    {
        "Environment setup": [
            Runs("cmake -B env/build env"),
            Runs("cmake --build env/build", instead="cmake --build env/build -- -n"),
            Listed("sudo mkdir -p /opt/ttmlir-toolchain", ROOT_RIGHTS),
            Listed("sudo chown -R $USER /opt/ttmlir-toolchain", ROOT_RIGHTS),
        ],
        "Build": [
            Runs("source env/activate"),
            Runs(
                "cmake -G Ninja -B build -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=clang-17 "
                "-DCMAKE_CXX_COMPILER=clang++-17",
                # With the machine's compiler.
                instead="cmake -G Ninja -S <checkout> -B configured -DCMAKE_BUILD_TYPE=Release "
                "-DPython3_EXECUTABLE=<python>",
                needs="ninja",
            ),
            CMakeOption("CMAKE_BUILD_TYPE"),
            Target("all"),
            CMakeOption("TTMLIR_ENABLE_RUNTIME"),
            Listed("-DTT_RUNTIME_ENABLE_PERF_TRACE=ON", "every build of the runtime can measure"),
            CMakeOption("CMAKE_CXX_COMPILER_LAUNCHER"),
            CMakeOption("TTMLIR_ENABLE_BINDINGS_PYTHON"),
            Listed("ARCH_NAME", "the chip is named when a program is compiled, not in a build"),
            Listed("TT_METAL_HOME", "no other project's library is built in"),
            Listed("Ubuntu 22.04, Ubuntu 20.04, MacOS", "docs/src/install.md: Linux with g++ 12"),
        ],
        "Test": [Runs("source env/activate"), Target("check-ttmlir")],
        "llvm-lit": [
            Runs("llvm-lit -sv ./build/test --show-tests"),
            Runs("llvm-lit -sv ./build/test/ttmlir/Dialect/TTIR/test_allocate.mlir"),
            Runs(
                "llvm-lit -sv ./build/test/ttmlir/Dialect/TTIR",
                instead="llvm-lit -sv ./build/test/ttmlir/Dialect/TTIR --show-tests",
            ),
        ],
        "Lint": [Target("clang-tidy")],
        "Pre-Commit": [
            Runs("pre-commit install", needs="pre-commit"),
            Listed(
                "pre-commit run --all-files",
                "fetches its hooks from a package index; CI runs it",
            ),
        ],
        "Docs": [
            Target("docs"),
            Listed(
                "mdbook serve build/docs", "a server that does not end; test_book.py has mdbook"
            ),
            Listed("brew install doxygen", MACOS),
            Listed("brew install graphviz", MACOS),
        ],
        "Ubuntu Common": [
            Listed("sudo apt-get install git-lfs", "no file of the repository is in LFS"),
        ],
        "Ubuntu 22.04": [
            Listed("sudo apt update", ROOT_RIGHTS),
            Listed("sudo apt upgrade", ROOT_RIGHTS),
            Listed("sudo apt install clang-17", "g++ 12 is enough"),
            Listed("sudo apt install ninja-build", "ninja comes as a wheel"),
            Listed("sudo apt remove cmake -y", ROOT_RIGHTS),
            Listed("pip3 install cmake --upgrade", "cmake comes as a wheel of the environment"),
            Runs("hash -r"),
            Runs("PATH=$PATH:$HOME/.local/bin"),
            Runs("cmake --version"),
        ],
        "MacOS": [Listed("brew install cmake", MACOS), Listed("brew install ninja", MACOS)],
        "Common Build Errors": [
            Listed("TTMLIRPythonCAPI target requires changing an RPATH", "no such target"),
            Listed("CMAKE_CXX_COMPILER: clang++ is not a full path", "a message of CMake's"),
            Listed("sudo apt install clang", ROOT_RIGHTS),
            Listed("pip3 install -U ninja", "ninja comes as a wheel of the environment"),
            Listed("sfpi, trisc, ncrisc build failure", "no compiler of RISC-V is needed"),
            Listed("cd third_party/tt-metal/src/tt-metal", "no other project is built in"),
            Listed("git submodule foreach 'git lfs fetch --all && git lfs pull'", "no submodule"),
        ],
        "Common Runtime Errors": [
            Listed("debuggee-entitlement.xml", MACOS),
            Listed("sudo codesign -f -s - --entitlements debuggee-entitlement.xml", MACOS),
        ],
        "Internal Build Notes / IRD": [
            Listed("--docker-image", "a machine room of another project"),
            Listed("mkdir /localdev/$USER/ttmlir-toolchain", "a machine room of another project"),
            Listed("--volumes", "a machine room of another project"),
        ],
    },
)


def image(file: str, more: str = "") -> Row:
    return Listed(f"docker build -f .github/{file} {more}-t <image>:latest .", NO_CONTAINERS)


DOCKER = Page(
    "Working with Docker Images",
    {
        "Overview": [
            Exists(".github/Dockerfile.base"),
            Exists(".github/Dockerfile.ci"),
            Exists(".github/Dockerfile.ird"),
            In("gdb", ".github/Dockerfile.ird"),
            In("vim", ".github/Dockerfile.ird"),
            In("openssh-server", ".github/Dockerfile.ird"),
            In("check-ttmlir", ".github/Dockerfile.ci"),
        ],
        "Building the Docker Image using GitHub Actions": [
            In("IMAGE_TAG: ${{ github.sha }}", ".github/workflows/images.yml"),
        ],
        "Building the Docker Image Locally": [
            image("Dockerfile.base"),
            image("Dockerfile.ci"),
            image("Dockerfile.ird", "-build-args FROM_IMAGE=base "),
            image("Dockerfile.ird", "-build-args FROM_IMAGE=ci "),
            In("ARG FROM_IMAGE=base", ".github/Dockerfile.ird"),
        ],
        "Using the Image in GitHub Actions Jobs": [
            In("image: ghcr.io/${{ github.repository }}/", ".github/workflows/images.yml"),
            In("options: --user root", ".github/workflows/images.yml"),
        ],
    },
)

PAGES = [INTRODUCTION, BUILDING, DOCKER]
