# Targets for those who work on the project: `docs`, `doxygen` and `clang-tidy`. None is part of `all`.

# A target that says what it needs, and fails.
function(ttmlir_unavailable target need)
  add_custom_target(${target}
    COMMAND "${CMAKE_COMMAND}" -E echo "error: the target ${target} needs ${need}"
    COMMAND "${CMAKE_COMMAND}" -E false VERBATIM)
endfunction()

function(ttmlir_missing_program program remedy)
  ttmlir_unavailable(${program} "${program}, which CMake did not find: ${remedy}, then run cmake ${PROJECT_BINARY_DIR}")
endfunction()

# The book in build/docs, with the pages that mlir-tblgen makes of the definitions and griffe of the
# docstrings; its HTML is written to build/docs/book by mdbook if that is installed. The target
# `reference` writes these pages to docs/src/reference, where readers of the checkout find them, and
# draws the pictures.
find_program(MDBOOK_EXECUTABLE mdbook)
if(TTMLIR_ENABLE_COMPILER AND TTMLIR_ENABLE_BINDINGS_PYTHON)
  set(_includes ${MLIR_INCLUDE_DIRS})
  list(TRANSFORM _includes PREPEND "--include=")
  set(_tblgen "${MLIR_TABLEGEN_EXE}")
  if(TARGET "${_tblgen}")
    set(_tblgen "$<TARGET_FILE:${MLIR_TABLEGEN_EXE}>")
  endif()
  set(_book "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tools/docs/book.py"
      --mlir-tblgen "${_tblgen}" --llvm-tblgen "${LLVM_TBLGEN_EXECUTABLE}" --source "${PROJECT_SOURCE_DIR}" ${_includes}
      --packages "${PROJECT_BINARY_DIR}/python_packages" --output "${PROJECT_BINARY_DIR}/docs")
  add_custom_target(docs
    COMMAND ${_book} "$<$<BOOL:${MDBOOK_EXECUTABLE}>:--mdbook=${MDBOOK_EXECUTABLE}>"
    COMMAND_EXPAND_LISTS USES_TERMINAL COMMENT "Building the book" VERBATIM)
  add_custom_target(reference
    COMMAND ${_book} --refresh
    COMMAND "${CMAKE_COMMAND}" -E env "PYTHONPATH=${PROJECT_BINARY_DIR}/python_packages"
            "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tools/docs/pictures.py"
            "${PROJECT_SOURCE_DIR}/docs/src/pictures"
    USES_TERMINAL COMMENT "Writing docs/src/reference and docs/src/pictures" VERBATIM)
  # Photographs of pages, which need a browser; a test compares their names only.
  add_custom_target(screenshots
    COMMAND "${CMAKE_COMMAND}" -E env "PYTHONPATH=${PROJECT_BINARY_DIR}/python_packages"
            "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tools/docs/screenshots.py"
            "${PROJECT_SOURCE_DIR}/docs/src/pictures"
    USES_TERMINAL COMMENT "Writing the screenshots in docs/src/pictures" VERBATIM)
  add_dependencies(screenshots ttmlir-wheel)
  # The docstrings of the extension modules are in their stubs.
  add_dependencies(docs ttmlir-wheel)
  add_dependencies(reference ttmlir-wheel)
endif()

# The reference of the C++ code in build/doxygen/html.
find_program(DOXYGEN_EXECUTABLE doxygen)
if(DOXYGEN_EXECUTABLE)
  find_program(DOT_EXECUTABLE dot)
  set(TTMLIR_HAVE_DOT NO)
  if(DOT_EXECUTABLE)
    set(TTMLIR_HAVE_DOT YES)
  endif()
  configure_file("${PROJECT_SOURCE_DIR}/docs/Doxyfile.in" "${PROJECT_BINARY_DIR}/Doxyfile" @ONLY)
  add_custom_target(doxygen
    COMMAND "${DOXYGEN_EXECUTABLE}" "${PROJECT_BINARY_DIR}/Doxyfile"
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" USES_TERMINAL
    COMMENT "Writing ${PROJECT_BINARY_DIR}/doxygen/html/index.html" VERBATIM)
else()
  ttmlir_missing_program(doxygen "install the system's package doxygen")
endif()

# Every C++ file of the project by the rules of .clang-tidy.
set(TTMLIR_CLANG_TIDY_FILES "${PROJECT_SOURCE_DIR}/(cpp|python|runtime|tools|test)/.*\\.cpp$"
    CACHE STRING "Regular expression of the files that the target clang-tidy checks")
get_filename_component(_beside_python "${Python3_EXECUTABLE}" DIRECTORY)
find_program(CLANG_TIDY_EXECUTABLE clang-tidy HINTS "${_beside_python}")
find_program(RUN_CLANG_TIDY NAMES run-clang-tidy.py run-clang-tidy HINTS "${_beside_python}")
if(CMAKE_UNITY_BUILD)
  ttmlir_unavailable(clang-tidy "a build tree in which each file is compiled on its own: cmake --preset dev, then cmake --build build-dev -- clang-tidy")
elseif(CLANG_TIDY_EXECUTABLE AND RUN_CLANG_TIDY)
  add_custom_target(clang-tidy
    COMMAND "${Python3_EXECUTABLE}" "${RUN_CLANG_TIDY}" -quiet
            -clang-tidy-binary "${CLANG_TIDY_EXECUTABLE}" -p "${PROJECT_BINARY_DIR}"
            "${TTMLIR_CLANG_TIDY_FILES}"
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" USES_TERMINAL COMMENT "Running clang-tidy" VERBATIM)
  # The files include headers that the build generates.
  add_dependencies(clang-tidy ttmlir-wheel)
else()
  ttmlir_missing_program(clang-tidy "pip install clang-tidy")
endif()
