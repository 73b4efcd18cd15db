# What all lessons share, compiled once: the programs' main files in workbook/, and the headers that every lesson reads. A
# source that is compiled by nvcc reads them itself.
function(gridstride_lesson_parts)
  foreach(file lesson_program lesson_module)
    add_library(gridstride_${file} OBJECT ${CMAKE_SOURCE_DIR}/workbook/${file}.cpp)
    gridstride_lesson_flags(gridstride_${file})
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/lessons/lesson_headers.cpp CONTENT "")
  add_library(gridstride_lesson_headers OBJECT ${CMAKE_BINARY_DIR}/lessons/lesson_headers.cpp)
  gridstride_lesson_flags(gridstride_lesson_headers)
  target_precompile_headers(gridstride_lesson_headers PRIVATE ${CMAKE_SOURCE_DIR}/runtime/gs.h
                                                              ${CMAKE_SOURCE_DIR}/workbook/lesson.h)
endfunction()

# A lesson exports nothing but its module's entry.
function(gridstride_lesson_flags target)
  target_link_libraries(${target} PUBLIC gridstride_workbook PRIVATE gridstride_observed gridstride_sanitized_lightly)
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden CUDA_VISIBILITY_PRESET hidden
                                             VISIBILITY_INLINES_HIDDEN ON)
  # Without it g++ makes static variables of templates unique in the process: a module could never be closed again.
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:-fno-gnu-unique>"
                                           "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-fno-gnu-unique>")
  if(GRIDSTRIDE_SANITIZE)  # at the sizes that the tests run them at, compiling them takes longer
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()

# gridstride_lesson(06_gaussian_pdf): one lesson folder becomes two things that share one compilation.
#   06_gaussian_pdf      the program the learner runs
#   06_gaussian_pdf.so   the module the viewer loads; it exports nothing but its entry
function(gridstride_lesson name)
  set(source ${CMAKE_SOURCE_DIR}/lessons/${name}/lesson.cpp)
  gridstride_kernel_sources(${source})
  add_library(${name}_objects OBJECT ${source})
  gridstride_lesson_flags(${name}_objects)
  if(NOT GRIDSTRIDE_CUDA)
    target_precompile_headers(${name}_objects REUSE_FROM gridstride_lesson_headers)
  endif()

  set(folder ${CMAKE_BINARY_DIR}/lessons)
  add_executable(${name})
  target_link_libraries(${name} PRIVATE ${name}_objects gridstride_lesson_program)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${folder})

  add_library(${name}_module MODULE)
  target_link_libraries(${name}_module PRIVATE ${name}_objects gridstride_lesson_module)
  set_target_properties(${name}_module PROPERTIES PREFIX "" OUTPUT_NAME ${name} LIBRARY_OUTPUT_DIRECTORY ${folder})
endfunction()

# gridstride_lessons_together(names...): for a build that lessons only have to compile in. nvcc reads gs.h four times for a
# source, which takes longer than a lesson: the module `lessons_together` holds all of them, seven in a source, each in a
# namespace of its own, behind what they all include.
function(gridstride_lessons_together)
  set(includes "")
  foreach(name IN LISTS ARGN)
    set(source ${CMAKE_SOURCE_DIR}/lessons/${name}/lesson.cpp)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    file(STRINGS ${source} lines REGEX "^#include ")
    list(APPEND includes ${lines})
  endforeach()
  list(REMOVE_DUPLICATES includes)
  list(JOIN includes "\n" includes)

  set(sources "")
  set(count 0)
  foreach(name IN LISTS ARGN)
    math(EXPR number "${count} / 7")
    set(source ${CMAKE_BINARY_DIR}/lessons/lessons_together_${number}.cpp)
    list(APPEND sources ${source})
    string(APPEND text_${number} "namespace lesson_${name} {
namespace workbook { using namespace ::workbook; lesson this_lesson(); }
#include \"${CMAKE_SOURCE_DIR}/lessons/${name}/lesson.cpp\"
}
")
    file(CONFIGURE OUTPUT ${source} CONTENT "${includes}\n${text_${number}}" @ONLY)
    math(EXPR count "${count} + 1")
  endforeach()
  list(REMOVE_DUPLICATES sources)
  gridstride_kernel_sources(${sources})
  add_library(lessons_together MODULE EXCLUDE_FROM_ALL ${sources})
  gridstride_lesson_flags(lessons_together)
  target_link_options(lessons_together PRIVATE -Wl,--no-undefined)
endfunction()
