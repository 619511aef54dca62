# Writes ttmlir/Version.h: the version and the git hash that the compiler stamps into files and the
# runtime compares.
find_package(Git QUIET)
set(TTMLIR_GIT_HASH "unknown")
if(Git_FOUND AND EXISTS "${PROJECT_SOURCE_DIR}/.git")
  execute_process(COMMAND "${GIT_EXECUTABLE}" rev-parse HEAD
                  WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
                  OUTPUT_VARIABLE _hash OUTPUT_STRIP_TRAILING_WHITESPACE
                  RESULT_VARIABLE _result ERROR_QUIET)
  if(_result EQUAL 0)
    set(TTMLIR_GIT_HASH "${_hash}")
  endif()
endif()
set(TTMLIR_GENERATED_INCLUDE_DIR "${PROJECT_BINARY_DIR}/include")
configure_file("${CMAKE_CURRENT_LIST_DIR}/Version.h.in"
               "${TTMLIR_GENERATED_INCLUDE_DIR}/ttmlir/Version.h" @ONLY)
