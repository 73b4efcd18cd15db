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
foreach(file IN LISTS plugin marked_plugin)
  install(FILES ${file} DESTINATION ${installed_flavour} COMPONENT command)
endforeach()
install(DIRECTORY ${CMAKE_SOURCE_DIR}/workbook DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gridstride COMPONENT command
        FILES_MATCHING PATTERN "*.h")
add_dependencies(package_parts program_parts)

# gridstride_install_description(FOLDER): this folder's parts.json, as it is installed in FOLDER of the flavour.
function(gridstride_install_description folder)
  get_filename_component(flavour_name ${installed_flavour} NAME)
  file(RELATIVE_PATH to_headers /${CMAKE_INSTALL_LIBDIR}/gridstride /${CMAKE_INSTALL_INCLUDEDIR}/gridstride)
  set(described ${CMAKE_CURRENT_BINARY_DIR}/installed)
  install(CODE "
    set(build_folder ${CMAKE_BINARY_DIR})
    set(source_folder ${CMAKE_SOURCE_DIR})
    set(flavour ${flavour_name})
    set(to_headers ${to_headers})
    set(description ${CMAKE_CURRENT_BINARY_DIR}/parts.json)
    set(header ${headers_folder}/cmake_pch.hxx)
    set(described ${described})
  " COMPONENT command)
  install(SCRIPT ${CMAKE_SOURCE_DIR}/cmake/package/describe_installed.cmake COMPONENT command)
  install(FILES ${described}/parts.json DESTINATION ${installed_flavour}/${folder} COMPONENT command)
  install(FILES ${described}/cmake_pch.hxx DESTINATION ${installed_flavour} COMPONENT command)
endfunction()
gridstride_install_description(programs)
