# Upstream MLIR 22: from the wheels in site-packages, or from -DMLIR_DIR= and -DLLVM_DIR=.
ttmlir_find_in_site_packages(MLIR_DIR "mlir/lib/cmake/mlir")
ttmlir_find_in_site_packages(LLVM_DIR "llvm/lib/cmake/llvm")
find_package(MLIR REQUIRED CONFIG)
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "ttmlir builds against MLIR 22; found LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}")
endif()
message(STATUS "MLIR ${LLVM_PACKAGE_VERSION} in ${MLIR_DIR}")

list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")

# Static linking of the few LLVM libraries that MLIR needs keeps the wheel self-contained: the
# exported targets name the whole libLLVM.so instead.
option(TTMLIR_STATIC_LLVM "Link LLVM statically, so that nothing needs libLLVM at run time" ON)
if(TTMLIR_STATIC_LLVM)
  set(LLVM_LINK_LLVM_DYLIB OFF)
  set(MLIR_LINK_MLIR_DYLIB OFF)
  foreach(_target IN LISTS MLIR_EXPORTED_TARGETS)
    foreach(_property IN ITEMS INTERFACE_LINK_LIBRARIES MLIR_AGGREGATE_DEP_LIBS_IMPORTED)
      get_target_property(_libraries ${_target} ${_property})
      if(_libraries AND "LLVM" IN_LIST _libraries)
        list(REMOVE_ITEM _libraries LLVM)
        list(APPEND _libraries LLVMSupport LLVMRemarks)
        set_target_properties(${_target} PROPERTIES ${_property} "${_libraries}")
      endif()
    endforeach()
  endforeach()
endif()

set(LLVM_RUNTIME_OUTPUT_INTDIR "${PROJECT_BINARY_DIR}/bin")
set(LLVM_LIBRARY_OUTPUT_INTDIR "${PROJECT_BINARY_DIR}/lib")
set(MLIR_BINARY_DIR "${PROJECT_BINARY_DIR}")

include(TableGen)
include(AddLLVM)
include(AddMLIR)
include(MLIRDetectPythonEnv)
if(TTMLIR_ENABLE_BINDINGS_PYTHON)
  set(MLIR_ENABLE_BINDINGS_PYTHON ON)
  # Own nanobind domain: `import mlir` and `import ttmlir` live in one process.
  set(MLIR_BINDINGS_PYTHON_NB_DOMAIN "ttmlir")
  mlir_configure_python_dev_packages()
endif()

# MLIR's templates come to the same code over and over. ttmlir_fold_code(<target>) lets a linker that
# can do so fold it, which makes a binary that has MLIR inside some 4 % smaller.
include(CheckCXXSourceCompiles)
set(TTMLIR_FOLD_CODE "-fuse-ld=gold" "LINKER:--icf=safe")
set(CMAKE_REQUIRED_LINK_OPTIONS ${TTMLIR_FOLD_CODE})
check_cxx_source_compiles("int main() { return 0; }" TTMLIR_LINKER_FOLDS_CODE)
unset(CMAKE_REQUIRED_LINK_OPTIONS)
function(ttmlir_fold_code target)
  if(TTMLIR_LINKER_FOLDS_CODE AND NOT TTMLIR_SANITIZE)
    target_link_options(${target} PRIVATE ${TTMLIR_FOLD_CODE})
  endif()
endfunction()

# The definitions of a dialect's ops, and conversions, are a lot of code that runs once or seldom for
# an op: the time to build it counts. -Og takes two thirds of the time of -Os for it, with which GCC
# would not use a precompiled header of -O2 either. The linker folds what is the same.
function(ttmlir_compile_quickly)
  foreach(_target IN LISTS ARGN)
    target_compile_options(obj.${_target} PRIVATE $<$<CONFIG:Release>:-Og>)
  endforeach()
endfunction()
