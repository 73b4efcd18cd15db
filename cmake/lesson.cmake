# gridstride_lesson(06_gaussian_pdf): one lesson folder becomes two things that share one compilation.
#   06_gaussian_pdf      the program the learner runs
#   06_gaussian_pdf.so   the module the viewer loads; it exports nothing but its entry
function(gridstride_lesson name)
  set(source ${CMAKE_SOURCE_DIR}/lessons/${name}/lesson.cpp)
  gridstride_kernel_sources(${source})
  add_library(${name}_objects OBJECT ${source})
  set_target_properties(${name}_objects PROPERTIES CXX_VISIBILITY_PRESET hidden CUDA_VISIBILITY_PRESET hidden
                                                   VISIBILITY_INLINES_HIDDEN ON)
  target_link_libraries(${name}_objects PUBLIC gridstride_workbook PRIVATE gridstride_observed)
  # Without it g++ makes static variables of templates unique in the process: a module could never be closed again.
  target_compile_options(${name}_objects PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:-fno-gnu-unique>"
                                                 "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-fno-gnu-unique>")

  set(folder ${CMAKE_BINARY_DIR}/lessons)
  add_executable(${name} ${CMAKE_SOURCE_DIR}/workbook/lesson_program.cpp)
  target_link_libraries(${name} PRIVATE ${name}_objects)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${folder})

  add_library(${name}_module MODULE ${CMAKE_SOURCE_DIR}/workbook/lesson_module.cpp)
  target_link_libraries(${name}_module PRIVATE ${name}_objects)
  set_target_properties(${name}_module PROPERTIES PREFIX "" OUTPUT_NAME ${name} LIBRARY_OUTPUT_DIRECTORY ${folder}
                                                  CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()
