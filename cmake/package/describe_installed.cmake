# While installing: how users' programs are compiled with what is installed. cmake/installed_programs.cmake sets the
# variables. All files of a build stand side by side in {installed}/FLAVOUR, but what is precompiled, and headers are found from
# {installed} on.
get_filename_component(name ${description} NAME)
file(READ ${description} text)
string(REPLACE "${built_headers}/" "{installed}/${installed_headers}/" text "${text}")
set(inside "[^\",: ]*")
string(REGEX REPLACE "${build_folder}/${inside}/([^/\",: ]+\\.(so|a|o|hxx|gch))\"" "{installed}/${flavour}/\\1\"" text "${text}")
string(REGEX REPLACE "${build_folder}/${inside}" "{installed}/${flavour}" text "${text}")  # the folders that the linker notes
string(REPLACE "${source_folder}" "{installed}/${to_headers}" text "${text}")
file(WRITE ${described}/${name} "${text}")

# A header that can't be used as precompiled, for another processor for example, is included by its name.
file(READ ${built_headers}/cmake_pch.hxx text)
string(REPLACE "${source_folder}/" "" text "${text}")
file(WRITE ${described}/cmake_pch.hxx "${text}")
