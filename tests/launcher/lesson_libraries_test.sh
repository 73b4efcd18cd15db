#!/usr/bin/env bash
# The tests of which lessons are linked to runtime/libraries/: lesson_libraries_test.sh NAME runs the one function test_NAME.

set -u
source "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"
checkout=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
script=$checkout/cmake/lessons_with_libraries.cmake

# lesson NAME LINE [FILE]: a lesson with that line.
lesson() {
  mkdir -p "$box/course/lessons/$1"
  printf '#include "runtime/gs.h"\n#include "workbook/lesson.h"\n#include <vector>\n%s\n' "$2" >>"$box/course/lessons/$1/${3:-lesson.cpp}"
}

found() {
  cmake -DCOURSE="$box/course" -DFOUND="$box/found" -P "$script" || fail 'the script failed'
  tr '\n' ' ' <"$box/found"
}

test_lessons_that_call_libraries_are_found() {
  lesson 01_none 'const auto sum = gs::sum(x) + gs::reduce(window_sum);'
  lesson 02_transform '  const auto spectrum = gs::rfft(x);'
  lesson 03_product 'auto c = gs::gemm(a, b);'
  lesson 04_order '  gs::sort_by_key(keys, values);'
  lesson 05_running 'gs::exclusive_sum(x)'
  lesson 06_some 'gs::select_if(x, positive)'
  lesson 07_tape '#include "runtime/grad/tape.h"'
  lesson 08_arrays '#include "runtime/numpy/numpy.h"'
  lesson 09_own_header '#include "waves.h"'
  lesson 10_array '#include "runtime/array/xtensor.h"'
  expect_equal '02_transform 03_product 04_order 05_running 06_some 07_tape 08_arrays 09_own_header ' "$(found)"
}

test_lessons_that_include_what_calls_libraries_are_found() {
  local header folder expected=''
  for header in "$checkout"/runtime/*/*.h; do
    folder=$(basename "$(dirname "$header")")
    if grep -q '^#include "runtime/libraries/' "$header"; then lesson "01_$folder" "#include \"runtime/$folder/${header##*/}\""; fi
  done
  expected=$(ls "$box/course/lessons")
  expect_in 01_grad "$expected"
  expect_equal "${expected//$'\n'/ } " "$(found)"
}

test_answer_that_stays_is_not_written_again() {
  local before
  lesson 01_order 'gs::sort(x);'
  expect_equal '01_order ' "$(found)"
  before=$(stat -c %y "$box/found")
  lesson 02_none ''
  expect_equal '01_order ' "$(found)"
  expect_equal "$before" "$(stat -c %y "$box/found")"
  lesson 02_none 'gs::sort(x);'
  expect_equal '01_order 02_none ' "$(found)"
}

test_course_without_lessons_has_none() {
  mkdir -p "$box/course"
  expect_equal '' "$(found)"
}

run_test "$@"
