# shellcheck shell=bash
# Runs the tests of a preset that has been built. Sourced after build.sh; reads `root` and `preset`.

# number_of ATTRIBUTE FILE: a number from the head of a JUnit file, 0 where there is none.
number_of() {
  local suite=''
  if [ -r "$2" ]; then suite=$(<"$2"); fi
  suite=${suite#*<testsuite } suite=${suite%%>*}
  if [[ $suite =~ (^|[[:space:]])$1=\"([0-9]+)\" ]]; then number=${BASH_REMATCH[2]}; else number=0; fi
}

# read_results PRESET: sets `passed`, `failed` and `skipped` from the last run of that preset's tests; a test that passed when
# it ran again, alone, counts as passed.
read_results() {
  local number tests
  local file=$root/build/$1/test_results.xml alone=$root/build/$1/test_results_alone.xml
  passed=0 failed=0 skipped=0
  [ -r "$file" ] || return 1
  number_of tests "$file"
  tests=$number
  number_of skipped "$file"
  skipped=$number
  if [ -r "$alone" ]; then number_of failures "$alone"; else number_of failures "$file"; fi
  failed=$number
  passed=$((tests - failed - skipped))
}

# Tests to run at a time: some wait for a time limit or another program, and leave their core to another.
test_count() {
  local jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-$(job_count)}
  printf '%d\n' $((jobs + (jobs + 1) / 2))
}

# try_alone: runs the few tests that have just failed once more, one at a time, and sets `status` to 0 if all pass. Which of
# them do is said: such a test fails beside others, or now and then, and wants mending; what it tests holds.
try_alone() {
  local -r most=10 alone=$root/build/$preset/test_results_alone.xml
  local list=$root/build/$preset/Testing/Temporary/LastTestsFailed.log
  local -a before=() after=()
  if ! read_results "$preset" || ((!failed || failed > most)) || [ ! -r "$list" ]; then return 1; fi
  mapfile -t before <"$list"
  printf '\nWhat failed runs once more, one test at a time.\n'
  if ctest --test-dir "$root/build/$preset" --rerun-failed --output-on-failure --output-junit "$alone" -j 1; then
    status=0
  elif [ -r "$list" ]; then
    mapfile -t after <"$list"
  fi
  local name
  for name in "${before[@]}"; do
    if [[ " ${after[*]} " != *" $name "* ]]; then printf 'Failed beside other tests, and passed alone: %s\n' "${name#*:}"; fi
  done
}

# run_ctest OPTION...: runs the tests and ends in a line such as "123 tests passed, 0 failed (release)"; returns 1 where one
# fails, alone too, and where the options leave none.
run_ctest() {
  local status=0
  rm -f "$root/build/$preset"/test_results{,_alone}.xml
  ctest --test-dir "$root/build/$preset" --output-on-failure --no-tests=error \
    --output-junit "$root/build/$preset/test_results.xml" -j "$(test_count)" "$@" || status=1
  if [ $status != 0 ]; then try_alone; fi
  if read_results "$preset"; then
    printf '%d tests passed, %d failed' "$passed" "$failed"
    if ((skipped)); then printf ', %d skipped' "$skipped"; fi
    printf ' (%s)\n' "$preset"
  fi
  return $status
}
