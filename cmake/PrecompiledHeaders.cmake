# Most of the time to compile a file of cpp/ goes into headers: upstream's, and the classes of some
# 500 ops. With TTMLIR_PRECOMPILE_HEADERS these are read once. ccache does not keep objects that are
# compiled so, and finds an object faster than any compiler makes one: with it, headers stay text.
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(_precompile OFF)
else()
  set(_precompile ON)
endif()
option(TTMLIR_PRECOMPILE_HEADERS "Compile the headers of the dialects once" ${_precompile})

# ttmlir_precompile_headers(<header> DEPENDS <targets>): every object library of this directory and
# those below it is compiled with <header>, which needs the files that <targets> generate. Those with
# hidden symbols are left out: flags of the compiler must be the same.
function(ttmlir_precompile_headers header)
  cmake_parse_arguments(PARSE_ARGV 1 _arg "" "" "DEPENDS")
  if(NOT TTMLIR_PRECOMPILE_HEADERS)
    return()
  endif()
  # CMake compiles the header for a target, which has one file, an empty one.
  file(GENERATE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/precompiled.cpp" CONTENT "")
  add_library(ttmlir-precompiled OBJECT "${CMAKE_CURRENT_BINARY_DIR}/precompiled.cpp")
  llvm_update_compile_flags(ttmlir-precompiled)
  target_precompile_headers(ttmlir-precompiled PRIVATE "${header}")
  add_dependencies(ttmlir-precompiled ${_arg_DEPENDS})
  _ttmlir_object_libraries(_libraries "${CMAKE_CURRENT_SOURCE_DIR}")
  foreach(_library IN LISTS _libraries)
    get_target_property(_visibility ${_library} CXX_VISIBILITY_PRESET)
    if(NOT _visibility STREQUAL "hidden")
      target_precompile_headers(${_library} REUSE_FROM ttmlir-precompiled)
    endif()
  endforeach()
endfunction()

function(_ttmlir_object_libraries result directory)
  get_property(_libraries DIRECTORY "${directory}" PROPERTY BUILDSYSTEM_TARGETS)
  list(FILTER _libraries INCLUDE REGEX "^obj\\.")
  get_property(_below DIRECTORY "${directory}" PROPERTY SUBDIRECTORIES)
  foreach(_directory IN LISTS _below)
    _ttmlir_object_libraries(_more "${_directory}")
    list(APPEND _libraries ${_more})
  endforeach()
  set(${result} ${_libraries} PARENT_SCOPE)
endfunction()
