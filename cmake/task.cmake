# gridstride_task(folder): what the grader needs to compile submissions for the task in that folder, which holds task.h and
# entry.cpp. Each submission is compiled with the flags of the runtime and linked with the task's entry to a module.
#   FOLDER_entry        the entry's object
#   FOLDER_baseline     where there is a baseline.cpp: its module, built as a submission's
#   assessments/tasks/FOLDER/submission.json    compiler, flags and files, for workshop/build_parts.cpp
# `submission_parts` builds all of them, the programs that submissions run in, and the precompiled header that every
# submission begins with (nvcc has none).
if(NOT TARGET submission_parts)
  add_custom_target(submission_parts)
endif()

# What a submission's module and its entry have in common: they export nothing but the entry.
function(gridstride_submission_flags target)
  target_link_libraries(${target} PRIVATE gridstride_runtime gridstride_observed gridstride_lines_only)
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${gridstride_unloadable}>"
                                           "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-fno-gnu-unique>")
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden CUDA_VISIBILITY_PRESET hidden
                                             VISIBILITY_INLINES_HIDDEN ON)
endfunction()

function(gridstride_submission_header)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/assessments/submission_header.cpp CONTENT "")
  add_library(submission_header OBJECT ${CMAKE_BINARY_DIR}/assessments/submission_header.cpp)
  gridstride_submission_flags(submission_header)
  gridstride_precompiled_header(submission_header ${CMAKE_SOURCE_DIR}/runtime/gs.h)
  add_dependencies(submission_parts submission_header)
  set_property(GLOBAL PROPERTY gridstride_submission_header
               ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/submission_header.dir/cmake_pch.hxx)
endfunction()

function(gridstride_reuse_submission_header target)
  if(NOT GRIDSTRIDE_CUDA)
    target_precompile_headers(${target} REUSE_FROM submission_header)
  endif()
endfunction()

function(gridstride_task folder)
  get_filename_component(name ${folder} NAME)
  set(entry ${name}_entry)
  set(map ${CMAKE_SOURCE_DIR}/assessments/runner/module.map)
  gridstride_kernel_sources(${folder}/entry.cpp ${folder}/baseline.cpp)
  add_library(${entry} OBJECT ${folder}/entry.cpp)
  gridstride_submission_flags(${entry})
  gridstride_reuse_submission_header(${entry})
  add_dependencies(submission_parts ${entry} gridstride_libraries)

  if(EXISTS ${folder}/baseline.cpp)
    add_library(${name}_baseline MODULE ${folder}/baseline.cpp $<TARGET_OBJECTS:${entry}>)
    gridstride_submission_flags(${name}_baseline)
    gridstride_reuse_submission_header(${name}_baseline)
    target_link_options(${name}_baseline PRIVATE -Wl,--version-script=${map} -Wl,--no-undefined)
    set_target_properties(${name}_baseline PROPERTIES PREFIX "" OUTPUT_NAME baseline
      LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/assessments/tasks/${name})
    add_dependencies(submission_parts ${name}_baseline)
  endif()

  get_target_property(observed_link_options gridstride_observed INTERFACE_LINK_OPTIONS)
  if(NOT observed_link_options)
    set(observed_link_options "")
  endif()
  set(libraries ${observed_link_options} $<TARGET_FILE:gridstride_runtime> -Wl,--as-needed $<TARGET_FILE:gridstride_libraries>
      -Wl,-rpath,$<TARGET_FILE_DIR:gridstride_libraries> $<TARGET_LINKER_FILE:TBB::tbb> $<TARGET_LINKER_FILE:fmt::fmt>)
  get_property(plugin GLOBAL PROPERTY gridstride_plugin)
  set(readable ${CMAKE_SOURCE_DIR}/runtime ${map} $<TARGET_FILE_DIR:gridstride_runtime> ${plugin})
  if(GRIDSTRIDE_CUDA)
    set(language CUDA)
    set(headers ${folder}/task.h)
    set(flags -Xcompiler=-fvisibility=hidden,-fvisibility-inlines-hidden)
    list(APPEND libraries ${CUDA_cudart_LIBRARY})
    list(APPEND readable ${gridstride_cuda_readable})
  else()
    set(language CXX)
    get_property(header GLOBAL PROPERTY gridstride_submission_header)
    set(headers ${header} ${folder}/task.h)
    set(flags -fvisibility=hidden -fvisibility-inlines-hidden)
  endif()
  gridstride_describe_compilation(${CMAKE_BINARY_DIR}/assessments/tasks/${name}/submission.json ${entry}
    LANGUAGE ${language} HEADERS ${headers} FLAGS ${flags}
    LINK -Wl,--version-script=${map} -Wl,--no-undefined ${libraries}
    READABLE ${readable})
endfunction()
