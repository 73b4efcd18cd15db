#!/usr/bin/env bash
# What the launcher builds, when, and how it mends what is broken: build_test.sh NAME runs the one function test_NAME in a
# sandbox of its own.

set -u
source "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"

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
  stand_in find <<END
exec $(command -v find) "\$@"
END
  launcher check 8
  expect_equal "$before" "$(count_calls cmake)"
  expect_equal 1 "$(calls find | grep -c "$repository/my")"  # of the folders of the builds, none has a folder my
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
