# Sanitizers, e.g. -DTTMLIR_SANITIZE=address or address,undefined. They watch what this project
# compiles, not the MLIR of the wheels. An interpreter that loads a sanitized library needs the
# sanitizer's own library first, e.g. LD_PRELOAD=$(g++ -print-file-name=libasan.so).
set(TTMLIR_SANITIZE "" CACHE STRING "Sanitizers: address, undefined, thread, or several with commas")

# ttmlir_sanitize(<check>...): applies to the targets of the directory that calls it, and of those
# below, without the checks of UndefinedBehaviorSanitizer that it names.
macro(ttmlir_sanitize)
  if(TTMLIR_SANITIZE)
    add_compile_options("-fsanitize=${TTMLIR_SANITIZE}" -fno-omit-frame-pointer -g1)
    if(TTMLIR_SANITIZE MATCHES "undefined")
      add_compile_options(-fno-sanitize-recover=undefined)
      foreach(_check IN ITEMS ${ARGN})
        add_compile_options(-fno-sanitize=${_check})
      endforeach()
    endif()
    add_link_options("-fsanitize=${TTMLIR_SANITIZE}")
  endif()
endmacro()

# Compiler code: MLIR has no type information for vptr to look at, and a check of every pointer that
# is followed would only find again what AddressSanitizer finds.
macro(ttmlir_sanitize_compiler)
  ttmlir_sanitize(vptr null alignment object-size)
endmacro()
