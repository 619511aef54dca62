# ttmlir_precompile_headers(): the libraries of this directory and of those below share one precompiled
# header, with the dialects and with what rewrites them.
#
# Files still include what they use: presets that compile each file on its own do without
# (CMAKE_DISABLE_PRECOMPILE_HEADERS), and say what a file forgets to include.

# The object libraries of a directory and of those below.
function(_ttmlir_object_libraries directory output)
  get_property(_targets DIRECTORY "${directory}" PROPERTY BUILDSYSTEM_TARGETS)
  list(FILTER _targets INCLUDE REGEX "^obj\\.")
  get_property(_below DIRECTORY "${directory}" PROPERTY SUBDIRECTORIES)
  foreach(_one IN LISTS _below)
    _ttmlir_object_libraries("${_one}" _found)
    list(APPEND _targets ${_found})
  endforeach()
  set(${output} ${_targets} PARENT_SCOPE)
endfunction()

function(ttmlir_precompile_headers)
  if(CMAKE_DISABLE_PRECOMPILE_HEADERS)
    return()
  endif()
  _ttmlir_object_libraries("${CMAKE_CURRENT_SOURCE_DIR}" _libraries)
  # Of the C API only its functions are visible: an option that code and header have to share.
  list(REMOVE_ITEM _libraries obj.TTMLIRCAPI)
  # A library that MLIR's functions make like the others, so that it has their options.
  set(_empty "${CMAKE_CURRENT_BINARY_DIR}/PrecompiledHeaders.cpp")
  file(CONFIGURE OUTPUT "${_empty}" CONTENT "")
  add_mlir_library(TTMLIRPrecompiledHeaders STATIC EXCLUDE_FROM_ALL "${_empty}"
    DEPENDS MLIRTTIncGen MLIRTTIRIncGen MLIRTTKernelIncGen MLIRTTMetalIncGen MLIRTTNNIncGen)
  target_precompile_headers(obj.TTMLIRPrecompiledHeaders PRIVATE
    "dialects/TTIR/TTIR.h" "dialects/TTKernel/TTKernel.h" "dialects/TTMetal/TTMetal.h"
    "dialects/TTNN/TTNN.h"
    <mlir/Dialect/Arith/IR/Arith.h> <mlir/Dialect/Func/IR/FuncOps.h> <mlir/Dialect/SCF/IR/SCF.h>
    <mlir/Dialect/Tensor/IR/Tensor.h> <mlir/Pass/Pass.h> <mlir/Transforms/DialectConversion.h>
    <mlir/Transforms/GreedyPatternRewriteDriver.h> <llvm/ADT/TypeSwitch.h>)
  foreach(_library IN LISTS _libraries)
    target_precompile_headers(${_library} REUSE_FROM obj.TTMLIRPrecompiledHeaders)
  endforeach()
endfunction()
