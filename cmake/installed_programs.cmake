# What users' programs are compiled with, once installed: the parts that programs/parts.json names lie side by side in the
# folder of their flavour, and the installed description names them from {installed} on, which is the folder above. Included by
# programs/CMakeLists.txt, once for each flavour; so what Python compiles has its description there.
set(installed_flavour ${CMAKE_INSTALL_LIBDIR}/gridstride/plain)
if(GRIDSTRIDE_CHECKED)
  set(installed_flavour ${CMAKE_INSTALL_LIBDIR}/gridstride/checked)
endif()
set(headers_folder ${CMAKE_BINARY_DIR}/lessons/CMakeFiles/gridstride_lesson_headers.dir)
set_target_properties(gridstride_workbook PROPERTIES INSTALL_RPATH "$ORIGIN")
install(TARGETS gridstride_workbook LIBRARY DESTINATION ${installed_flavour} COMPONENT command)
install(FILES $<TARGET_FILE:program_main> ${observing} $<TARGET_OBJECTS:gridstride_lesson_headers>
        DESTINATION ${installed_flavour} COMPONENT command)
install(FILES $<TARGET_FILE:gridstride_dialect> DESTINATION ${installed_flavour} COMPONENT command)
install(FILES $<TARGET_OBJECTS:gridstride_cuda_headers> DESTINATION ${installed_flavour}/dialect COMPONENT command)
foreach(file IN LISTS plugin marked_plugin cuda_plugin)
  install(FILES ${file} DESTINATION ${installed_flavour} COMPONENT command)
endforeach()
install(DIRECTORY ${CMAKE_SOURCE_DIR}/workbook ${CMAKE_SOURCE_DIR}/dialect DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gridstride
        COMPONENT command FILES_MATCHING PATTERN "*.h" PATTERN "*.cuh")
add_dependencies(package_parts program_parts)

# gridstride_install_description(FOLDER [FROM BUILT] [HEADERS FOLDER OF]): the parts.json of the build's folder BUILT, or else of this
# one, as it is installed in FOLDER of the flavour. HEADERS: what it precompiles lies in the build's folder OF, and in the
# flavour's FOLDER, instead of where the lessons' is.
function(gridstride_install_description folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FROM" "HEADERS")
  if(NOT arg_FROM)
    set(arg_FROM ${CMAKE_CURRENT_BINARY_DIR})
  endif()
  set(built_headers ${headers_folder})
  set(headers_destination ${installed_flavour})
  get_filename_component(flavour_name ${installed_flavour} NAME)
  set(installed_headers ${flavour_name})
  if(arg_HEADERS)
    list(GET arg_HEADERS 0 subfolder)
    list(GET arg_HEADERS 1 built_headers)
    set(headers_destination ${installed_flavour}/${subfolder})
    set(installed_headers ${flavour_name}/${subfolder})
  endif()
  file(RELATIVE_PATH to_headers /${CMAKE_INSTALL_LIBDIR}/gridstride /${CMAKE_INSTALL_INCLUDEDIR}/gridstride)
  set(described ${CMAKE_CURRENT_BINARY_DIR}/installed/${installed_headers})
  install(CODE "
    set(build_folder ${CMAKE_BINARY_DIR})
    set(source_folder ${CMAKE_SOURCE_DIR})
    set(flavour ${flavour_name})
    set(to_headers ${to_headers})
    set(description ${arg_FROM}/parts.json)
    set(built_headers ${built_headers})
    set(installed_headers ${installed_headers})
    set(described ${described})
  " COMPONENT command)
  install(SCRIPT ${CMAKE_SOURCE_DIR}/cmake/package/describe_installed.cmake COMPONENT command)
  install(FILES ${described}/parts.json DESTINATION ${installed_flavour}/${folder} COMPONENT command)
  install(FILES ${described}/cmake_pch.hxx DESTINATION ${headers_destination} COMPONENT command)
endfunction()
gridstride_install_description(programs)
gridstride_install_description(dialect FROM ${CMAKE_BINARY_DIR}/dialect
                               HEADERS dialect ${CMAKE_BINARY_DIR}/dialect/CMakeFiles/gridstride_cuda_headers.dir)
