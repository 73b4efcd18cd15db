# shellcheck shell=bash
# Runs the tests of a preset that has been built. Sourced after build.sh; reads `root` and `preset`.

# read_results PRESET: sets `passed`, `failed` and `skipped` from the last run of that preset's tests.
read_results() {
  local suite='' tests=0
  local file=$root/build/$1/test_results.xml
  passed=0 failed=0 skipped=0
  [ -r "$file" ] || return 1
  suite=$(<"$file")
  suite=${suite#*<testsuite } suite=${suite%%>*}
  if [[ $suite =~ tests=\"([0-9]+)\" ]]; then tests=${BASH_REMATCH[1]}; fi
  if [[ $suite =~ failures=\"([0-9]+)\" ]]; then failed=${BASH_REMATCH[1]}; fi
  if [[ $suite =~ skipped=\"([0-9]+)\" ]]; then skipped=${BASH_REMATCH[1]}; fi
  passed=$((tests - failed - skipped))
}

# Tests to run at a time: some wait for a time limit or another program, and leave their core to another.
test_count() {
  local jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-$(job_count)}
  printf '%d\n' $((jobs + (jobs + 1) / 2))
}

# run_ctest OPTION...: runs the tests and ends in a line such as "123 tests passed, 0 failed (release)"; returns 1 where one
# fails, and where the options leave none.
run_ctest() {
  local status=0
  rm -f "$root/build/$preset/test_results.xml"
  ctest --test-dir "$root/build/$preset" --output-on-failure --no-tests=error \
    --output-junit "$root/build/$preset/test_results.xml" -j "$(test_count)" "$@" || status=1
  if read_results "$preset"; then
    printf '%d tests passed, %d failed' "$passed" "$failed"
    if ((skipped)); then printf ', %d skipped' "$skipped"; fi
    printf ' (%s)\n' "$preset"
  fi
  return $status
}
