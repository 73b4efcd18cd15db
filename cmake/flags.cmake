# What every target of ours is compiled with: link `gridstride_flags`.
#
# -fno-math-errno and -fno-trapping-math let g++ vectorise calls such as expf through glibc's libmvec; both keep
# every result, they only drop errno and the floating-point exception flags. -ffast-math is never used.
# -fno-semantic-interposition: a function of a shared library is inlined like any other.
# -fstack-clash-protection: a large frame touches every page it takes, so that it can't step over a stack's guard page.

add_library(gridstride_flags INTERFACE)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
target_include_directories(gridstride_flags INTERFACE ${CMAKE_SOURCE_DIR})

# ggc-min-heapsize (KiB): looking for memory to use again takes g++ a tenth of its time; below a gigabyte it need not.
set(host_flags -march=${GRIDSTRIDE_ARCH} -fno-math-errno -fno-trapping-math -fno-semantic-interposition
    -fstack-clash-protection --param=ggc-min-heapsize=1048576)
# g++ 12 sees overflows in {fmt}'s headers (-Wstringop-overflow) and overlaps in std::string's (-Wrestrict, its bug
# 105651) that aren't there.
set(host_warnings -Wall -Wextra -Werror -Wno-stringop-overflow -Wno-restrict)
if(GRIDSTRIDE_SANITIZE)
  list(APPEND host_flags -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  # The sanitizers' own code makes g++ 12 see uninitialised members in std::function and std::regex.
  list(APPEND host_warnings -Wno-maybe-uninitialized)
  target_link_options(gridstride_flags INTERFACE -fsanitize=address,undefined)
endif()

target_compile_options(gridstride_flags INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:${host_flags};${host_warnings};-Wpedantic;-Wconversion>")
if(GRIDSTRIDE_CHECKED)
  target_compile_definitions(gridstride_flags INTERFACE GRIDSTRIDE_CHECKED=1)
endif()

# What is linked to one of these after gridstride_flags gets less of the sanitizers. Lightly: all but the runtime and the
# tests of its templates; AddressSanitizer finds a null pointer that is followed, and to look at each pointer's alignment
# and type as well takes g++ a quarter more of its time.
add_library(gridstride_sanitized_lightly INTERFACE)
add_library(gridstride_unsanitized INTERFACE)
if(GRIDSTRIDE_SANITIZE)
  target_compile_options(gridstride_sanitized_lightly INTERFACE -fno-sanitize=null,alignment,object-size,vptr)
endif()
if(GRIDSTRIDE_SANITIZE OR GRIDSTRIDE_CHECKED)  # the checked flavour borrows ThreadSanitizer's instrumentation: see below
  target_compile_options(gridstride_unsanitized INTERFACE -fno-sanitize=all)
endif()

# Sanitizers slow the optimiser's output down less than they slow -O0: the sanitizer build is optimised a little. A CUDA build
# that nothing is timed in is for what nvcc compiles: what g++ compiles is that of the release build.
if(GRIDSTRIDE_SANITIZE)
  set(CMAKE_CXX_FLAGS_RELEASE "-O1 -g1")
elseif(GRIDSTRIDE_CUDA AND "$ENV{GRIDSTRIDE_NOTHING_IS_TIMED}")
  set(CMAKE_CXX_FLAGS_RELEASE "-O0 -g1")
else()
  set(CMAKE_CXX_FLAGS_RELEASE "-O3 -g1")
endif()
find_program(GRIDSTRIDE_MOLD mold)
if(GRIDSTRIDE_MOLD)
  add_link_options(-fuse-ld=mold)  # of g++, which links what nvcc has compiled, too
endif()

# A program loads the libraries that it calls and no others: most tests of the runtime need none that draws, and start in
# two thirds of the time.
add_link_options("LINKER:--as-needed")
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_EXTENSIONS OFF)

# What waits for people, files and other programs, and not for data: optimising it takes as long as compiling it and gains
# nothing. -Og compiles fastest: the assembler gets less than at -O0. Not where sanitizers add code to what is left, though.
# (At -Og, g++ 12 warns of std::optional.) Moves such sources of a target, given by patterns relative to the caller's folder,
# into objects of their own, which are linked into it; link the target to its libraries before.
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
    target_compile_options(${target}_cold PRIVATE -Og -Wno-maybe-uninitialized)
  endif()
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_cold>)
  gridstride_compiled_together(${target}_cold)
  set_target_properties(${target}_cold PROPERTIES UNITY_BUILD_BATCH_SIZE 16)
endfunction()

# The sources that read large headers stand together before the others: what they make of JSON, options and patterns takes
# g++ 2 to 4 s, once for all that it gets at a time.
function(gridstride_large_headers_first target)
  get_target_property(others ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  set(sources "")
  foreach(header CLI/CLI.hpp nlohmann/json.hpp regex)
    foreach(source IN LISTS others)
      get_filename_component(file ${source} ABSOLUTE BASE_DIR ${folder})
      set(includes "")
      if(EXISTS ${file})
        file(STRINGS ${file} includes REGEX "^#include <${header}>")
      endif()
      if(includes)
        list(APPEND sources ${source})
      endif()
    endforeach()
    list(REMOVE_ITEM others ${sources} "")
  endforeach()
  set_target_properties(${target} PROPERTIES SOURCES "${sources};${others}")
endfunction()

# Sources that share most of their headers: the compiler gets eight of them at a time, sixteen of what it hardly optimises,
# and reads those headers once. Names without linkage must differ among them. (g++ takes a file that another one includes
# for a header, and warns where types in it have no linkage.)
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
  # What a sandbox must show of the toolkit: what lies below /usr is shown to every program.
  if(NOT CUDAToolkit_TARGET_DIR MATCHES "^/usr/")
    set(gridstride_cuda_readable ${CUDAToolkit_TARGET_DIR})
  endif()
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)  # CMake 3.25 doesn't know that nvcc has it
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
  set(CMAKE_CUDA_EXTENSIONS OFF)
  # Of the host's code; kernels are optimised as ever. Where nothing is timed, g++ takes a quarter less time at -O0.
  set(CMAKE_CUDA_FLAGS_RELEASE "-O3")
  if("$ENV{GRIDSTRIDE_NOTHING_IS_TIMED}")
    set(CMAKE_CUDA_FLAGS_RELEASE "-O0")
  endif()
  # A kernel that needs more registers than its threads have keeps some in memory, silently: here it is an error.
  set(gpu_warnings -Xptxas=--warn-on-spills,--suppress-stack-size-warning,--warning-as-error)
  # PTX once, machine code for sm_80 and sm_90 from it: nvcc reads each source twice instead of three times. A target with
  # CUDA_ARCHITECTURES of its own says otherwise.
  set(gpu_code --generate-code=arch=compute_80,code=[compute_80,sm_80,sm_90])
  target_compile_options(gridstride_flags INTERFACE
    "$<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<NOT:$<BOOL:$<TARGET_PROPERTY:CUDA_ARCHITECTURES>>>>:${gpu_code}>")
  list(JOIN host_flags "," joined_flags)
  list(JOIN host_warnings "," joined_warnings)
  target_compile_options(gridstride_flags INTERFACE
    "$<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr;${gpu_warnings};-Xcompiler=${joined_flags};-Xcompiler=${joined_warnings}>")
  target_compile_definitions(gridstride_flags INTERFACE GRIDSTRIDE_CUDA=1)
endif()

# gridstride_find_in_release(VARIABLE PATH): where nothing is timed and the release build has just been tested (.ci/run begins
# without results), sets VARIABLE to what that build has there. Otherwise leaves it as it is.
function(gridstride_find_in_release variable path)
  set(release ${CMAKE_SOURCE_DIR}/build/release)
  if("$ENV{GRIDSTRIDE_NOTHING_IS_TIMED}" AND EXISTS ${release}/test_results.xml AND EXISTS ${release}/${path})
    set(${variable} ${release}/${path} PARENT_SCOPE)
  endif()
endfunction()

# gridstride_take_from_release(TARGET STATIC|SHARED FILE): a library that this build would make no other is the release
# build's, where that can be taken: TARGET is then there, and lacks what it links to.
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

# gridstride_kernels_together(SOURCES NAME sources...): sets SOURCES to what a target is made of instead of those kernel
# sources. nvcc reads gs.h four times for a source, which takes longer than what is in it: it gets them all as one, as
# CMake 3.25 can't tell it to. Names without linkage must differ among them.
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

# In the checked flavour, what holds kernels is compiled so that the compiler calls runtime/instruments/hooks.cpp before
# every access: ThreadSanitizer's instrumentation without its library. Optimised little, so that accesses stay what and
# where the source says. A program is observed as a whole, or the linker could take a template from an unobserved file.
add_library(gridstride_observed INTERFACE)
if(GRIDSTRIDE_CHECKED)
  target_compile_options(gridstride_observed INTERFACE -O1 -g -fno-tree-vectorize -fno-omit-frame-pointer
                                                       -fsanitize=thread -Wno-tsan
                                                       --param=tsan-instrument-func-entry-exit=0
                                                       --param=tsan-distinguish-volatile=1
                                                       -Wno-maybe-uninitialized -Wno-nonnull)
  foreach(function memcpy memmove memset)  # whose insides the compiler doesn't see
    target_compile_options(gridstride_observed INTERFACE -fno-builtin-${function})
    target_link_options(gridstride_observed INTERFACE -Wl,--wrap=${function})
  endforeach()
  foreach(function printf vprintf puts putchar)  # a kernel that is run again prints nothing
    target_link_options(gridstride_observed INTERFACE -Wl,--wrap=${function})
  endforeach()
endif()
# Linked after it, where nobody steps through the program in a debugger: findings name lines, and no variables.
add_library(gridstride_lines_only INTERFACE)
if(GRIDSTRIDE_CHECKED)
  target_compile_options(gridstride_lines_only INTERFACE -g1)
endif()
