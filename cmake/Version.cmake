# Writes ttmlir/Version.h: the version and the git hash that the compiler stamps into files and the
# runtime compares. A source distribution is no checkout: there the hash stands in git_hash.txt.
find_package(Git QUIET)
set(TTMLIR_GIT_HASH "unknown")
if(Git_FOUND AND EXISTS "${PROJECT_SOURCE_DIR}/.git")
  execute_process(COMMAND "${GIT_EXECUTABLE}" rev-parse HEAD
                  WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
                  OUTPUT_VARIABLE _hash OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
else()
  file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/git_hash.txt" _hash LIMIT_COUNT 1)
endif()
if(_hash MATCHES "^[0-9a-f]+$")
  set(TTMLIR_GIT_HASH "${_hash}")
endif()
# In a build by pip the version is that of the package.
set(TTMLIR_VERSION "${SKBUILD_PROJECT_VERSION}")
if(NOT TTMLIR_VERSION)
  execute_process(COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/project_version.py"
                  OUTPUT_VARIABLE TTMLIR_VERSION OUTPUT_STRIP_TRAILING_WHITESPACE
                  COMMAND_ERROR_IS_FATAL ANY)
endif()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
             "${PROJECT_SOURCE_DIR}/pyproject.toml" "${CMAKE_CURRENT_LIST_DIR}/project_version.py")
string(REGEX MATCH "^([0-9]+)\\.([0-9]+)\\.([0-9]+)$" _ "${TTMLIR_VERSION}")
set(TTMLIR_VERSION_MAJOR "${CMAKE_MATCH_1}")
set(TTMLIR_VERSION_MINOR "${CMAKE_MATCH_2}")
set(TTMLIR_VERSION_PATCH "${CMAKE_MATCH_3}")
set(TTMLIR_GENERATED_INCLUDE_DIR "${PROJECT_BINARY_DIR}/include")
configure_file("${CMAKE_CURRENT_LIST_DIR}/Version.h.in"
               "${TTMLIR_GENERATED_INCLUDE_DIR}/ttmlir/Version.h" @ONLY)
