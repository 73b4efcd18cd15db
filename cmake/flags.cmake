# The flags that all our targets are compiled with: link `gridstride_flags`.
#
# -fno-math-errno and -fno-trapping-math let g++ vectorise calls such as expf through glibc's libmvec. Results stay the
# same; only errno and the floating-point exception flags are lost. -ffast-math is never used.
# -fno-semantic-interposition: functions of a shared library are inlined like any others.
# -fstack-clash-protection: a large frame touches every page it takes, so it can't step over a stack's guard page. g++ for arm64
# takes a guard for 64 KiB, unless told that it may be 2^12 bytes.

add_library(gridstride_flags INTERFACE)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
target_include_directories(gridstride_flags INTERFACE ${PROJECT_SOURCE_DIR})
if(GRIDSTRIDE_COURSE)
  target_include_directories(gridstride_flags INTERFACE ${GRIDSTRIDE_COURSE})
endif()

# clang has libmvec's functions by -fveclib.
#
# ggc-min-heapsize (KiB): g++ spends a tenth of its time on collecting garbage; below a gigabyte it need not.
set(host_flags -march=${GRIDSTRIDE_ARCH} -fno-math-errno -fno-trapping-math -fno-semantic-interposition
    -fstack-clash-protection)
# False alarms of g++ 12: overflows in {fmt}'s headers (-Wstringop-overflow), overlaps in std::string's (-Wrestrict, GCC
# bug 105651), uninitialised members in std::string, std::optional and std::function (-Wmaybe-uninitialized; which ones
# depends on -march: those of znver3 aren't those of sapphirerapids). And a note on how vectors are passed to functions,
# on processors without AVX-512 (-Wpsabi): all our code is compiled for the same processor.
# And of g++ 13 and later, a reference to a temporary that a function is taken to return because it was given one
# (-Wdangling-reference).
set(host_warnings -Wall -Wextra -Werror -Wno-stringop-overflow -Wno-restrict -Wno-maybe-uninitialized -Wno-psabi)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  list(APPEND host_warnings -Wno-dangling-reference)
endif()
# Unique symbols (static variables of templates) would keep a module from ever being unloaded; clang makes none.
set(gridstride_unloadable -fno-gnu-unique)
set(clang_warnings "")
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  set(gridstride_unloadable "")
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
    list(APPEND host_flags -fveclib=libmvec)
  endif()
  if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 19)  # xtensor was written for compilers that matched fewer templates
    list(APPEND host_flags -fno-relaxed-template-template-args -Wno-deprecated-no-relaxed-template-template-args)
  endif()
  # clang doesn't know g++'s warnings, and says where it doesn't vectorise a loop that it may vectorise.
  set(clang_warnings -Wno-unknown-warning-option -Wno-unknown-attributes -Wno-pass-failed -Wno-sign-conversion
       -Wno-deprecated-declarations -Wno-unused-private-field -Wno-unused-lambda-capture)
else()
  list(APPEND host_flags --param=ggc-min-heapsize=1048576)
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL aarch64)
    list(APPEND host_flags --param=stack-clash-protection-guard-size=12)
  endif()
endif()
if(GRIDSTRIDE_SANITIZE)
  list(APPEND host_flags -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)  # uses another name
    list(APPEND host_flags -D__SANITIZE_ADDRESS__=1)
  endif()
  target_link_options(gridstride_flags INTERFACE -fsanitize=address,undefined)
endif()

target_compile_options(gridstride_flags INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:${host_flags};${host_warnings};-Wpedantic;-Wconversion;${clang_warnings}>")
if(GRIDSTRIDE_CHECKED)
  target_compile_definitions(gridstride_flags INTERFACE GRIDSTRIDE_CHECKED=1)
endif()

# A target that links one of these after gridstride_flags gets fewer of the sanitizers' checks. Lightly: everything except
# the runtime and the tests of its templates. AddressSanitizer reports null pointers anyway, and checking the alignment and
# type of each pointer as well makes g++ take a quarter longer.
add_library(gridstride_sanitized_lightly INTERFACE)
add_library(gridstride_unsanitized INTERFACE)
if(GRIDSTRIDE_SANITIZE)
  target_compile_options(gridstride_sanitized_lightly INTERFACE -fno-sanitize=null,alignment,object-size,vptr)
endif()
if(GRIDSTRIDE_SANITIZE OR GRIDSTRIDE_CHECKED)  # the checked flavour borrows ThreadSanitizer's instrumentation: see below
  target_compile_options(gridstride_unsanitized INTERFACE -fno-sanitize=all)
endif()

# Sanitized code at -O0 is much slower than at -O1. In a CUDA build in which nothing is timed, only what nvcc compiles
# matters: what g++ compiles is the same as in the release build.
if(GRIDSTRIDE_SANITIZE)
  set(CMAKE_CXX_FLAGS_RELEASE "-O1 -g1")
elseif(GRIDSTRIDE_CUDA AND "$ENV{GRIDSTRIDE_NOTHING_IS_TIMED}")
  set(CMAKE_CXX_FLAGS_RELEASE "-O0 -g1")
else()
  set(CMAKE_CXX_FLAGS_RELEASE "-O3 -g1")
endif()
find_program(GRIDSTRIDE_MOLD mold)
if(GRIDSTRIDE_MOLD)
  add_link_options(-fuse-ld=mold)  # g++ also links what nvcc compiles
endif()

# A program loads only the libraries that it calls. Most tests of the runtime don't draw, and start a third faster.
add_link_options("LINKER:--as-needed")
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_EXTENSIONS OFF)

# gridstride_cold_sources(TARGET PATTERNS...): moves the sources that match, relative to the caller's folder, into an object
# library that is hardly optimised, and links it into the target. For code that waits for people, files and other programs:
# optimising it would double the time to compile and gain nothing. Link the target to its libraries before.
#
# -Og compiles fastest, because it leaves less to assemble than -O0; under the sanitizers, which add code, -O0 does.
function(gridstride_cold_sources target)
  file(GLOB cold CONFIGURE_DEPENDS ${ARGN})
  get_target_property(sources ${target} SOURCES)
  list(REMOVE_ITEM sources ${cold})
  set_target_properties(${target} PROPERTIES SOURCES "${sources}")
  add_library(${target}_cold OBJECT ${cold})
  target_link_libraries(${target}_cold PRIVATE $<TARGET_PROPERTY:${target},LINK_LIBRARIES>)
  target_compile_definitions(${target}_cold PRIVATE $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
  target_link_libraries(${target}_cold PRIVATE gridstride_sanitized_lightly)
  if(GRIDSTRIDE_SANITIZE)
    target_compile_options(${target}_cold PRIVATE -O0)
  else()
    target_compile_options(${target}_cold PRIVATE -Og)
  endif()
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_cold>)
  gridstride_compiled_together(${target}_cold)
  set_target_properties(${target}_cold PROPERTIES UNITY_BUILD_BATCH_SIZE 16)
endfunction()

# Sorts a target's sources so that those that read the same large header are compiled in the same batches: templates for
# JSON, options and regular expressions take g++ 2 to 4 s, and are instantiated once a batch.
function(gridstride_large_headers_first target)
  get_target_property(others ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  set(sources "")
  foreach(header CLI/CLI.hpp nlohmann/json.hpp workbook/json/read_json.h regex)
    foreach(source IN LISTS others)
      get_filename_component(file ${source} ABSOLUTE BASE_DIR ${folder})
      set(includes "")
      if(EXISTS ${file})
        file(STRINGS ${file} includes REGEX "^#include [<\"]${header}[>\"]")
      endif()
      if(includes)
        list(APPEND sources ${source})
      endif()
    endforeach()
    list(REMOVE_ITEM others ${sources} "")
  endforeach()
  set_target_properties(${target} PROPERTIES SOURCES "${sources};${others}")
endfunction()

# gridstride_compiled_together(TARGETS...): a unity build. The compiler reads eight sources at a time, or UNITY_BUILD_BATCH_SIZE,
# and the headers they share once. Names in anonymous namespaces must differ within a target, whichever batch a source is in.
# (g++ takes an included source for a header, and warns of types in it that have no linkage: -Wsubobject-linkage.)
function(gridstride_compiled_together)
  set_target_properties(${ARGN} PROPERTIES UNITY_BUILD ON)
  foreach(target IN LISTS ARGN)
    gridstride_large_headers_first(${target})
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>")
  endforeach()
endfunction()

if(GRIDSTRIDE_CUDA)
  set(CMAKE_CUDA_ARCHITECTURES OFF)  # below
  set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
  enable_language(CUDA)
  # CMake 3.25 calls this library deprecated even where the toolkit, since CUDA 13, has none, and fails.
  add_library(CUDA::nvToolsExt INTERFACE IMPORTED)
  find_package(CUDAToolkit REQUIRED)
  # The folder of the toolkit that a sandbox has to show; everything below /usr is shown anyway.
  if(NOT CUDAToolkit_TARGET_DIR MATCHES "^/usr/")
    set(gridstride_cuda_readable ${CUDAToolkit_TARGET_DIR})
  endif()
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)  # CMake 3.25 doesn't know that nvcc has it
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
  set(CMAKE_CUDA_EXTENSIONS OFF)
  # For host code; kernels are optimised in any case. Where nothing is timed, -O0 makes g++ a quarter faster.
  set(CMAKE_CUDA_FLAGS_RELEASE "-O3")
  if("$ENV{GRIDSTRIDE_NOTHING_IS_TIMED}")
    set(CMAKE_CUDA_FLAGS_RELEASE "-O0")
  endif()
  # A kernel that needs more registers than there are spills them to memory, silently; here that is an error.
  set(gpu_warnings -Xptxas=--warn-on-spills,--suppress-stack-size-warning,--warning-as-error)
  # PTX once, and machine code for sm_80 and sm_90 from it: nvcc reads each source twice instead of three times. A target
  # that sets CUDA_ARCHITECTURES overrides this.
  set(gpu_code --generate-code=arch=compute_80,code=[compute_80,sm_80,sm_90])
  # Where nothing is timed, machine code for one of them will do: another GPU's driver makes its own from the PTX.
  if("$ENV{GRIDSTRIDE_NOTHING_IS_TIMED}")
    set(gpu_code --generate-code=arch=compute_80,code=[compute_80,sm_80])
  endif()
  target_compile_options(gridstride_flags INTERFACE
    "$<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<NOT:$<BOOL:$<TARGET_PROPERTY:CUDA_ARCHITECTURES>>>>:${gpu_code}>")
  list(JOIN host_flags "," joined_flags)
  list(JOIN host_warnings "," joined_warnings)
  target_compile_options(gridstride_flags INTERFACE
    "$<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr;${gpu_warnings};-Xcompiler=${joined_flags};-Xcompiler=${joined_warnings}>")
  target_compile_definitions(gridstride_flags INTERFACE GRIDSTRIDE_CUDA=1)
endif()

# gridstride_find_in_release(VARIABLE PATH): sets VARIABLE to that file or folder of the release build, if nothing is timed in
# this build and the release build has just been tested (.ci/run starts by deleting old results). For a course in a folder of
# its own, to that of the build it is made with. Otherwise leaves it alone.
function(gridstride_find_in_release variable path)
  if(GRIDSTRIDE_COURSE)
    set(${variable} ${GRIDSTRIDE_BUILT}/${path} PARENT_SCOPE)
    return()
  endif()
  set(release ${PROJECT_SOURCE_DIR}/build/release)
  if("$ENV{GRIDSTRIDE_NOTHING_IS_TIMED}" AND EXISTS ${release}/test_results.xml AND EXISTS ${release}/${path})
    set(${variable} ${release}/${path} PARENT_SCOPE)
  endif()
endfunction()

# gridstride_take_from_release(TARGET STATIC|SHARED FILE): defines TARGET as the release build's library where that can be
# used, for a library that this build would compile to the same code. The caller still has to link its dependencies.
function(gridstride_take_from_release target type file)
  set(found "")
  gridstride_find_in_release(found ${file})
  if(found)
    add_library(${target} ${type} IMPORTED GLOBAL)
    set_target_properties(${target} PROPERTIES IMPORTED_LOCATION ${found})
  endif()
endfunction()

# Sources that hold kernels: compiled by nvcc in the CUDA build, by g++ in every other.
function(gridstride_kernel_sources)
  if(GRIDSTRIDE_CUDA)
    set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CUDA)
  endif()
endfunction()

# gridstride_kernels_together(VARIABLE NAME SOURCES...): sets VARIABLE to the sources that a target is to be made of instead of
# those. In a CUDA build that is one source, NAME.cpp, which includes them all: nvcc reads gs.h four times for each source,
# which takes longer than compiling the rest of it, and CMake 3.25 has no unity builds for CUDA. Names in anonymous
# namespaces must differ among them.
function(gridstride_kernels_together variable name)
  set(sources ${ARGN})
  if(GRIDSTRIDE_CUDA)
    set(sources ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
    set(text "")
    foreach(source IN LISTS ARGN)
      get_filename_component(source ${source} ABSOLUTE)
      string(APPEND text "#include \"${source}\"\n")
    endforeach()
    file(CONFIGURE OUTPUT ${sources} CONTENT "${text}" @ONLY)
  endif()
  gridstride_kernel_sources(${sources})
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

# In the checked flavour, whatever holds kernels calls runtime/instruments/hooks.cpp before every access: g++ inserts
# ThreadSanitizer's calls, and the library behind them is ours. Hardly optimised, so that each access stays what and where
# the source says. Link this to all of a program, or the linker could take a template from an unobserved object.
add_library(gridstride_observed INTERFACE)
if(GRIDSTRIDE_CHECKED)
  set(tsan_options --param=tsan-instrument-func-entry-exit=0 --param=tsan-distinguish-volatile=1)
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    # (As single words: they are also written down for learners' files, in cmake/compilation.cmake.)
    set(tsan_options -D__SANITIZE_THREAD__=1 -mllvm=-tsan-instrument-func-entry-exit=0 -mllvm=-tsan-distinguish-volatile=1
        -mllvm=-tsan-instrument-read-before-write=1)
  endif()
  target_compile_options(gridstride_observed INTERFACE -O1 -g -fno-tree-vectorize -fno-omit-frame-pointer
                                                       -fsanitize=thread -Wno-tsan
                                                       ${tsan_options}
                                                       -Wno-nonnull)
  foreach(function memcpy memmove memset)  # calls into libc, whose accesses aren't instrumented
    target_compile_options(gridstride_observed INTERFACE -fno-builtin-${function})
    target_link_options(gridstride_observed INTERFACE -Wl,--wrap=${function})
  endforeach()
  foreach(function printf vprintf puts putchar)  # a kernel that is run again prints nothing
    target_link_options(gridstride_observed INTERFACE -Wl,--wrap=${function})
  endforeach()
endif()
# Link this after it where nobody steps through the program in a debugger: findings need line numbers, but no variables.
add_library(gridstride_lines_only INTERFACE)
if(GRIDSTRIDE_CHECKED)
  target_compile_options(gridstride_lines_only INTERFACE -g1)
endif()
