# gridstride_describe_compilation(FILE TARGET [LANGUAGE CXX|CUDA] [HEADERS ...] [FLAGS ...] [LINK ...] [READABLE ...]):
# writes down, as JSON, how a user's source file is compiled: like those of TARGET, an object library, and linked with its
# objects. workshop/build_parts.h reads it.
#   LANGUAGE   CUDA: by nvcc; the default is CXX
#   HEADERS    that the file begins with; C++'s first one is precompiled
#   FLAGS      of the compiler, before TARGET's own
#   LINK       of the linker, after the objects
#   READABLE   what compiler and linker need to read
function(gridstride_describe_compilation file target)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" LANGUAGE "HEADERS;FLAGS;LINK;READABLE")
  list(APPEND arg_READABLE ${arg_HEADERS})
  if(arg_LANGUAGE STREQUAL CUDA)
    set(position_independent -Xcompiler=-fPIC)
  else()
    set(arg_LANGUAGE CXX)
    set(position_independent -fPIC)
    list(GET arg_HEADERS 0 precompiled)
    if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
      list(APPEND arg_READABLE ${precompiled}.pch ${precompiled}.cxx)  # clang looks whether its source has changed
    else()
      list(APPEND arg_READABLE ${precompiled}.gch)
    endif()
  endif()
  separate_arguments(flags UNIX_COMMAND "${CMAKE_${arg_LANGUAGE}_FLAGS} ${CMAKE_${arg_LANGUAGE}_FLAGS_RELEASE}")
  list(APPEND flags -std=c++20 ${position_independent} ${arg_FLAGS})
  # Within $<JOIN:...> a comma has to be written this way.
  foreach(list flags arg_HEADERS arg_LINK arg_READABLE)
    string(REPLACE "," "$<COMMA>" ${list} "${${list}}")
  endforeach()
  list(APPEND flags $<TARGET_PROPERTY:${target},COMPILE_OPTIONS>)
  set(quoted "\"$<JOIN:")
  set(end ,\",\">\")
  # A description for each language, of which one is read; the others' files only have to have a name.
  get_filename_component(folder ${file} DIRECTORY)
  get_filename_component(name ${file} NAME)
  file(GENERATE OUTPUT ${folder}/$<IF:$<COMPILE_LANGUAGE:${arg_LANGUAGE}>,${name},other_$<COMPILE_LANGUAGE>.json>
       CONTENT "{\"compiler\": \"${CMAKE_${arg_LANGUAGE}_COMPILER}\",
\"linker\": \"${CMAKE_CXX_COMPILER}\",
\"headers\": [${quoted}${arg_HEADERS}${end}],
\"flags\": [${quoted}${flags}${end}],
\"definitions\": [${quoted}$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>${end}],
\"include_folders\": [${quoted}$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>${end}],
\"objects\": [${quoted}$<TARGET_OBJECTS:${target}>${end}],
\"link\": [${quoted}${arg_LINK}${end}],
\"readable\": [${quoted}${arg_READABLE}${end}]}
")
endfunction()
