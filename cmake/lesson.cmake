# What all lessons share, compiled once: the main files in workbook/, and the precompiled headers. (nvcc has none.)
function(gridstride_lesson_parts)
  add_library(gridstride_lesson_program OBJECT ${CMAKE_SOURCE_DIR}/workbook/command/lesson_program.cpp)
  add_library(gridstride_lesson_module OBJECT ${CMAKE_SOURCE_DIR}/workbook/lesson_module.cpp)
  gridstride_lesson_flags(gridstride_lesson_program)
  gridstride_lesson_flags(gridstride_lesson_module)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/lessons/lesson_headers.cpp CONTENT "")
  add_library(gridstride_lesson_headers OBJECT ${CMAKE_BINARY_DIR}/lessons/lesson_headers.cpp)
  gridstride_lesson_flags(gridstride_lesson_headers)
  gridstride_precompiled_header(gridstride_lesson_headers ${CMAKE_SOURCE_DIR}/runtime/gs.h
                                                          ${CMAKE_SOURCE_DIR}/workbook/lesson.h)
endfunction()

# The flags of a lesson, which exports nothing but its module's entry.
function(gridstride_lesson_flags target)
  target_link_libraries(${target} PUBLIC gridstride_workbook
                                  PRIVATE gridstride_observed gridstride_marked gridstride_sanitized_lightly)
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden CUDA_VISIBILITY_PRESET hidden
                                             VISIBILITY_INLINES_HIDDEN ON)
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${gridstride_unloadable}>"
                                           "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-fno-gnu-unique>")
  if(GRIDSTRIDE_SANITIZE)  # compiling lessons takes longer than running them at the sizes of the tests
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()

# gridstride_needs_workshop(VARIABLE SOURCE): whether a lesson compiles somebody's source.
function(gridstride_needs_workshop variable source)
  file(STRINGS ${source} uses REGEX "^#include \"(lessons/.*/shipped_kernel|workshop/.*)\\.h\"" LIMIT_COUNT 1)
  set(${variable} "${uses}" PARENT_SCOPE)
endfunction()

# gridstride_workshop_programs(VARIABLE): the targets that such a lesson starts. The checked build has no program for users' own
# files; there a lesson goes without it.
function(gridstride_workshop_programs variable)
  set(programs gridstride-confine program_parts)
  if(NOT GRIDSTRIDE_CHECKED)
    list(APPEND programs gridstride_program)
  endif()
  set(${variable} ${programs} PARENT_SCOPE)
endfunction()

# gridstride_can_build_lesson(VARIABLE SOURCE): sanitized builds and those of nvcc have nothing that somebody's source could be
# compiled with.
function(gridstride_can_build_lesson variable source)
  gridstride_needs_workshop(needs ${source})
  set(${variable} TRUE PARENT_SCOPE)
  if(needs AND (GRIDSTRIDE_SANITIZE OR GRIDSTRIDE_CUDA OR GRIDSTRIDE_COURSE OR NOT TARGET gridstride_workshop))
    set(${variable} FALSE PARENT_SCOPE)
  endif()
endfunction()

# gridstride_lesson(06_gaussian_pdf): one lesson folder becomes two things that share one compilation. Reads
# `lessons_with_libraries`.
#   06_gaussian_pdf      the program the learner runs
#   06_gaussian_pdf.so   the module the viewer loads; it exports nothing but its entry
function(gridstride_lesson name)
  set(source ${gridstride_course}/lessons/${name}/lesson.cpp)
  gridstride_kernel_sources(${source})
  add_library(${name}_objects OBJECT ${source})
  gridstride_lesson_flags(${name}_objects)
  # An experiment that a text proposes may leave things unused: for learners that is a warning. Where only tests build lessons,
  # in sevens, it stays an error.
  foreach(thing variable but-set-variable parameter but-set-parameter function local-typedefs const-variable label)
    target_compile_options(${name}_objects PRIVATE
      "$<IF:$<COMPILE_LANGUAGE:CXX>,-Wno-error=unused-${thing},-Xcompiler=-Wno-error=unused-${thing}>")
  endforeach()
  if(NOT GRIDSTRIDE_CUDA)
    target_precompile_headers(${name}_objects REUSE_FROM gridstride_lesson_headers)
  endif()
  set(libraries "")
  if(name IN_LIST lessons_with_libraries)
    set(libraries gridstride_libraries)
  endif()
  gridstride_needs_workshop(needs_workshop ${source})
  if(needs_workshop)
    list(APPEND libraries gridstride_workshop)
  endif()
  gridstride_lesson_files(${name} ${name} ${CMAKE_BINARY_DIR}/lessons ${name}_objects ${libraries})
  if(needs_workshop)
    gridstride_workshop_programs(programs)
    add_dependencies(${name} ${programs})
    add_dependencies(${name}_module ${programs})
  endif()
endfunction()

# gridstride_find_lessons_with_libraries(VARIABLE SOURCES...): sets VARIABLE to the names of those lessons that may call gemm, FFT,
# sort, scan, select or spmv. No other waits until runtime/libraries/ is built. They are looked for when one of the sources has
# changed; if the answer differs, the build is configured anew.
function(gridstride_find_lessons_with_libraries variable)
  set(found ${CMAKE_BINARY_DIR}/lessons/with_libraries.txt)
  set(script ${PROJECT_SOURCE_DIR}/cmake/lessons_with_libraries.cmake)
  set(look ${CMAKE_COMMAND} "-DFOUND=${found}" "-DCOURSE=${gridstride_course}" -P ${script})
  execute_process(COMMAND ${look})
  add_custom_command(OUTPUT ${found} COMMAND ${look} DEPENDS ${ARGN} ${script} VERBATIM
                     COMMENT "Looking for the libraries that lessons call")
  add_custom_target(lessons_with_libraries DEPENDS ${found})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${found})
  file(STRINGS ${found} names)
  set(${variable} ${names} PARENT_SCOPE)
endfunction()

# gridstride_lesson_files(TARGET NAME FOLDER LIBRARIES...): the targets TARGET and TARGET_module, which are the program NAME and
# the module NAME.so in FOLDER, linked from the libraries.
function(gridstride_lesson_files target name folder)
  add_executable(${target})
  target_link_libraries(${target} PRIVATE ${ARGN} gridstride_lesson_program)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${folder})

  add_library(${target}_module MODULE)
  target_link_libraries(${target}_module PRIVATE ${ARGN} gridstride_lesson_module)
  set_target_properties(${target}_module PROPERTIES PREFIX "" OUTPUT_NAME ${name} LIBRARY_OUTPUT_DIRECTORY ${folder})
endfunction()

# gridstride_lesson_sevens(VARIABLE NAMES...): sets VARIABLE to generated sources that hold seven lessons each, every lesson in
# a namespace of its own after the includes of all. Compiling seven takes no longer than reading gs.h seven times.
function(gridstride_lesson_sevens variable)
  set(includes "")
  foreach(name IN LISTS ARGN)
    set(source ${gridstride_course}/lessons/${name}/lesson.cpp)
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
#include \"${gridstride_course}/lessons/${name}/lesson.cpp\"
}
")
    file(CONFIGURE OUTPUT ${source} CONTENT "${includes}\n${text_${number}}" @ONLY)
    math(EXPR count "${count} + 1")
  endforeach()
  list(REMOVE_DUPLICATES sources)
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

# gridstride_lessons_together(NAMES...): the module `lessons_together` holds all lessons, for a build in which they only have to
# compile: nvcc reads gs.h four times for each source.
function(gridstride_lessons_together)
  gridstride_lesson_sevens(sources ${ARGN})
  gridstride_kernel_sources(${sources})
  add_library(lessons_together MODULE EXCLUDE_FROM_ALL ${sources})
  gridstride_lesson_flags(lessons_together)
  target_link_libraries(lessons_together PRIVATE gridstride_libraries)
  target_link_options(lessons_together PRIVATE -Wl,--no-undefined)
endfunction()

# gridstride_lessons_in_sevens(NAMES...): the same programs and modules once more, in lessons/in_sevens, for tests: seven
# lessons are compiled as one source, and each program has a small source of its own that calls the lesson it is about.
# `lessons_in_sevens` builds them all. A lesson whose types are inspected is compiled alone, because the inspector compiles
# it once more, without a namespace.
function(gridstride_lessons_in_sevens)
  add_custom_target(lessons_in_sevens)
  set(workshop "")
  if(TARGET gridstride_workshop AND NOT GRIDSTRIDE_SANITIZE AND NOT GRIDSTRIDE_COURSE)
    set(workshop gridstride_workshop)
    gridstride_workshop_programs(programs)
    add_dependencies(lessons_in_sevens ${programs})
  endif()
  set(folder ${CMAKE_BINARY_DIR}/lessons/in_sevens)
  set(names "")
  foreach(name IN LISTS ARGN)
    file(STRINGS ${gridstride_course}/lessons/${name}/lesson.cpp inspections REGEX "inspect_types")
    if(inspections)
      gridstride_lesson_files(${name}_of_seven ${name} ${folder} ${name}_objects gridstride_libraries)
      add_dependencies(lessons_in_sevens ${name}_of_seven ${name}_of_seven_module)
    else()
      list(APPEND names ${name})
    endif()
  endforeach()
  gridstride_lesson_sevens(sources ${names})
  set(number 0)
  foreach(source IN LISTS sources)
    add_library(lessons_seven_${number} OBJECT ${source})
    gridstride_lesson_flags(lessons_seven_${number})
    target_link_libraries(lessons_seven_${number} PRIVATE gridstride_lines_only)
    target_precompile_headers(lessons_seven_${number} REUSE_FROM gridstride_lesson_headers)
    target_compile_options(lessons_seven_${number} PRIVATE -Wno-subobject-linkage)  # as gridstride_compiled_together
    math(EXPR number "${number} + 1")
  endforeach()
  set(count 0)
  foreach(name IN LISTS names)
    math(EXPR number "${count} / 7")
    set(source ${CMAKE_BINARY_DIR}/lessons/${name}_of_seven.cpp)
    file(CONFIGURE OUTPUT ${source} @ONLY CONTENT "#include \"workbook/lesson.h\"
namespace lesson_${name}::workbook { ::workbook::lesson this_lesson(); }
workbook::lesson workbook::this_lesson() { return lesson_${name}::workbook::this_lesson(); }
")
    add_library(${name}_of_seven_lesson OBJECT ${source})
    gridstride_lesson_flags(${name}_of_seven_lesson)
    target_precompile_headers(${name}_of_seven_lesson REUSE_FROM gridstride_lesson_headers)
    gridstride_lesson_files(${name}_of_seven ${name} ${folder} ${name}_of_seven_lesson lessons_seven_${number} gridstride_libraries ${workshop})
    add_dependencies(lessons_in_sevens ${name}_of_seven ${name}_of_seven_module)
    math(EXPR count "${count} + 1")
  endforeach()
endfunction()
