#!/usr/bin/env bash
# package_test.sh NAME SOURCE RELEASE CHECKED: runs the function test_NAME. Projects in a folder of their own take the library in
# every possible way; that a kernel is split at its barrier there is read from g++'s output (-fopt-info-loop-optimized).
# RELEASE is a build of SOURCE, CHECKED one of the checked flavour, where its package_parts are built.

set -u
unset GRIDSTRIDE_ROOT  # the launcher's; to CMake it is a place where find_package(gridstride) could look
source_folder=$2 release=$3 checked=$4
test_folder=$source_folder/tests/package
box=$(mktemp -d "${TMPDIR:-/tmp}/gridstride package.XXXXXX")
trap 'rm -rf "$box"' EXIT
prefix="$box/pre fix"
project="$box/project"
split='optimized: split at 1 barrier'

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}
expect_in() { [[ $2 == *"$1"* ]] || fail "expected '$1' in: $2"; }
expect_not_in() { [[ $2 != *"$1"* ]] || fail "unexpected '$1' in: $2"; }
skip() {
  echo "$*"
  exit 77
}

# install_flavours FOLDER...: the library alone.
install_flavours() {
  local folder
  for folder in "$@"; do
    if [ ! -f "$folder/runtime/libraries/libgridstride_libraries.so" ]; then skip "package_parts aren't built in $folder"; fi
    cmake --install "$folder" --prefix "$prefix" --component library >"$box/log" 2>&1 || fail "$(<"$box/log")"
  done
}

# write_project LINE...: a project whose CMakeLists.txt finds the library as these lines say, and uses gs.
write_project() {
  mkdir -p "$project"
  cp "$test_folder/sample.cpp" "$project/"
  {
    printf 'cmake_minimum_required(VERSION 3.25)\nproject(sample LANGUAGES CXX)\n'
    printf '%s\n' "$@"
  } >"$project/CMakeLists.txt"
}
configure() { output=$(cmake -S "$project" -B "$project/build" -G Ninja "-DCMAKE_PREFIX_PATH=$prefix" "$@" 2>&1); }
build() { output=$(cmake --build "$project/build" -v "$@" 2>&1) || fail "$output"; }
uses_gs='add_executable(sample sample.cpp)
target_compile_options(sample PRIVATE -fopt-info-loop-optimized)
target_link_libraries(sample PRIVATE gridstride::gs)'

test_find_package() {
  install_flavours "$release"
  write_project 'find_package(gridstride 1 CONFIG REQUIRED)' "$uses_gs"
  configure -DCMAKE_BUILD_TYPE=Release || fail "$output"
  expect_not_in Warning "$output"
  build
  if compgen -G "$release/compiler/*.so" >/dev/null; then expect_in "$split" "$output"; fi
  expect_in '63, observed: 0' "$("$project/build/sample")"
  # Under -flto the plugin still sees the kernel.
  configure -DCMAKE_BUILD_TYPE=Release -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON || fail "$output"
  build
  if compgen -G "$release/compiler/*.so" >/dev/null; then expect_in "$split" "$output"; fi
  # A prefix may be moved.
  mv "$prefix" "$box/moved"
  prefix="$box/moved"
  rm -rf "$project/build"
  configure -DCMAKE_BUILD_TYPE=Release || fail "$output"
}

test_find_package_with_both_flavours() {
  install_flavours "$release" "$checked"
  write_project 'find_package(gridstride 1 CONFIG REQUIRED COMPONENTS gs gs_checked)' \
    'add_executable(observed sample.cpp)' 'target_link_libraries(observed PRIVATE gridstride::gs_checked)'
  configure -DCMAKE_BUILD_TYPE=Release || fail "$output"
  build
  expect_in '63, observed: 1' "$("$project/build/observed")"
}

# pkg-config takes a prefix with a space apart.
test_pkg_config() {
  prefix=$(mktemp -d)
  trap 'rm -rf "$box" "$prefix"' EXIT
  install_flavours "$release"
  cp "$test_folder/sample.cpp" "$box/"
  local flags
  flags=$(PKG_CONFIG_PATH=$(find "$prefix" -name pkgconfig) pkg-config --cflags --libs gridstride) || fail "pkg-config finds nothing"
  output=$(eval "c++ -O3 -fopt-info-loop-optimized -o '$box/sample' '$box/sample.cpp' $flags" 2>&1) || fail "$output"
  if compgen -G "$release/compiler/*.so" >/dev/null; then expect_in "$split" "$output"; fi
  expect_in '63, observed: 0' "$("$box/sample")"
}

test_mismatches_are_said() {
  install_flavours "$release"
  write_project 'find_package(gridstride 2 CONFIG REQUIRED)' "$uses_gs"
  configure && fail "version 2 was found"
  expect_in 'version: 1.' "$output"
  write_project 'find_package(gridstride 1 CONFIG REQUIRED COMPONENTS gs_checked)' "$uses_gs"
  configure && fail "gs_checked was found"
  expect_in "gridstride has no component 'gs_checked' here" "$(tr -s '\n ' ' ' <<<"$output")"
  write_project 'find_package(gridstride 1 CONFIG REQUIRED)' "$uses_gs"
  local config
  config=$(find "$prefix" -name plain.cmake)
  cp "$config" "$box/plain.cmake"
  sed -i -E 's/STREQUAL "[^"]*"\)$/STREQUAL "another-processor")/; t' "$config"
  configure && fail "another processor's library was found"
  expect_in "gridstride was built for the processor" "$(tr -s '\n ' ' ' <<<"$output")"
  sed -E 's/VERSION_EQUAL "[^"]*"/VERSION_EQUAL "1.2.3"/' "$box/plain.cmake" >"$config"
  configure || fail "$output"
  if compgen -G "$release/compiler/*.so" >/dev/null; then
    expect_in "which can't load its plugin" "$(tr -s '\n ' ' ' <<<"$output")"
    cp "$box/plain.cmake" "$config"
    find "$prefix" -name 'split_at_barriers*' -delete
    configure && fail "a library without its plugin was found"
    expect_in "plugin" "$output"
    expect_in "is gone: install gridstride again" "$(tr -s '\n ' ' ' <<<"$output")"
  fi
}

# install_all FOLDER...: the command, too.
install_all() {
  local folder
  for folder in "$@"; do
    if [ ! -f "$folder/programs/libprogram_main.a" ]; then skip "package_parts aren't built in $folder"; fi
    cmake --install "$folder" --prefix "$prefix" >"$box/log" 2>&1 || fail "$(<"$box/log")"
  done
}

# installed_command STATUS WORD...: runs the installed command in another folder, without anything of this environment, and,
# where bubblewrap works, without the checkout.
installed_command() {
  local wanted=$1 hidden=()
  shift
  if bwrap --dev-bind / / --tmpfs "$source_folder" true 2>/dev/null; then hidden=(bwrap --dev-bind / / --tmpfs "$source_folder"); fi
  mkdir -p "$box/else where" "$box/home"
  cd "$box/else where" || exit 1
  output=$(env -i PATH=/usr/bin:/bin HOME="$box/home" "${hidden[@]}" "$prefix/bin/gridstride" "$@" 2>&1)
  status=$?
  [ $status = "$wanted" ] || fail "status $status for '$*': $output"
}

test_command_needs_no_checkout() {
  install_all "$release" "$checked"
  installed_command 0 new wave.cpp
  expect_in 'wave.cpp is written. Run it: gridstride run wave.cpp' "$output"
  installed_command 0 run wave.cpp
  expect_in 'the wave is' "$output"
  cp "$test_folder/sample.cpp" "$test_folder/report.cpp" "$box/else where/"
  installed_command 0 run sample.cpp
  expect_in '63, observed: 0' "$output"
  installed_command 0 inspect --json sample.cpp
  expect_in '63, observed: 1' "$output"
  expect_in '"kernel": "turn"' "$output"
  installed_command 0 run report.cpp --size 33 --json
  expect_in '"passed": true' "$output"
  installed_command 0 run report.cpp --plots pictures
  compgen -G "$box/else where/pictures/*.svg" >/dev/null || fail "there is no picture: $(ls "$box/else where/pictures")"
  printf 'int main() { return unknown; }\n' >"$box/else where/wrong.cpp"
  installed_command 1 run wrong.cpp
  expect_in "doesn't compile" "$output"
  installed_command 2 run absent.cpp
  expect_in 'gridstride new absent.cpp begins one' "$output"
  expect_not_in ./gridstride "$output"
  if grep -rlF -e "$source_folder" "$prefix" --include='*.json' --include='*.hxx' --include='*.sh' --include='*.cmake' --include='*.pc' \
    --include=gridstride; then
    fail "these files name the checkout"
  fi
  mv "$prefix" "$box/moved"
  prefix="$box/moved"
  installed_command 0 run sample.cpp
  expect_in '63, observed: 0' "$output"
}

test_command_says_what_it_lacks() {
  install_all "$release"
  installed_command 3 inspect wave.cpp
  expect_in "inspect needs the checked flavour, which isn't installed" "$output"
  installed_command 3 run 01
  expect_in "run 01 means a lesson, and the course isn't installed here" "$output"
  installed_command 3 view
  expect_in "view needs the course, which isn't installed here" "$output"
  installed_command 3 view wave.cpp
  expect_in "view needs the course, which isn't installed here: run it in a checkout, or install the Debian package." "$output"
  installed_command 2 fly
  expect_in "there is no command 'fly'; the commands are: new, run, watch, inspect, bench, debug, help" "$output"
  installed_command 0 --help
  expect_in 'gridstride run wave.cpp' "$output"
  installed_command 0 --version
  expect_in "gridstride $(sed -nE 's/^project\(gridstride VERSION ([0-9.]+) .*/\1/p' "$source_folder/CMakeLists.txt")" "$output"
  local parts
  parts=$(find "$prefix" -path '*/plain/programs/parts.json' -not -path '*/python/*')
  cp "$parts" "$box/parts.json"
  cp "$test_folder/sample.cpp" "$box/else where/"
  sed -i -E 's#libtbb\.so[^"]*#libtbb.so.9#' "$parts"
  installed_command 3 run sample.cpp
  expect_in 'libtbb.so.9; install Gridstride again' "$output"
  cp "$box/parts.json" "$parts"
  find "$prefix" -name libprogram_main.a -delete
  cp "$test_folder/sample.cpp" "$box/else where/"
  installed_command 3 run sample.cpp
  expect_in 'libprogram_main.a' "$output"
  expect_in 'install Gridstride again' "$output"
}

test_command_takes_cuda_sources() {
  install_all "$release" "$checked"
  mkdir -p "$box/else where"
  cat >"$box/else where/shift.cu" <<'END'
#include <cstdio>
__global__ void shift(float* x) {
  __shared__ float kept[64];
  kept[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = kept[(threadIdx.x + 1) % 64];
}
int main() {
  float host[64], *x;
  for (int i = 0; i < 64; ++i) host[i] = i;
  cudaMalloc(&x, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  shift<<<1, 64>>>(x);
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("first %g, last %g\n", host[0], host[63]);
  cudaFree(x);
}
END
  installed_command 0 run shift.cu
  expect_in 'first 1, last 0' "$output"
  installed_command 0 inspect --json shift.cu
  expect_in '"kernel": "shift"' "$output"
  expect_in '"findings": []' "$output"
  sed -i '/__syncthreads/d' "$box/else where/shift.cu"
  installed_command 1 inspect shift.cu
  expect_in 'shift.cu:5' "$output"
  expect_not_in "$source_folder" "$output"
}

# The module for Python, built by pip from what is installed: no path of it leads into the checkout.
test_python_needs_no_checkout() {
  local environment=$box/environment
  install_all "$release" "$checked"
  python3 -m venv "$environment" >"$box/log" 2>&1 || skip "Python has no venv: $(<"$box/log")"
  "$environment/bin/pip" download -q --retries 1 --disable-pip-version-check -d "$box/wheels" scikit-build-core nanobind numpy \
    >"$box/log" 2>&1 || skip "pip needs the network: $(tail -n 1 "$box/log")"
  "$environment/bin/pip" install -q --disable-pip-version-check "$prefix/lib/gridstride/python" >"$box/log" 2>&1 || fail "$(<"$box/log")"
  cat >"$box/wave.py" <<'END'
import gridstride as gs, numpy as np
from gridstride import _configuration
print(" ".join(v for k, v in vars(_configuration).items() if k.isupper()))
wave = gs.compile("""
GS_FN float half(float x) { return x / 2; }
GS_FN void pairs(gs::thread t, gs::view<float> x) { x[t.grid() / 2] = 1; }
""")
print(wave.half(np.arange(4, dtype=np.float32)))
x = gs.to_device(np.zeros(64, np.float32))
wave.pairs[1, 64](x)
print(x.copy_to_host().sum())
print([(f.kind, f.line) for f in gs.inspect(wave.pairs[1, 64], x).findings])
END
  output=$(cd "$box" && GRIDSTRIDE_PYTHON_CACHE=$box/cache "$environment/bin/python" wave.py 2>&1) || fail "$output"
  expect_in "$prefix/lib/gridstride" "$output"
  expect_not_in "$source_folder" "$output"
  expect_in '[0.  0.5 1.  1.5]' "$output"
  expect_in '32.0' "$output"
  expect_in "[('race_in_block', 3)]" "$output"
  expect_not_in "$source_folder" "$(readelf -d "$environment"/lib/python*/site-packages/gridstride/_core*.so "$box"/cache/*/module.so)"
}

# What configures the module says before it looks for anything of Python's.
test_python_says_what_it_lacks() {
  install_all "$release"
  local module=$prefix/lib/gridstride/python
  rm "$prefix/lib/gridstride/plain/libgridstride_libraries.so"
  output=$(cmake -S "$module" -B "$box/build" -G Ninja 2>&1) && fail "configured: $output"
  expect_in "plain/libgridstride_libraries.so" "$output"
  expect_in "install Gridstride again" "$(tr -s '\n ' ' ' <<<"$output")"
  mv "$module" "$box/python"
  output=$(cmake -S "$box/python" -B "$box/build_elsewhere" -G Ninja 2>&1) && fail "configured: $output"
  expect_in "Neither a checkout nor an installed library is around" "$(tr -s '\n ' ' ' <<<"$output")"
}

test_debian_package() {
  command -v dpkg-deb >/dev/null || skip "there is no dpkg-deb here"
  (cd "$release" && cpack -G DEB -B "$box/deb") >"$box/log" 2>&1 || fail "$(<"$box/log")"
  local package
  package=$(echo "$box"/deb/gridstride_*_all.deb)
  [ -f "$package" ] || fail "there is no package: $(<"$box/log")"
  output=$(dpkg-deb -f "$package" Depends)
  expect_in 'g++ (>= 4:12) | g++-12, cmake, ninja-build' "$output"
  expect_not_in libsodium-dev "$output"  # is needed by other commands than `run 01`
  dpkg-deb -x "$package" "$box/root" || fail "it can't be unpacked"
  [ ! -e "$box/root/usr/share/gridstride/build" ] || fail "the build folder is in it"
  export GRIDSTRIDE_HOME="$box/ho me"
  output=$("$box/root/usr/bin/gridstride" help 2>&1) || fail "$output"
  expect_in "The course is in $box/ho me" "$output"
  expect_in './gridstride run 01' "$output"
  mkdir -p "$GRIDSTRIDE_HOME/my"
  echo mine >"$GRIDSTRIDE_HOME/my/wave.cpp"
  output=$("$box/root/usr/bin/gridstride" help 2>&1) || fail "$output"
  expect_not_in 'The course is in' "$output"
  echo 0.9 >"$GRIDSTRIDE_HOME/.version"
  output=$("$box/root/usr/bin/gridstride" help 2>&1) || fail "$output"
  expect_in 'The course is in' "$output"
  expect_in mine "$(<"$GRIDSTRIDE_HOME/my/wave.cpp")"
  diff -q "$source_folder/lessons/01_hypot/lesson.cpp" "$GRIDSTRIDE_HOME/lessons/01_hypot/lesson.cpp" || fail "a lesson differs"
  output=$(GRIDSTRIDE_HOME=/proc/no/such "$box/root/usr/bin/gridstride" help 2>&1) && fail "it wrote to /proc"
  expect_in "can't be copied to '/proc/no/such'" "$output"
}

test_one_version_everywhere() {
  local version
  version=$(sed -nE 's/^project\(gridstride VERSION ([0-9.]+) .*/\1/p' "$source_folder/CMakeLists.txt")
  expect_in "$version" "$(sed -nE 's/^## ([0-9.]+)$/\1/p' "$source_folder/CHANGELOG.md" | head -n 1)"
  expect_in "$version" "$(sed -nE 's/^#define GS_VERSION_[A-Z]+ ([0-9]+)$/\1/p' "$source_folder/runtime/version.h" | paste -sd.)"
}

# The sample's object only: the library itself would be compiled anew.
test_add_subdirectory() {
  write_project 'add_custom_target(lessons)' 'add_custom_target(tests)' 'add_custom_target(documentation)' \
    "add_subdirectory(\"$source_folder\" gridstride)" "$uses_gs"
  configure -DCMAKE_BUILD_TYPE=Release || fail "$output"
  build --target CMakeFiles/sample.dir/sample.cpp.o
  if compgen -G "$release/compiler/*.so" >/dev/null; then expect_in "$split" "$output"; fi
  expect_not_in -Werror "$(grep -F 'sample.cpp.o -c' <<<"$output")"
}

test_fetch_content() {
  write_project 'add_custom_target(lessons)' 'include(FetchContent)' \
    "FetchContent_Declare(gridstride SOURCE_DIR \"$source_folder\")" 'FetchContent_MakeAvailable(gridstride)' "$uses_gs"
  configure -DCMAKE_BUILD_TYPE=Release || fail "$output"
  build --target CMakeFiles/sample.dir/sample.cpp.o
  if compgen -G "$release/compiler/*.so" >/dev/null; then expect_in "$split" "$output"; fi
}

"test_$1"
