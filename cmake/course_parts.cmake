# What a course in a folder of its own takes from this build: `course_parts` for its lessons, `course_grader_parts` for its
# assessments, too.
add_custom_target(course_parts)
add_custom_target(course_grader_parts)
foreach(part gridstride_runtime gridstride_libraries gridstride_workbook split_at_barriers device_marks)
  if(TARGET ${part})
    add_dependencies(course_parts ${part})
  endif()
endforeach()
add_dependencies(course_grader_parts course_parts)
set(parts gridstride-runner gridstride-confine)
if(NOT (GRIDSTRIDE_CHECKED OR GRIDSTRIDE_CUDA))  # the grader's program is the plain flavour's
  list(APPEND parts gridstride_workshop gridstride_grader)
endif()
foreach(part IN LISTS parts)
  if(TARGET ${part})
    add_dependencies(course_grader_parts ${part})
  endif()
endforeach()
