#!/usr/bin/env bash
# The launcher's commands: launcher_test.sh NAME IS_JSON runs the one function test_NAME in a sandbox of its own.

set -u
source "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"
is_json=${2:-}

test_help() {
  local words
  for words in '' help --help -h 'run --help' 'inspect --help' 'inspect -h' 'test --help'; do
    # shellcheck disable=SC2086
    launcher $words
    expect_status 0
    expect_in './gridstride list' "$out"
    expect_in './gridstride run 01' "$out"
    expect_in './gridstride test' "$out"
    expect_in './gridstride inspect 18' "$out"
    expect_in './gridstride watch [08]' "$out"
    expect_equal '' "$err"
  done
  expect_equal 0 "$(count_calls cmake)"
}

test_unknown_command() {
  launcher fly
  expect_status 2
  expect_in "no command 'fly'; the commands are: list, run, inspect, new, debug, install, view, check, watch, hint, solution, reset, skip, progress, grade, certificate, course, test, bench, python, setup, doc, book, doctor, help" "$err"
  expect_equal '' "$out"
}

test_run_without_lesson() {
  launcher run
  expect_status 2
  expect_in 'Which lesson?' "$err"
  launcher run --json
  expect_status 2
  expect_in './gridstride run 01 --json' "$err"
}

test_inspect() {
  launcher inspect 6 --instruments racecheck --json
  expect_status 0
  expect_equal "06_gaussian_pdf:--inspect:--instruments:racecheck:--json:root=$repository" "$out"
  expect_in '--preset checked' "$(calls cmake)"
  expect_in 'build/checked' "$(calls cmake)"
  expect_in '--target 06_gaussian_pdf' "$(calls cmake)"
  expect_not_in release "$(calls cmake)"
  launcher inspect gaussian_pdf fail
  expect_status 1
  launcher inspect 6 --help
  expect_equal "06_gaussian_pdf:--inspect:--help:root=$repository" "$out"
}

test_programs_of_ones_own() {
  local file
  mkdir -p "$box/elsewhere/folder"
  cd "$box/elsewhere" || exit 1
  printf 'no C++\n' >notes.txt
  for file in my/wave.cpp 'a wave.cc' ./folder folder/ . notes.txt my/absent "$repository/lessons/01_hypot/lesson.cpp"; do
    launcher run "$file" 12 --fast
    expect_status 0
    expect_equal "gridstride-program:run:$file:12:--fast:root=$repository" "$out"
  done
  expect_in '--target gridstride_program program_parts' "$(calls cmake)"
  expect_not_in build/checked "$(calls cmake)"
  launcher watch my/wave.cpp
  expect_equal "gridstride-program:watch:my/wave.cpp:root=$repository" "$out"
  launcher new my/wave.cpp
  expect_equal "gridstride-program:new:my/wave.cpp:root=$repository" "$out"
  expect_not_in gdb "$(calls apt-get)"
  for file in lessons/06_gaussian_pdf lessons/06 some/hypot 06; do
    launcher run "$file" --plots some/folder
    expect_in '_' "${out%%:*}"
  done
}

test_programs_of_ones_own_under_the_instruments() {
  launcher inspect --lines --gpu 8.0 my/wave.cpp 12
  expect_equal "gridstride-program:inspect:--lines:--gpu:8.0:my/wave.cpp:12:root=$repository" "$out"
  expect_in '--target program_parts' "$(calls cmake | grep build/checked)"
  launcher debug --thread 'block 3 thread 17' my/wave.cpp
  expect_equal "gridstride-program:debug:--thread:block 3 thread 17:my/wave.cpp:root=$repository" "$out"
  expect_in gdb "$(calls apt-get)"
  launcher inspect my/wave.cpp
  expect_equal "gridstride-program:inspect:my/wave.cpp:root=$repository" "$out"
}

test_bench_feedback() {
  launcher bench feedback
  expect_status 0
  expect_in 'Milliseconds from a save to its verdict' "$out"
  expect_in 'run wave.cpp' "$out"
  expect_in './gridstride ' "$out"
  mkdir -p "$repository/lessons/08_zero_suppress"
  touch "$repository/lessons/08_zero_suppress/solution.cpp"
  launcher bench feedback
  expect_status 1
  expect_in 'The solution of exercise 08 did not pass' "$err"
  mkdir -p "$repository/lessons/17_races_and_atomics/warm_up"
  touch "$repository/lessons/17_races_and_atomics/warm_up/solution.cpp"
  launcher bench feedback
  expect_in 'The solution of exercise 17w did not pass' "$err"
  launcher bench feedback 08
  expect_status 2
  expect_in "bench feedback takes --json and nothing more, and got '08'" "$err"
  launcher bench feedback --json 08
  expect_status 2
}

test_bench_feedback_as_json() {
  launcher bench feedback --json
  expect_status 0
  printf '%s\n' "$out" | "$is_json" || fail 'this is no JSON document'
  expect_in '"rows": [' "$out"
  expect_in '{"name": "run wave.cpp", "total_ms": ' "$out"
  expect_in '"wanted_ms": 1000}' "$out"
  expect_not_in 'Milliseconds' "$out"
}

test_install() {
  launcher install --prefix "$box/pre fix"
  expect_status 0
  expect_in '--target package_parts' "$(calls cmake | grep build/release)"
  expect_in '--target package_parts' "$(calls cmake | grep build/checked)"
  expect_in "--install $repository/build/checked --prefix $box/pre fix" "$(calls cmake)"
  expect_in 'find_package(gridstride 1 CONFIG)' "$err"
  expect_in "the command $box/pre fix/bin/gridstride" "$err"
  expect_equal "$(printf '%s\n' bin lib)" "$(ls -A "$box/pre fix")"
  expect_equal one "$(<"$box/pre fix/lib/release")"
  expect_equal '' "$out"
  launcher install --prefix="$box/another"
  expect_in "--prefix $box/another" "$(calls cmake)"
}

test_install_says_what_is_wrong_before_it_builds() {
  launcher install --prefix /proc/no/such
  expect_status 2
  expect_in "install writes to '/proc/no/such', which can't be written; choose another folder" "$err"
  local file
  for file in "$repository/gridstride" "$repository/gridstride/lib"; do
    launcher install --prefix "$file"
    expect_status 2
    expect_in "install takes a folder, and '$repository/gridstride' is none" "$err"
  done
  launcher install --prefix=
  expect_status 2
  expect_in 'install --prefix needs a folder' "$err"
  launcher install --prefix
  expect_status 2
  expect_in 'install --prefix needs a folder' "$err"
  launcher install everything
  expect_status 2
  expect_in "was given 'everything'" "$err"
  expect_equal 0 "$(count_calls cmake)"
}

test_install_leaves_nothing_half_installed() {
  touch "$box/no_room"
  launcher install --prefix "$box/prefix"
  expect_status 3
  expect_in 'No space left on device' "$err"
  expect_in "Installing into '$box/prefix' failed, as shown above, and nothing is installed" "$err"
  expect_equal '' "$(ls -A "$box/prefix")"
  rm "$box/no_room"
  mkdir "$box/prefix/lib"
  echo older >"$box/prefix/lib/release"
  launcher install --prefix "$box/prefix"
  expect_status 0
  expect_equal one "$(<"$box/prefix/lib/release")"
  cd "$box" || exit 1
  launcher install --prefix relative/prefix
  expect_status 0
  expect_equal one "$(<"$box/relative/prefix/lib/release")"
}

test_inspect_builds_the_checked_flavour_whatever_the_preset() {
  with_gpu
  with_nvcc
  launcher inspect 6
  expect_status 0
  expect_not_in cuda "$(calls cmake)"
  preset=sanitize
  launcher inspect 6
  expect_status 0
  expect_not_in sanitize "$(calls cmake)"
}

test_inspect_without_lesson() {
  launcher inspect
  expect_status 2
  expect_in 'Which lesson? Its number comes first: ./gridstride inspect 01 [OPTIONS]' "$err"
  launcher inspect --lines
  expect_status 2
  expect_in './gridstride inspect 01 --lines' "$err"
  launcher inspect 77
  expect_status 2
  expect_in "no lesson '77'" "$err"
  expect_equal 0 "$(count_calls cmake)"
}

test_unknown_lesson() {
  launcher run 77
  expect_status 2
  expect_in "no lesson '77'; the lessons are: 01_hypot 06_gaussian_pdf 08_zero_suppress" "$err"
  launcher run gaussian
  expect_status 2
  expect_in "no lesson 'gaussian'; did you mean 06_gaussian_pdf?" "$err"
  expect_equal 0 "$(count_calls cmake)"
}

test_lesson_by_any_name() {
  local name
  for name in 6 06 gaussian_pdf gaussian-pdf Gaussian_PDF 06_gaussian_pdf lessons/06_gaussian_pdf/; do
    launcher run "$name"
    expect_status 0
    expect_in '06_gaussian_pdf:' "$out"
  done
  launcher run 08
  expect_in '08_zero_suppress:' "$out"
}

test_ambiguous_lesson() {
  mkdir "$repository/lessons/06_other"
  touch "$repository/lessons/06_other/lesson.cpp"
  launcher run 6
  expect_status 2
  expect_in "'6' means several lessons: 06_gaussian_pdf 06_other" "$err"
  launcher run 06_other
  expect_status 0
}

test_options_and_status_are_passed_on() {
  launcher run 6 --plots 'a  folder' --json
  expect_status 0
  expect_equal "06_gaussian_pdf:--plots:a  folder:--json:root=$repository" "$out"
  launcher run 6 fail
  expect_status 1
  launcher list --json
  expect_equal "gridstride-workbook:list:--json:root=$repository" "$out"
}

test_a_lesson_that_was_killed() {
  launcher run 6 die KILL
  expect_status 3
  expect_equal '06_gaussian_pdf was killed (SIGKILL), as the system does when memory runs out: choose a smaller size, or close other programs.' "$err"
  launcher run 6 die SEGV
  expect_status 139
  expect_equal '06_gaussian_pdf was ended by SIGSEGV.' "$err"
  launcher run 6 die INT
  expect_status 130
  expect_equal '' "$err"
}

test_an_error_in_a_lesson_is_explained() {
  printf '%s\n' 'FAILED: lessons/x.o' '/usr/bin/c++ -DLONG_COMMAND -o x.o -c lesson.cpp' \
    "$repository/lessons/06_gaussian_pdf/lesson.cpp:3:9: error: expected ';'" >"$box/compile_error"
  launcher run 6
  expect_status 1
  expect_in "gridstride-explain:errors:$repository/lessons/06_gaussian_pdf/lesson.cpp" "$err"
  expect_in 'lesson 06_gaussian_pdf did not build' "$err"
  expect_not_in LONG_COMMAND "$err"
  expect_equal '' "$out"
}

test_an_error_elsewhere_is_shown_without_its_command() {
  printf '%s\n' 'FAILED: runtime/x.o' '/usr/bin/c++ -DLONG_COMMAND -o x.o -c shape.cpp' \
    "$repository/runtime/core/shape.cpp:3:9: error: expected ';'" >"$box/compile_error"
  launcher run 6
  expect_status 1
  expect_in "shape.cpp:3:9: error: expected ';'" "$err"
  expect_not_in LONG_COMMAND "$err"
  expect_not_in gridstride_explain "$(calls cmake)"
}

test_of_an_edited_lesson_it_is_said_once_what_was_left_out() {
  mkdir -p "$repository/build/release/compiler"
  touch "$repository/build/release/compiler/marks_left_out"
  launcher run 6
  expect_status 0
  expect_not_in GS_FN "$err"
  sleep 0.05
  touch "$repository/lessons/06_gaussian_pdf/lesson.cpp"
  launcher run 6
  expect_status 0
  expect_in "without GS_FN were not looked for: './gridstride doctor' says which package is missing" "$err"
  expect_in 06_gaussian_pdf: "$out"
  launcher run 6
  expect_not_in GS_FN "$err"
  rm "$repository/build/release/compiler/marks_left_out"
  sleep 0.05
  touch "$repository/lessons/06_gaussian_pdf/lesson.cpp"
  launcher run 6
  expect_not_in GS_FN "$err"
}

test_tests() {
  launcher test -R 'some tests'
  expect_status 0
  expect_in '-R some tests' "$(calls ctest)"
  expect_equal '2 tests passed, 0 failed, 1 skipped (release)' "${out##*$'\n'}"
  expect_in '--target submission_parts' "$(calls cmake | grep build/checked)"
  expect_in '--target all tests' "$(calls cmake)"
  echo 2 >"$box/failures"
  launcher test
  expect_status 1
  expect_equal '0 tests passed, 2 failed, 1 skipped (release)' "${out##*$'\n'}"
}

test_tests_that_fail_run_once_more_alone() {
  echo 2 >"$box/failures"
  echo 1 >"$box/failures_alone"
  launcher test
  expect_status 1
  expect_in '--rerun-failed' "$(calls ctest)"
  expect_in 'Failed beside other tests, and passed alone: suite.test_2' "$out"
  expect_not_in 'passed alone: suite.test_1' "$out"
  expect_equal '1 tests passed, 1 failed, 1 skipped (release)' "${out##*$'\n'}"
  echo 0 >"$box/failures_alone"
  launcher test
  expect_status 0
  expect_in 'Failed beside other tests, and passed alone: suite.test_1' "$out"
  expect_equal '2 tests passed, 0 failed, 1 skipped (release)' "${out##*$'\n'}"
  rm "$box/failures_alone"
  echo 11 >"$box/failures"
  rm "$box/log/ctest"
  launcher test
  expect_status 1
  expect_not_in '--rerun-failed' "$(calls ctest)"
  expect_not_in 'passed alone' "$out"
}

test_benchmarks() {
  launcher bench gaussian --json
  expect_status 0
  expect_equal "gridstride-bench:gaussian:--json:root=$repository" "$out"
}

test_reference() {
  mkdir "$repository/runtime"
  printf '#define GS_VERSION_%s\n' 'MAJOR 9' 'MINOR 8' 'PATCH 7' >"$repository/runtime/version.h"
  launcher doc
  expect_status 3
  expect_in 'install -y --no-install-recommends doxygen' "$(calls apt-get)"
  expect_in 'doc needs Doxygen, which was not found' "$err"
  stand_in doxygen <<'END'
printf '%s %s' "$GRIDSTRIDE_VERSION" "$PWD" >"$box/asked"
if [ -e "$box/mistaken" ]; then echo 'a.h:1: error: no comment'; exit 1; fi
END
  launcher doc
  expect_status 0
  expect_equal "The reference of gs is $repository/build/doc/html/index.html." "$err"
  expect_equal "9.8.7 $repository" "$(<"$box/asked")"
  touch "$box/mistaken"
  launcher doc
  expect_status 1
  expect_in $'a.h:1: error: no comment\nThe reference has mistakes, which stand above.' "$err"
  launcher doc kernels
  expect_status 2
  expect_in "doc takes nothing, and got 'kernels'" "$err"
  rm -r "$repository/build"
  touch "$repository/build"
  launcher doc
  expect_status 3
  expect_in "'$repository/build/doc', which can't be written" "$err"
  expect_equal 0 "$(count_calls cmake)"
}

test_benchmarks_of_ones_own_program() {
  mkdir -p "$box/elsewhere"
  cd "$box/elsewhere" || exit 1
  touch before.json
  launcher bench my/wave.cpp 12
  expect_status 0
  expect_equal "gridstride-program-bench:my/wave.cpp:12:root=$repository" "$out"
  expect_in '--target gridstride_program_bench program_parts' "$(calls cmake)"
  expect_in libbenchmark-dev "$(calls apt-get)"
  expect_not_in benchmarks "$(calls cmake)"
  launcher bench --json wave.cpp
  expect_equal "gridstride-program-bench:--json:wave.cpp:root=$repository" "$out"
  launcher bench --against before.json
  expect_equal "gridstride-bench:--against:before.json:root=$repository" "$out"
}

test_grade() {
  with_gpu
  with_nvcc
  launcher grade A1 'my layer.cpp' --json
  expect_status 0
  expect_equal "gridstride-grade:A1:my layer.cpp:--json:root=$repository" "$out"
  expect_in "build/checked -j" "$(calls cmake)"
  expect_in '--target submission_parts' "$(calls cmake)"
  expect_in '--target gridstride_grade submission_parts' "$(calls cmake)"
  expect_in 'bubblewrap' "$(calls apt-get)"
  expect_not_in cuda "$(calls cmake)"
  launcher grade A1 fail
  expect_status 1
}

test_on_a_gpu_without_one() {
  local command
  for command in 'grade A3 my.cpp' 'check 8'; do
    rm -f "$bin/nvcc"
    # shellcheck disable=SC2086
    launcher $command --target cuda
    expect_status 3
    expect_in '--target cuda compiles your program with nvcc, which was not found' "$err"
    with_nvcc
    if ! compgen -G '/dev/nvidia[0-9]*' >/dev/null && [ ! -e /dev/dxg ]; then
      # shellcheck disable=SC2086
      launcher $command --target=cuda
      expect_status 3
      expect_in 'and this machine has none: leave it out' "$err"
    fi
    expect_equal '' "$(calls cmake)"
  done
}

test_check_and_watch() {
  local command
  with_gpu
  with_nvcc
  for command in check watch; do
    rm -rf "$repository/build" "$box/log/cmake"
    launcher $command 8 'my file.cpp' --json
    expect_status 0
    expect_equal "gridstride-exercise:$command:8:my file.cpp:--json:root=$repository" "$out"
    expect_in '--target exercise_parts' "$(calls cmake | grep build/checked)"
    expect_in '--target gridstride_exercise' "$(calls cmake | grep build/release)"
    expect_not_in submission_parts "$(calls cmake)"
    expect_not_in cuda "$(calls cmake)"
    launcher $command fail
    expect_status 1
  done
}

test_what_checks_nothing_needs_no_checked_build() {
  local command
  for command in hint solution reset skip progress; do
    launcher $command 8
    expect_status 0
    expect_equal "gridstride-exercise:$command:8:root=$repository" "$out"
  done
  expect_not_in checked "$(calls cmake)"
}

test_without_a_command_it_says_what_is_next() {
  launcher
  expect_in './gridstride run 01' "$out"
  expect_equal 0 "$(count_calls cmake)"
  launcher hint 8
  launcher
  expect_status 0
  expect_equal "gridstride-workbook:next:root=$repository" "$out"
}

test_without_a_command_it_says_what_is_next_after_a_lesson() {
  launcher run 01
  launcher
  expect_status 0
  expect_equal "gridstride-workbook:next:root=$repository" "$out"
  expect_not_in gridstride_exercise "$(calls cmake)"
}

test_without_a_command_it_builds_in_the_flavour_that_is_there() {
  launcher inspect 6
  launcher
  expect_equal "gridstride-workbook:next:root=$repository" "$out"
  expect_not_in release "$(calls cmake)"
}

test_view_of_a_program() {
  launcher view my/wave.cpp --render picture.png
  expect_status 0
  expect_equal "gridstride-program:view:my/wave.cpp:--render:picture.png:root=$repository" "$out"
  expect_in '--target gridstride-view gridstride_program program_parts' "$(calls cmake)"
  expect_in 'libimgui-dev' "$(calls apt-get)"
  expect_not_in lesson_modules "$(calls cmake)"
  launcher view --render some/picture.png my/wave.cpp
  expect_equal "gridstride-program:view:--render:some/picture.png:my/wave.cpp:root=$repository" "$out"
  mkdir "$box/folder"
  launcher view "$box/folder"
  expect_equal "gridstride-program:view:$box/folder:root=$repository" "$out"
  with_gpu
  with_nvcc
  launcher view my/wave.cpp
  expect_status 0
  expect_not_in cuda "$(calls cmake)"
}

test_view() {
  launcher view
  expect_status 0
  expect_in 'libimgui-dev' "$(calls apt-get)"
  expect_in 'libegl-dev' "$(calls apt-get)"
  expect_equal "gridstride-view:root=$repository" "$out"
  expect_in '--target gridstride-view lesson_modules' "$(calls cmake)"
  launcher view 6 --render picture.png
  expect_status 0
  expect_equal "gridstride-view:06_gaussian_pdf:--render:picture.png:root=$repository" "$out"
  expect_in '--target gridstride-view 06_gaussian_pdf_module' "$(calls cmake)"
  launcher view --page Machine
  expect_equal "gridstride-view:--page:Machine:root=$repository" "$out"
  launcher view 77
  expect_status 2
  expect_in "no lesson '77'" "$err"
}

test_view_has_the_gpu_where_there_is_one() {
  with_nvcc
  launcher view 6
  expect_not_in cuda "$(calls cmake)"
  with_gpu
  launcher view 6
  expect_status 0
  expect_in "$repository/build/cuda -j" "$(calls cmake)"
  expect_in '--target gridstride-view 06_gaussian_pdf_module' "$(calls cmake | grep build/cuda)"
  expect_equal "gridstride-view:06_gaussian_pdf:root=$repository" "$out"
}

test_view_is_built_as_it_is_asked_for_but_never_observed() {
  with_gpu
  with_nvcc
  for preset in release sanitize cuda; do
    launcher view
    expect_status 0
    expect_in "--preset $preset" "$(calls cmake)"
  done
  rm "$box/log/cmake"
  preset=checked
  launcher view
  expect_status 0
  expect_in "$repository/build/release -j" "$(calls cmake)"
  expect_not_in checked "$(calls cmake)"
}

test_certificate() {
  with_gpu
  with_nvcc
  launcher certificate --name 'Ada Lovelace'
  expect_status 0
  expect_equal "gridstride-certificate:--name:Ada Lovelace:root=$repository" "$out"
  expect_in '--target gridstride_certificate' "$(calls cmake)"
  expect_not_in submission_parts "$(calls cmake)"
  expect_not_in cuda "$(calls cmake)"
  launcher certificate fail
  expect_status 1
}

# Every command that the launcher knows has what it calls.
test_commands_are_there() {
  local command
  for command in list view check watch hint solution reset skip progress grade certificate bench; do
    launcher $command
    expect_not_in 'command not found' "$err"
    expect_status 0
  done
}

test_grade_alone_builds_only_the_grader() {
  launcher grade
  expect_status 0
  expect_equal "gridstride-grade:root=$repository" "$out"
  expect_not_in submission_parts "$(calls cmake)"
  expect_not_in checked "$(calls cmake)"
}

run_test "$@"
