# What the wheel carries beside the Python modules of the compiler. All of it belongs to the install
# component `ttmlir`, and nothing else is in that component: no headers but those of the C++ libraries,
# no static libraries.
set(_package "${PROJECT_BINARY_DIR}/python_packages/ttmlir")
configure_file("${CMAKE_CURRENT_LIST_DIR}/version.py.in" "${_package}/_version.py" @ONLY)
install(FILES "${_package}/_version.py" DESTINATION ttmlir COMPONENT ttmlir)

# The build tree is importable: ttmlir is put together there, ttrt and the plugin for JAX are linked
# to their sources, and the console commands find the tools.
foreach(_linked IN ITEMS ttrt jax_plugins)
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/python/${_linked}"
       "${PROJECT_BINARY_DIR}/python_packages/${_linked}" SYMBOLIC)
endforeach()
file(MAKE_DIRECTORY "${_package}")
file(CREATE_LINK "${PROJECT_BINARY_DIR}/bin" "${_package}/bin" SYMBOLIC)

# The schemas, for whoever writes another runtime or reader.
foreach(_folder IN ITEMS Common TTNN TTMetal)
  file(GLOB _schemas CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/schema/${_folder}/*.fbs")
  install(FILES ${_schemas} DESTINATION "ttmlir/schema/${_folder}" COMPONENT ttmlir)
endforeach()
foreach(_schema IN LISTS TTMLIR_GENERATED_SCHEMAS)
  cmake_path(GET _schema PARENT_PATH _folder)
  install(FILES "${TTMLIR_SCHEMA_DIR}/${_schema}" DESTINATION "ttmlir/schema/${_folder}"
          COMPONENT ttmlir)
endforeach()
file(CREATE_LINK "${TTMLIR_SCHEMA_DIR}" "${_package}/schema" SYMBOLIC)

# The licences of what the binaries contain go beside our own, into the metadata of the wheel. Without
# one of them there is no wheel.
if(SKBUILD)
  set(_licenses "${PROJECT_BINARY_DIR}/licenses")
  execute_process(
    COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/licenses.py"
            --include ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS} "${FLATBUFFERS_INCLUDE_DIR}"
            "${NB_DIR}/include" "${NB_DIR}/ext/robin_map/include" --output "${_licenses}"
    COMMAND_ERROR_IS_FATAL ANY)
  install(DIRECTORY "${_licenses}/" DESTINATION "${SKBUILD_METADATA_DIR}/licenses" COMPONENT ttmlir)
endif()

# `cmake --build <dir> --target ttmlir-wheel` builds exactly what the wheel needs.
add_custom_target(ttmlir-wheel)
foreach(_target IN ITEMS ttmlir ttmlir-tools TTRuntimePython TTRuntimePythonStub TTPjrtPython ttmlir-stubs
                        TTNNLibrary TTKernelHeaders TTMetalLibrary)
  if(TARGET ${_target})
    add_dependencies(ttmlir-wheel ${_target})
  endif()
endforeach()

# `cmake --build <dir> --target ttrt` builds the tool and what it needs; <dir>/bin/ttrt calls it.
if(TARGET TTRuntimePython)
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/bin/ttrt" @ONLY CONTENT [=[#!/bin/sh
PYTHONPATH="@PROJECT_BINARY_DIR@/python_packages${PYTHONPATH:+:$PYTHONPATH}" \
  exec "@Python3_EXECUTABLE@" -m ttrt "$@"
]=])
  file(CHMOD "${PROJECT_BINARY_DIR}/bin/ttrt" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
       GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  add_custom_target(ttrt DEPENDS TTRuntimePython)
  if(TARGET ttmlir)
    add_dependencies(ttrt ttmlir)
  endif()
endif()
