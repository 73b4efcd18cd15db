# The runtime as it was built before, for a course in a folder of its own.
gridstride_take_from_release(gridstride_runtime SHARED runtime/libgridstride_runtime.so)
target_link_libraries(gridstride_runtime INTERFACE gridstride_flags TBB::tbb fmt::fmt Boost::headers)
if(GRIDSTRIDE_CUDA)
  target_link_libraries(gridstride_runtime INTERFACE CUDA::cudart)
endif()
gridstride_take_from_release(gridstride_libraries SHARED runtime/libraries/libgridstride_libraries.so)
target_link_libraries(gridstride_libraries INTERFACE gridstride_runtime)
