#!/usr/bin/env bash
# The launcher's tests: launcher_test.sh NAME IS_JSON runs the one function test_NAME in a sandbox of its own.

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

# A course of its own in $box/a course, with one lesson.
write_course() {
  mkdir -p "$box/a course/lessons/05_waves"
  touch "$box/a course/lessons/05_waves/lesson.cpp"
  printf '{"name": "Waves", "gridstride": "%s"}\n' "${1-1.0}" >"$box/a course/course.json"
}

test_another_course() {
  local words
  write_course
  for words in 'run 5' 'run waves' 'run lessons/05_waves'; do
    # shellcheck disable=SC2086
    launcher --course "$box/a course" $words --size 7
    expect_status 0
    expect_equal "05_waves:--size:7:root=$repository
course=$box/a course" "$out"
  done
  expect_in "--target course_parts" "$(calls cmake | grep -- "--build $repository/build/release")"
  expect_in "--target 05_waves" "$(calls cmake | grep -- "--build $box/a course/build/release")"
  expect_in "-B $box/a course/build/release -DGRIDSTRIDE_COURSE=$box/a course -DGRIDSTRIDE_BUILT=$repository/build/release" \
    "$(calls cmake)"
  expect_equal 2 "$(calls cmake | grep -c -- --preset)"
  launcher "--course=$box/a course" inspect 5
  expect_in "--target 05_waves" "$(calls cmake | grep -- "--build $box/a course/build/checked")"
  launcher run 5 --course "$box/a course"
  expect_status 0
  launcher run 5
  expect_status 2
  expect_in "no lesson '5'; the lessons are: 01_hypot" "$err"
}

test_another_course_by_the_environment() {
  write_course
  program env "GRIDSTRIDE_COURSE=$box/a course" "$repository/gridstride" list
  expect_status 0
  expect_equal "gridstride-workbook:list:root=$repository
course=$box/a course" "$out"
  program env "GRIDSTRIDE_COURSE=$box/a course" "$repository/gridstride" check 5
  expect_equal "gridstride-exercise:check:5:root=$repository
course=$box/a course" "$out"
  program env "GRIDSTRIDE_COURSE=$box/a course" "$repository/gridstride" run my/wave.cpp
  expect_equal "gridstride-program:run:my/wave.cpp:root=$repository
course=$box/a course" "$out"
  program env "GRIDSTRIDE_COURSE=$repository" "$repository/gridstride" run 1
  expect_equal "01_hypot:root=$repository" "$out"
  program env "GRIDSTRIDE_COURSE=/no/such" "$repository/gridstride" bench
  expect_status 0
  expect_equal "gridstride-bench:root=$repository" "$out"
}

test_another_course_is_graded_by_its_own_program() {
  write_course
  cd "$box/a course" || exit 1
  launcher --course . grade A1 my/twice.cpp
  expect_status 0
  expect_equal "gridstride-grade:A1:my/twice.cpp:root=$repository
course=$box/a course" "$out"
  expect_in '--target course_grader_parts' "$(calls cmake | grep -- "--build $repository/build/checked")"
  expect_in '--target course_grader_parts' "$(calls cmake | grep -- "--build $repository/build/release")"
  expect_in '--target submission_parts' "$(calls cmake | grep -- "--build $box/a course/build/checked")"
  expect_in '--target gridstride_grade submission_parts' "$(calls cmake | grep -- "--build $box/a course/build/release")"
}

test_course_that_was_moved_is_configured_anew() {
  write_course
  launcher --course "$box/a course" run 5
  mv "$box/a course" "$box/another"
  touch "$box/another/build/release/old"
  launcher --course "$box/another" run 5
  expect_status 0
  expect_in "-DGRIDSTRIDE_COURSE=$box/another" "$(calls cmake)"
  [ ! -e "$box/another/build/release/old" ] || fail 'objects of the old place were kept'
}

test_no_course() {
  local version
  launcher list --course
  expect_status 2
  expect_in '--course needs the folder of a course: ./gridstride --course DIR list' "$err"
  launcher --course "$box/none" list
  expect_status 2
  expect_in "There is no folder for the course '$box/none'; './gridstride course new DIR' makes one." "$err"
  mkdir "$box/empty"
  launcher --course "$box/empty" list
  expect_status 2
  expect_in "The folder '$box/empty' is no course: it has no course.json; './gridstride course new DIR' makes one that does." "$err"
  launcher course check "$box/empty"
  expect_status 2
  expect_in "'$box/empty' is no course" "$err"
  for version in '' 1.x 1.0.0.0 -1; do
    write_course "$version"
    launcher --course "$box/a course" list
    expect_status 2
    expect_in "doesn't say which version of Gridstride it wants; write \"gridstride\": \"1.0\"." "$err"
  done
  for version in 2 1.1 1.0.1 99999; do
    write_course "$version"
    launcher --course "$box/a course" list
    expect_status 2
    expect_in "wants Gridstride $version, and this is 1.0.0: install the newer one." "$err"
  done
  expect_equal 0 "$(count_calls cmake)"
  for version in 0.9 0.99.99 1 1.0 1.0.0; do
    write_course "$version"
    launcher --course "$box/a course" list
    expect_status 0
  done
}

test_course_program() {
  write_course
  launcher course new "$box/new one"
  expect_status 0
  expect_equal "gridstride-course:new:$box/new one:root=$repository" "$out"
  expect_not_in exercise_parts "$(calls cmake)"
  launcher course check "$box/a course"
  expect_equal "gridstride-course:check:$box/a course:--files:root=$repository
course=$box/a course
gridstride-course:check:$box/a course:root=$repository
course=$box/a course" "$out"
  expect_in '--target exercise_parts' "$(calls cmake | grep -- "--build $repository/build/checked")"
  expect_in '--target gridstride_grade submission_parts lessons' "$(calls cmake | grep -- "--build $box/a course/build/release")"
  launcher course check --files
  expect_equal "gridstride-course:check:--files:root=$repository" "$out"
  # What lacks a file isn't built.
  mkdir "$box/fail"
  cp "$box/a course/course.json" "$box/fail/"
  : >"$box/log/cmake"
  cd "$box" || exit 1
  launcher course check fail
  expect_status 1
  expect_equal "gridstride-course:check:fail:--files:root=$repository
course=$box/fail" "$out"
  expect_not_in submission_parts "$(calls cmake)"
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

test_builds_only_what_is_needed() {
  launcher run 6
  expect_in '--target 06_gaussian_pdf' "$(calls cmake)"
  expect_not_in 'all' "$(calls cmake)"
  launcher list
  expect_in '--target gridstride_workbook_program' "$(calls cmake)"
}

test_configures_once() {
  launcher run 6
  launcher run 6
  launcher list
  expect_equal 1 "$(calls cmake | grep -c -- --preset)"
  sleep 0.01
  touch "$repository/CMakePresets.json"
  launcher run 6
  expect_equal 2 "$(calls cmake | grep -c -- --preset)"
}

# A build in which speed didn't matter must not be used for measurements.
test_configures_anew_where_time_matters_again() {
  program GRIDSTRIDE_NOTHING_IS_TIMED=1 "$repository/gridstride" run 6
  program GRIDSTRIDE_NOTHING_IS_TIMED=1 "$repository/gridstride" run 6
  expect_equal 1 "$(calls cmake | grep -c -- --preset)"
  launcher run 6
  expect_equal 2 "$(calls cmake | grep -c -- --preset)"
}

test_configures_anew_for_another_compiler() {
  launcher run 6
  expect_in 'CXX is not set' "$(calls cmake_compiler)"
  program CXX=clang++ "$repository/gridstride" run 6
  program CXX=clang++ "$repository/gridstride" run 6
  expect_equal 2 "$(calls cmake | grep -c -- --preset)"
  expect_in 'CXX is clang++' "$(calls cmake_compiler)"
  launcher run 6
  expect_equal 3 "$(calls cmake | grep -c -- --preset)"
}

test_interrupted_configure_heals() {
  launcher run 6
  rm "$repository/build/release/build.ninja"
  launcher run 6
  expect_status 0
  rm "$repository/build/release/.configured"
  launcher run 6
  expect_status 0
  expect_equal 3 "$(calls cmake | grep -c -- --preset)"
}

test_broken_build_folder_heals() {
  launcher run 6
  echo 'half of build.ninja' >"$repository/build/release/build.ninja"
  launcher run 6
  expect_status 0
  expect_in '06_gaussian_pdf:' "$out"
}

test_moved_checkout() {
  launcher run 6
  touch "$repository/build/release/object_of_the_old_place"
  mv "$repository" "$box/elsewhere"
  repository=$box/elsewhere
  launcher run 6
  expect_status 0
  expect_equal "06_gaussian_pdf:root=$repository" "$out"
  [ ! -e "$repository/build/release/object_of_the_old_place" ] || fail 'the old build folder was kept'
}

test_from_anywhere_through_a_symbolic_link() {
  ln -s "$repository/gridstride" "$box/link"
  ln -s link "$box/link to link"
  cd /
  program "$box/link to link" run 6
  expect_status 0
  expect_equal "06_gaussian_pdf:root=$repository" "$out"
  cd "$repository/lessons" || exit
  program ../gridstride run 6
  expect_equal "06_gaussian_pdf:root=$repository" "$out"
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

test_compile_error() {
  echo "lesson.cpp:3:9: error: expected ';'" >"$box/compile_error"
  launcher run 6
  expect_status 1
  expect_in "lesson.cpp:3:9: error: expected ';'" "$err"
  expect_in 'lesson 06_gaussian_pdf did not build' "$err"
  expect_not_in '[1/2]' "$err"
  expect_equal '' "$out"
}

test_configure_error() {
  touch "$box/configure_error"
  launcher run 6
  expect_status 3
  expect_in 'CMake Error: no' "$err"
  expect_in "could not configure the preset 'release'" "$err"
}

test_build_folder_that_cannot_be_written() {
  touch "$repository/build"
  launcher run 6
  expect_status 3
  expect_in "'$repository/build', which can't be written" "$err"
}

# A checkout on a read-only medium. (Root could write to a folder that is merely write-protected.)
make_read_only() {
  rm -f "$repository/build/.lock"
  mkdir "$repository/build/.lock"
}

test_what_is_built_runs_where_nothing_can_be_written() {
  launcher run 6
  launcher grade
  make_read_only
  rm "$box/log/cmake"
  launcher run 6 --json
  expect_status 0
  expect_equal "06_gaussian_pdf:--json:root=$repository" "$out"
  expect_equal '' "$err"
  launcher grade
  expect_equal "gridstride-grade:root=$repository" "$out"
  launcher run 6 fail
  expect_status 1
  expect_equal 0 "$(count_calls cmake)"
}

test_what_is_not_built_is_said_where_nothing_can_be_written() {
  launcher run 6
  make_read_only
  launcher run 8
  expect_status 3
  expect_in "08_zero_suppress' isn't built, and '$repository/build' can't be written" "$err"
  launcher check 8
  expect_status 3
  expect_in "'$repository/build', which can't be written" "$err"
  sleep 0.01
  touch "$repository/lessons/06_gaussian_pdf/lesson.cpp"
  launcher run 6
  expect_status 0
  expect_in "'lessons/06_gaussian_pdf/lesson.cpp' has changed since it was built" "$err"
}

test_what_is_built_runs_beside_a_gpu_that_it_was_not_built_for() {
  launcher run 6
  make_read_only
  with_gpu
  with_nvcc
  launcher run 6
  expect_status 0
  expect_equal '' "$err"
}

test_one_launcher_waits_for_another() {
  mkdir "$repository/build"
  flock "$repository/build/.lock" bash -c "sleep 0.6; : >'$box/released'" &
  sleep 0.1
  launcher run 6
  [ -e "$box/released" ] || fail 'it did not wait'
  wait
  expect_status 0
  expect_in 'Another ./gridstride is building here; waiting for it.' "$err"
}

test_lock_is_free_while_the_program_runs() {
  printf '#!/usr/bin/env bash\nflock -n "%s/build/.lock" bash -c : && echo free\n' "$repository" >"$box/program"
  chmod +x "$box/program"
  sed -i 's,chmod +x "$folder/$program",cat "$box/program" >"$folder/$program"; &,' "$bin/cmake"
  launcher run 6
  expect_equal free "$out"
}

test_process_left_behind_does_not_hold_the_lock() {
  touch "$box/leaves_a_process"
  launcher run 6
  launcher run 6
  expect_status 0
  expect_not_in 'Another' "$err"
}

test_preset_by_itself() {
  launcher run 6
  expect_in '--preset release' "$(calls cmake)"
  with_nvcc
  launcher run 6
  expect_not_in cuda "$(calls cmake)"
  with_gpu
  rm "$bin/nvcc"
  launcher run 6
  expect_not_in cuda "$(calls cmake)"
  with_nvcc
  launcher run 6
  expect_in '--preset cuda' "$(calls cmake)"
}

test_nvcc_in_its_customary_place() {
  with_gpu
  with_nvcc
  mkdir -p "$box/cuda/bin"
  mv "$bin/nvcc" "$box/cuda/bin/"
  launcher run 6
  expect_in '--preset cuda' "$(calls cmake)"
}

test_gpu_is_asked_once() {
  with_gpu
  with_nvcc
  launcher run 6
  launcher run 6
  expect_equal 1 "$(count_calls nvidia-smi)"
}

test_preset_from_the_environment() {
  preset=sanitize
  launcher run 6
  expect_in '--preset sanitize' "$(calls cmake)"
  preset=fast
  launcher run 6
  expect_status 2
  expect_in "'fast', which isn't a preset; choose one of: release checked sanitize cuda" "$err"
  preset=cuda
  launcher run 6
  expect_status 3
  expect_in 'nvcc was not found' "$err"
}

test_broken_nvcc_falls_back() {
  with_gpu
  with_nvcc
  touch "$box/nvcc_is_broken"
  launcher run 6
  expect_status 0
  expect_equal 1 "$(grep -c "nvcc can't build for it" <<<"$err")"
  expect_equal "06_gaussian_pdf:root=$repository" "$out"
  launcher run 6
  expect_in "nvcc can't build for it" "$err"
  expect_equal 1 "$(calls cmake | grep -c -- '--preset cuda')"
  # Another nvcc gets its chance.
  rm "$box/nvcc_is_broken"
  echo '# newer' >>"$bin/nvcc"
  launcher run 6
  expect_not_in "can't build" "$err"
  expect_equal 2 "$(calls cmake | grep -c -- '--preset cuda')"
  # Asked for by name, it is an error.
  touch "$box/nvcc_is_broken"
  rm -r "$repository/build"
  preset=cuda
  launcher run 6
  expect_status 3
  expect_in 'The CUDA compiler is broken' "$err"
}

test_nvcc_is_not_blamed_for_other_errors() {
  with_gpu
  with_nvcc
  touch "$box/configure_error"
  launcher run 6
  expect_status 3
  rm "$box/configure_error"
  launcher run 6
  expect_not_in "can't build" "$err"
  expect_equal 2 "$(calls cmake | grep -c -- '--preset cuda')"
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

# What makes the launcher quick with nothing to do: it asks neither CMake, and so not Ninja, nor the package manager.
test_nothing_to_do_asks_nobody() {
  local cmake_calls package_calls
  launcher run 6
  launcher run 6  # after the first run the folders of the build are newer than what it has noted
  expect_status 0
  cmake_calls=$(count_calls cmake)
  package_calls=$(count_calls dpkg-query)
  ((cmake_calls > 0)) || fail "nothing has been built"
  launcher run 6
  expect_status 0
  expect_equal "06_gaussian_pdf:root=$repository" "$out"
  expect_equal "$cmake_calls" "$(count_calls cmake)"
  expect_equal "$package_calls" "$(count_calls dpkg-query)"
  sleep 0.02
  touch "$repository/lessons/06_gaussian_pdf/lesson.cpp"
  launcher run 6
  expect_status 0
  ((cmake_calls < $(count_calls cmake))) || fail "a lesson that has changed was not built"
}

# `check` needs a build of each flavour, and looks at the sources once for both where it may.
test_each_build_is_asked_for_when_a_source_has_changed() {
  local before
  launcher check 8
  launcher check 8
  before=$(count_calls cmake)
  launcher check 8
  expect_equal "$before" "$(count_calls cmake)"
  sleep 0.02
  touch "$repository/lessons/08_zero_suppress/lesson.cpp"
  sleep 0.02
  launcher progress  # builds what is plain alone
  expect_not_in build/checked "$(calls cmake | tail -n +$((before + 1)))"
  before=$(count_calls cmake)
  launcher check 8
  expect_in build/checked "$(calls cmake | tail -n +$((before + 1)))"
  before=$(count_calls cmake)
  mkdir "$repository/build/checked/lessons"  # as it is when something was put in or taken out there
  launcher check 8
  expect_in build/checked "$(calls cmake | tail -n +$((before + 1)))"
}

run_test "$@"
