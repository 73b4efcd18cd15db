# A few of the tests of gs::world() under the sanitizers: two ranks of Open MPI. MPI leaves memory allocated at the end, so leaks
# aren't looked for here.
if(NOT TARGET gridstride_world_openmpi)
  return()
endif()
find_program(mpirun_openmpi mpirun.openmpi)
if(NOT mpirun_openmpi)
  return()
endif()

# Two ranks of PROGRAM; further arguments are its own.
function(gridstride_two_ranks test program)
  add_test(NAME runtime.two_ranks_${test}
           COMMAND ${mpirun_openmpi} --oversubscribe --quiet -n 2 $<TARGET_FILE:${program}> ${ARGN})
  set_tests_properties(runtime.two_ranks_${test} PROPERTIES LABELS runtime TIMEOUT 120 PROCESSORS 2
                       ENVIRONMENT "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"
                       ENVIRONMENT_MODIFICATION ASAN_OPTIONS=string_append::detect_leaks=0)
endfunction()

# gridstride_two_ranks_say(TEST TEXT [REFUSED]): the ranks fail, and one of them says TEXT, and none REFUSED.
function(gridstride_two_ranks_say test text)
  set_tests_properties(runtime.two_ranks_${test} PROPERTIES PASS_REGULAR_EXPRESSION "${text}"
                                                            FAIL_REGULAR_EXPRESSION "${ARGN}")
endfunction()
set(found_by_sanitizers "Sanitizer: |runtime error: ")

foreach(program ranks tasks)
  add_executable(world_${program} world/${program}.cpp)
  target_link_libraries(world_${program} PRIVATE gridstride_runtime gridstride_observed gridstride_test_lightly)
  target_link_options(world_${program} PRIVATE -no-pie)
  add_dependencies(world_${program} gridstride_world_openmpi)
  add_dependencies(tests_runtime world_${program})
endforeach()

gridstride_two_ranks(exchange_arrays world_ranks verbs)
set(folder ${CMAKE_CURRENT_BINARY_DIR}/files_of_tasks)
file(MAKE_DIRECTORY ${folder})
gridstride_two_ranks(hand_out_tasks world_tasks tasks ${folder})
gridstride_two_ranks(find_another_size world_ranks another_size)
gridstride_two_ranks_say(find_another_size "the message has 7 elements and the array 10 float32" ${found_by_sanitizers})
gridstride_two_ranks(fail_together world_ranks one_fails)
gridstride_two_ranks_say(fail_together "rank 1 of 2 ends with status 1, and with it all ranks" ${found_by_sanitizers})
# That the sanitizers look at what ranks do.
gridstride_two_ranks(read_past_the_end world_ranks reads_past_the_end)
gridstride_two_ranks_say(read_past_the_end "AddressSanitizer: heap-buffer-overflow.*READ of size 4")
