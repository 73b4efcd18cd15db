# gridstride::gs, what others link to: in a project that adds this folder, and installed. In the checked flavour it is
# gridstride::gs_checked. It has the flags that kernels need, without the warnings that are errors for us; the compiler's plugin;
# and the libraries. Included after the runtime's targets.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(flavour plain)
set(name gs)
set(pc_name gridstride)
if(GRIDSTRIDE_CHECKED)
  set(flavour checked)
  set(name gs_checked)
  set(pc_name gridstride-checked)
endif()

# Under -flto g++ links without the plugin, and would leave kernels whole without a word.
set(user_options ${host_flags} -fno-lto)
set(user_definitions FMT_SHARED)
set(user_link_options "")
if(GRIDSTRIDE_CHECKED)
  get_target_property(observing gridstride_observed INTERFACE_COMPILE_OPTIONS)
  get_target_property(user_link_options gridstride_observed INTERFACE_LINK_OPTIONS)
  list(APPEND user_options ${observing})
  list(APPEND user_definitions GRIDSTRIDE_CHECKED=1)
endif()
get_property(plugin GLOBAL PROPERTY gridstride_plugin)

add_library(gridstride_${name} INTERFACE)
add_library(gridstride::${name} ALIAS gridstride_${name})
target_compile_features(gridstride_${name} INTERFACE cxx_std_20)
target_include_directories(gridstride_${name} INTERFACE ${PROJECT_SOURCE_DIR})
set(options_here ${user_options})
if(plugin)
  list(APPEND options_here -fplugin=${plugin})
  target_compile_definitions(gridstride_${name} INTERFACE GRIDSTRIDE_SPLITS_BARRIERS=1)
  add_dependencies(gridstride_${name} plugin_of_compiler)
endif()
target_compile_options(gridstride_${name} INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${options_here}>")
target_compile_definitions(gridstride_${name} INTERFACE ${user_definitions})
target_link_options(gridstride_${name} INTERFACE "LINKER:--as-needed" ${user_link_options})
target_link_libraries(gridstride_${name} INTERFACE $<LINK_ONLY:gridstride_runtime> $<LINK_ONLY:gridstride_libraries>
                                                   TBB::tbb fmt::fmt)

if(GRIDSTRIDE_SANITIZE OR GRIDSTRIDE_CUDA)
  return()
endif()

# --- installed -------------------------------------------------------------------------------------------------------------

set(library_folder ${CMAKE_INSTALL_LIBDIR}/gridstride/${flavour})
set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/gridstride)
set(plugin_name "")
if(plugin)
  get_filename_component(plugin_name ${plugin} NAME)
endif()
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -march=${GRIDSTRIDE_ARCH} -Q --help=target OUTPUT_VARIABLE target ERROR_QUIET)
set(built_for ${GRIDSTRIDE_ARCH})
if(target MATCHES "-march=[ \t]+([^ \t\n]+)")
  set(built_for ${CMAKE_MATCH_1})
endif()

set(built_package ${PROJECT_BINARY_DIR}/package)
set_target_properties(gridstride_runtime gridstride_libraries PROPERTIES INSTALL_RPATH "$ORIGIN")
configure_package_config_file(cmake/package/gridstrideConfig.cmake.in ${built_package}/gridstrideConfig.cmake
  INSTALL_DESTINATION ${config_folder})
write_basic_package_version_file(${built_package}/gridstrideConfigVersion.cmake COMPATIBILITY SameMajorVersion)
configure_file(cmake/package/flavour.cmake.in ${built_package}/${flavour}.cmake @ONLY)
list(JOIN user_options " " pc_flags)
foreach(definition IN LISTS user_definitions)
  string(APPEND pc_flags " -D${definition}")
endforeach()
if(plugin)
  string(APPEND pc_flags " -DGRIDSTRIDE_SPLITS_BARRIERS=1 -fplugin=\"\${libdir}/${plugin_name}\"")
endif()
list(JOIN user_link_options " " pc_link_flags)
configure_file(cmake/package/gridstride.pc.in ${built_package}/${pc_name}.pc.in @ONLY)

# `package_parts` makes what is installed; the launcher asks for it.
add_custom_target(package_parts)
add_dependencies(package_parts gridstride_runtime gridstride_libraries)
if(plugin)
  add_dependencies(package_parts split_at_barriers)
  install(FILES ${plugin} DESTINATION ${library_folder})
endif()
install(TARGETS gridstride_runtime gridstride_libraries LIBRARY DESTINATION ${library_folder})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gridstride FILES_MATCHING PATTERN "*.h")
install(FILES ${built_package}/gridstrideConfig.cmake ${built_package}/gridstrideConfigVersion.cmake
              ${built_package}/${flavour}.cmake DESTINATION ${config_folder})
# The prefix is known when it is installed: `cmake --install build --prefix DIR`.
install(CODE "
  set(text_prefix \"\${CMAKE_INSTALL_PREFIX}\")
  file(READ \"${built_package}/${pc_name}.pc.in\" text)
  string(REGEX REPLACE \"^prefix=[^\\n]*\" \"prefix=\${text_prefix}\" text \"\${text}\")
  file(WRITE \"${built_package}/${pc_name}.pc\" \"\${text}\")
")
install(FILES ${built_package}/${pc_name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
