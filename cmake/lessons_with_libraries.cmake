# Run as a script: writes the names of the lessons in the folder COURSE that may call what is in runtime/libraries/ to the file
# FOUND, one a line, and leaves FOUND alone if it says so already. A lesson may if such a name is in its source, or if that
# includes a header of the layers above, or one that isn't ours. One too many costs time, one too few doesn't link.
cmake_minimum_required(VERSION 3.22)
set(call "fft|gemm|sort|clusive_sum|select_|spmv|csr_matrix")
set(layer "include *\"runtime/(columns|grad|layers|libraries|numpy)/")
set(names "")
file(GLOB sources "${COURSE}/lessons/*/lesson.cpp")
foreach(source IN LISTS sources)
  file(STRINGS ${source} calls REGEX "${call}|${layer}" LIMIT_COUNT 1)
  file(STRINGS ${source} includes REGEX "include *\"")
  list(FILTER includes EXCLUDE REGEX "include *\"(runtime|workbook)/")
  if(calls OR includes)
    get_filename_component(folder ${source} DIRECTORY)
    get_filename_component(name ${folder} NAME)
    string(APPEND names "${name}\n")
  endif()
endforeach()
file(CONFIGURE OUTPUT ${FOUND} CONTENT "${names}" @ONLY)
