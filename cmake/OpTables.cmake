# ttmlir_op_table(<target> <table> <definitions.td> <output.inc> [<generator.py>]) generates a table
# of op_tables.py, or of another generator, from the records of a dialect's op definitions.
ttmlir_find_in_site_packages(LLVM_TOOLS_WHEEL_DIR "llvm/bin")
find_program(LLVM_TBLGEN_EXECUTABLE llvm-tblgen
             HINTS "${LLVM_TOOLS_BINARY_DIR}" "${LLVM_TOOLS_WHEEL_DIR}" REQUIRED)
# The definitions of ops include MLIR's, in a build without the compiler too.
ttmlir_find_in_site_packages(MLIR_DEFINITIONS_WHEEL_DIR "mlir/include")
find_path(MLIR_DEFINITIONS_DIR mlir/IR/OpBase.td
          HINTS ${MLIR_INCLUDE_DIRS} "${MLIR_DEFINITIONS_WHEEL_DIR}" REQUIRED)

function(ttmlir_op_table target table definitions output)
  set(_generators "${PROJECT_SOURCE_DIR}/tools/tablegen")
  set(_generator "${_generators}/op_tables.py")
  if(ARGN)
    set(_generator "${_generators}/${ARGN}")
  endif()
  cmake_path(ABSOLUTE_PATH output BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" OUTPUT_VARIABLE _output)
  set(_include_dirs "${MLIR_DEFINITIONS_DIR}" ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  list(TRANSFORM _include_dirs PREPEND "-I")
  file(GLOB_RECURSE _definitions CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cpp/*.td")
  # They use each other's functions.
  file(GLOB _scripts CONFIGURE_DEPENDS "${_generators}/*.py")
  set(_records "${CMAKE_CURRENT_BINARY_DIR}/${target}.json")
  add_custom_command(
    OUTPUT "${_output}"
    COMMAND "${LLVM_TBLGEN_EXECUTABLE}" --dump-json -I "${PROJECT_SOURCE_DIR}/cpp" ${_include_dirs}
            "${PROJECT_SOURCE_DIR}/cpp/${definitions}" -o "${_records}"
    COMMAND "${Python3_EXECUTABLE}" "${_generator}" ${table} "${_records}" "${_output}"
    DEPENDS ${_scripts} ${_definitions}
    COMMENT "Generating ${output}" VERBATIM)
  add_custom_target(${target} DEPENDS "${_output}")
endfunction()
