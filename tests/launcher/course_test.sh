#!/usr/bin/env bash
# The launcher with a course of one's own: course_test.sh NAME runs the one function test_NAME in a sandbox of its own.

set -u
source "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"

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

run_test "$@"
