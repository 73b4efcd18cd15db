#!/usr/bin/env bash
# The tests of `doctor`: doctor_test.sh NAME IS_JSON runs the one function test_NAME in a sandbox of its own.

set -u
source "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"
is_json=${2:-}

test_doctor() {
  remove_package libtbb-dev
  launcher doctor
  expect_status 0
  expect_in 'package libtbb-dev is missing: nothing can be built' "$out"
  expect_in "package libgtest-dev is missing: the tests can't be built" "$out"
  expect_in 'package python3-numba is missing: no figures of Numba beside ours' "$out"
  local package_count
  package_count=$(grep -c '|.*|.*|' "$repository/cmake/packages.txt")  # and the heading
  expect_in "packages       $(wc -w <"$box/installed") of $((package_count - 1)) installed" "$out"
  expect_in 'no NVIDIA GPU answers: kernels run on the engine' "$out"
  expect_in "cores          $(nproc)" "$out"
  expect_equal '' "$err"
  expect_equal 0 "$(count_calls apt-get)"
  [ ! -e "$repository/build" ] || fail 'doctor wrote to the checkout'
  launcher doctor --fast
  expect_status 2
}

test_doctor_with_gpu() {
  with_gpu
  launcher doctor
  expect_in 'GPU            A "quoted" \ name, driver 580.00, compute capability 9.0' "$out"
  expect_in 'no nvcc: the GPU stays idle' "$out"
  with_nvcc
  launcher doctor
  expect_in 'nvcc           13.0' "$out"
  expect_not_in 'stays idle' "$out"
}

test_doctor_needs_only_a_shell() {
  local tool
  for tool in "$bin"/*; do
    case ${tool##*/} in bash | env | dirname | readlink) ;; *) rm "$tool" ;; esac
  done
  launcher doctor
  expect_status 0
  expect_in 'no Debian package database' "$out"
  expect_equal '' "$err"
  launcher doctor --json
  "$is_json" <"$box/out" || fail 'this is no JSON document'
}

test_doctor_names_the_system() {
  launcher doctor
  expect_in 'system         Debian GNU/Linux 12 (bookworm); tried there: ./gridstride run 01' "$out"
  expect_not_in 'never tried' "$out"
  on_system mint 22 'A Mint'
  launcher doctor
  expect_status 0
  expect_in 'Gridstride was never tried on A Mint: ' "$out"
  launcher doctor --json
  "$is_json" <"$box/out" || fail 'this is no JSON document'
  expect_in '"system": {"name": "A Mint", "tried": null}' "$out"
  rm "$box/os-release"
  launcher doctor
  expect_in 'never tried on this system' "$out"
}

test_doctor_says_how_far_a_processor_was_tried() {
  stand_in uname <<'END'
echo "$(<"$box/machine")"
END
  echo aarch64 >"$box/machine"
  launcher doctor
  expect_status 0
  expect_in '(aarch64)' "$out"
  expect_in '  on arm64 Gridstride was tried by emulation only' "$out"
  expect_not_in 'tried there' "$out"
  echo riscv64 >"$box/machine"
  launcher doctor
  expect_in '  Gridstride was never tried on a processor of the kind riscv64' "$out"
  expect_not_in 'tried there' "$out"
  echo x86_64 >"$box/machine"
  launcher doctor
  expect_in 'tried there: ./gridstride run 01' "$out"
  expect_not_in 'emulation' "$out"
  expect_not_in 'of the kind' "$out"
}

test_doctor_says_what_a_newer_compiler_costs() {
  stand_in g++ <<'END'
echo 'g++ (Debian 16.1.0) 16.1.0'
END
  launcher doctor
  expect_in 'g++ 16.1.0 is newer than 15: there is no plugin for it' "$out"
}

test_doctor_says_what_clang_costs() {
  stand_in clang++-19 <<'END'
echo 'Debian clang version 19.1.7 (3~deb12u1)'
END
  program CXX=clang++-19 "$repository/gridstride" doctor
  expect_in 'compiler       clang 19.1.7' "$out"
  expect_in '  clang has no plugin: threads that wait at barriers take several times as long' "$out"
  expect_not_in 'tried there' "$out"
  program CXX=clang++-19 "$repository/gridstride" doctor --json
  "$is_json" <"$box/out" || fail 'this is no JSON document'
  expect_in '"compiler": {"name": "clang", "version": "19.1.7"}' "$out"
  program CXX=clang++-7 "$repository/gridstride" doctor
  expect_status 0
  expect_in 'compiler       not found' "$out"
  expect_in "the compiler clang++-7 doesn't answer: nothing can be built" "$out"
}

test_doctor_json() {
  launcher doctor --json
  expect_status 0
  "$is_json" <"$box/out" || fail 'this is no JSON document'
  expect_in '"gpus": []' "$out"
  expect_in '{"name": "libgtest-dev", "group": "test", "installed": false, ' "$out"
  expect_in '{"name": "python3-numba", "group": "peers", "installed": false, ' "$out"
  expect_in '{"name": "g++", "group": "core", "installed": true, ' "$out"
  with_gpu
  launcher doctor --json
  "$is_json" <"$box/out" || fail 'this is no JSON document'
  expect_in '"name": "A \"quoted\" \\ name"' "$out"
}

run_test "$@"
