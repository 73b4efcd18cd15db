#!/usr/bin/env bash
# course_test.sh SOURCE RELEASE CHECKED: a new course in a folder of its own is built there with what RELEASE and CHECKED have
# built, as the launcher does; its lesson runs and is listed, its exercise is checked, its assessment graded, and the check of
# the whole finds nothing, until a lesson, an exercise and a solution don't do what they should.

set -u
source_folder=$1 release=$2 checked=$3
box=$(mktemp -d "${TMPDIR:-/tmp}/gridstride course.XXXXXX")
trap 'rm -rf "$box"' EXIT
course="$box/waves"

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}
expect_in() { [[ $2 == *"$1"* ]] || fail "expected '$1' in: $2"; }
expect_status() { [ "$1" = "$2" ] || fail "expected status $1, found $2: $output"; }
# of_course COMMAND...: sets `output` and `status`.
of_course() {
  output=$(GRIDSTRIDE_ROOT=$source_folder GRIDSTRIDE_COURSE=$course "$@" 2>&1)
  status=$?
}
# build_course FLAVOUR BUILT TARGET...
build_course() {
  local preset=$1 built=$2
  shift 2
  if [ ! -e "$course/build/$preset/build.ninja" ]; then
    output=$(cmake -S "$source_folder" --preset "$preset" -B "$course/build/$preset" "-DGRIDSTRIDE_COURSE=$course" \
      "-DGRIDSTRIDE_BUILT=$built" 2>&1) || fail "$output"
  fi
  output=$(cmake --build "$course/build/$preset" --target "$@" 2>&1) || fail "$output"
}

for part in exercises/parts.json assessments/runner/gridstride-runner workbook/libgridstride_workbook.so; do
  if [ ! -e "$checked/$part" ]; then
    echo "exercise_parts and course_grader_parts aren't built in $checked: there is no $part"
    exit 77
  fi
done

output=$("$release/courses/gridstride-course" new "$course") || fail 'no course was written'
expect_in "./gridstride --course '$course' run 01" "$output"
build_course release "$release" lessons submission_parts gridstride_grade
build_course checked "$checked" submission_parts
if compgen -G "$course/build/*/runtime/*.so" >/dev/null; then fail 'the runtime was built once more'; fi

of_course "$course/build/release/lessons/01_squares" --size 1009
expect_status 0 $status
expect_in 'elements that are the square of theirs (1,009)' "$output"
of_course "$release/workbook/gridstride-workbook" list --json
expect_in '"state": "built"' "$output"
expect_in '"title": "Squares"' "$output"

of_course "$release/exercises/gridstride-exercise" check 01 "$course/lessons/01_squares/solution.cpp"
expect_status 0 $status
of_course "$release/exercises/gridstride-exercise" check 01 "$course/tests/exercises/01_squares/wrong/doubles.cpp"
expect_status 1 $status
of_course "$release/exercises/gridstride-exercise" hint 01
expect_in 'A square is the number times itself.' "$output"
of_course "$release/exercises/gridstride-exercise" skip 01
expect_in "./gridstride --course '$course' check 01 goes back to it" "$output"
of_course "$release/workbook/gridstride-workbook" list
expect_in "./gridstride --course '$course' run 01" "$output"
of_course "$release/exercises/gridstride-exercise" progress
expect_in '01' "$output"
expect_in squares "$(cat "$course/my/progress.txt")"

grade=$course/build/release/assessments/grader/gridstride-grade
of_course "$grade" A1 "$course/tests/assessments/A1_cubes/right/by_ufunc.cpp"
if [ $status = 3 ]; then echo "$output"; exit 77; fi
expect_status 0 $status
of_course "$grade" A1 "$course/assessments/A1_cubes/starter.cpp"
expect_status 1 $status
of_course "$grade"
expect_in 'The cube of each value' "$output"
expect_in "./gridstride --course '$course' grade A1" "$output"

check() { of_course "$release/courses/gridstride-course" check "$course"; }
check
expect_status 0 $status
expect_in 'waves: nothing is missing, nothing is wrong.' "$output"

sed -i 's/x\[i\] \* x\[i\]/x[i] + x[i]/' "$course/lessons/01_squares/solution.cpp"
sed -i 's/return x \* x;/return x;/' "$course/tests/assessments/A1_cubes/wrong/squares.cpp"
sed -i 's/wrong_answer/exception/' "$course/tests/assessments/A1_cubes/wrong/squares.cpp"
sed -i 's/x \* x \* x/2 * x/' "$course/tests/assessments/A1_cubes/right/by_ufunc.cpp"
sed -i 's/right, x.size()/right, x.size() + 1/; s/\.number = 1,/.number = 2,/' "$course/lessons/01_squares/lesson.cpp"
build_course release "$release" lessons
check
expect_status 1 $status
expect_in 'lessons/01_squares: its program says that it is 02_squares' "$output"
expect_in 'lessons/01_squares: a check of its program fails, status 1' "$output"
expect_in "lessons/01_squares: its solution doesn't pass: check failed, -3 becomes 9" "$output"
expect_in "assessments/A1_cubes: its right solution by_ufunc.cpp doesn't pass: wrong_answer" "$output"
expect_in "assessments/A1_cubes: its wrong solution squares.cpp isn't rejected for 'exception', but: wrong_answer" "$output"
[ "$(wc -l <<<"$output")" = 5 ] || fail "five findings were expected: $output"
