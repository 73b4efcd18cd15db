#!/usr/bin/env bash
# The tests of what CI runs: ci_test.sh NAME IS_JSON runs the one function test_NAME in a sandbox of its own.

set -u
source "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"

with_ci() {
  mkdir "$repository/.ci"
  cp "$source_root/.ci/run" "$repository/.ci/"
  ln -s "$(command -v xargs)" "$bin/xargs"
  printf 'one.cpp\0two.h\0' >"$box/sources"
  stand_in git <<'END'
cat "$box/sources"
END
  stand_in clang-format-19 <<'END'
if [ -e "$box/badly_laid_out" ]; then echo 'one.cpp:1:1: error: code should be clang-formatted'; exit 1; fi
END
  stand_in doxygen <<'END'
if [ -e "$box/uncommented" ]; then echo 'one.h:1: error: Member one() (function) of namespace gs is not documented.'; exit 1; fi
END
  stand_in run-clang-tidy-19 <<'END'
if [ -e "$box/mistaken" ]; then echo 'one.cpp:1:1: error: use after move [bugprone-use-after-move]'; exit 1; fi
END
}

test_ci() {
  with_ci
  with_nvcc
  program "$repository/.ci/run"
  expect_status 0
  expect_equal '8 passed, 0 failed' "${out##*$'\n'}"
  expect_equal 5 "$(calls cmake | grep -c -- --preset)"
  expect_equal 2 "$(calls cmake | grep -c -- 'build/checked .*tests_flavour')"  # begun ahead, and asked for
  expect_in '--dry-run --Werror one.cpp two.h' "$(calls clang-format-19)"
  expect_in 'install -y --no-install-recommends clang-format-19 clang-tidy-19' "$(calls apt-get)"
  expect_in '-p build/tidy' "$(calls run-clang-tidy-19)"
  rm "$bin/nvcc"
  program "$repository/.ci/run"
  expect_in 'CUDA: left out, there is no nvcc' "$out"
  expect_equal '6 passed, 0 failed' "${out##*$'\n'}"
}

test_ci_leaves_out_what_would_not_end_in_time() {
  with_ci
  with_nvcc
  program GRIDSTRIDE_CI_SECONDS=-1 "$repository/.ci/run"
  expect_status 0
  expect_in 'Layout of the sources: fine' "$out"
  expect_in 'Reference of the library: fine' "$out"
  expect_in 'clang-tidy: left out. It would end after' "$out"
  expect_in "Left out, as this machine is slow: CUDA: lessons, benchmarks and tests of kernels compile for GPUs, and run
Left out, as this machine is slow: Checked flavour
Left out, as this machine is slow: AddressSanitizer and UndefinedBehaviorSanitizer
Left out, as this machine is slow: clang-tidy
2 passed, 0 failed" "$out"
}

test_ci_stops_at_the_first_failure() {
  with_ci
  touch "$box/badly_laid_out"
  program "$repository/.ci/run"
  expect_status 1
  expect_in 'Layout of the sources: FAILED with status 1' "$out"
  expect_equal '2 passed, 1 failed' "${out##*$'\n'}"
  rm "$box/badly_laid_out"
  touch "$box/uncommented"
  program "$repository/.ci/run"
  expect_status 1
  expect_in 'Reference of the library: FAILED with status 1' "$out"
  expect_in 'one() (function) of namespace gs is not documented' "$err"
  rm "$box/uncommented"
  touch "$box/mistaken"
  program "$repository/.ci/run"
  expect_status 1
  expect_in '[bugprone-use-after-move]' "$out"
  expect_in 'clang-tidy: FAILED with status 1' "$out"
  expect_equal '6 passed, 1 failed' "${out##*$'\n'}"
  echo 2 >"$box/failures"
  program "$repository/.ci/run"
  expect_status 1
  expect_in 'test command: ./gridstride --yes test: FAILED with status 1' "$out"
  expect_not_in 'Sanitizer' "$out"
  expect_equal '0 passed, 2 failed' "${out##*$'\n'}"
  rm "$box/failures"
  echo "x.cpp:1: error: no" >"$box/compile_error"
  program "$repository/.ci/run"
  expect_status 1
  expect_in 'x.cpp:1: error: no' "$err"
  expect_equal '0 passed, 1 failed' "${out##*$'\n'}"
}

run_test "$@"
