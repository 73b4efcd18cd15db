#!/usr/bin/env bash
# The tests of how the launcher gets packages: packages_test.sh NAME runs the one function test_NAME in a sandbox of its own.

set -u
source "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"
is_json=${2:-}

test_missing_packages_are_named_and_installed() {
  remove_package libtbb-dev
  remove_package fonts-inter
  launcher run 6
  expect_status 0
  expect_in 'libtbb-dev             oneTBB spreads kernels' "$err"
  expect_in 'fonts-inter            the letters in plots' "$err"
  expect_not_in 'libfmt-dev' "$err"
  expect_equal "06_gaussian_pdf:root=$repository" "$out"
  expect_in 'install -y --no-install-recommends libtbb-dev fonts-inter' "$(calls apt-get)"
  expect_not_in libgtest-dev "$(calls apt-get)"
  expect_equal 0 "$(count_calls sudo)"
}

test_package_left_as_configuration_is_missing() {
  remove_package cmake
  echo cmake >"$box/removed_but_configured"
  launcher run 6
  expect_in 'install -y --no-install-recommends cmake' "$(calls apt-get)"
}

test_each_command_has_its_packages() {
  launcher list
  expect_equal 0 "$(count_calls apt-get)"
  launcher bench
  expect_in libbenchmark-dev "$(calls apt-get)"
  expect_not_in libgtest-dev "$(calls apt-get)"
  expect_not_in python3 "$(calls apt-get)"
  launcher bench pi --peers
  expect_in 'install -y --no-install-recommends python3-numba python3-numpy' "$(calls apt-get)"
  expect_equal "gridstride-bench:pi:--peers:root=$repository" "$out"
  launcher test
  expect_in libgtest-dev "$(calls apt-get)"
}

test_setup_installs_all_packages_and_builds_nothing() {
  launcher --yes setup
  expect_status 0
  expect_in 'libgtest-dev' "$(<"$box/installed")"
  expect_in 'libimgui-dev' "$(<"$box/installed")"
  expect_not_in 'python3-numba' "$(<"$box/installed")"
  expect_equal 0 "$(count_calls cmake)"
  launcher setup
  expect_status 0
  expect_in 'All packages are installed.' "$err"
  expect_equal 1 "$(calls apt-get | grep -c -- '-y')"
  launcher setup bench
  expect_status 2
  expect_in "setup takes nothing, and got 'bench'" "$err"
  rm "$bin/dpkg-query"
  launcher setup
  expect_status 3
  expect_in 'this system has no database of them' "$err"
}

test_answer_no() {
  remove_package libtbb-dev
  launcher_on_terminal n run 6
  expect_status 3
  expect_in 'Install with apt-get? [Y/n]' "$out"
  expect_in 'Nothing was installed. Install as root: apt-get install libtbb-dev' "$out"
  expect_equal 0 "$(count_calls apt-get)"
  expect_equal 0 "$(count_calls cmake)"
}

test_answer_yes() {
  remove_package libtbb-dev
  launcher_on_terminal '' run 6
  expect_status 0
  expect_in 'libtbb-dev' "$(<"$box/installed")"
  expect_in '06_gaussian_pdf:' "$out"
}

test_yes_never_asks() {
  remove_package libtbb-dev
  launcher_on_terminal n --yes run 6
  expect_status 0
  expect_not_in '[Y/n]' "$out"
  expect_not_in '--yes' "$out"
  remove_package libfmt-dev
  rm -r "$repository/build"
  launcher_on_terminal n run 6 --yes
  expect_status 0
  expect_not_in '[Y/n]' "$out"
}

test_no_apt() {
  rm "$bin/apt-get"
  remove_package libtbb-dev
  remove_package libfmt-dev
  launcher run 6
  expect_status 3
  expect_in 'There is no apt-get here. Install as root: apt-get install libtbb-dev libfmt-dev' "$err"
  expect_equal '' "$out"
}

test_no_debian() {
  rm "$bin/apt-get" "$bin/dpkg-query"
  launcher run 6
  expect_status 0
  rm -r "$repository/build"
  rm "$bin/cmake"
  launcher run 6
  expect_status 3
  expect_in 'cmake: ' "$err"
  expect_in 'apt-get install g++ cmake ninja-build' "$err"
}

test_sudo() {
  echo 1000 >"$box/user"
  remove_package libtbb-dev
  launcher run 6
  expect_status 3
  expect_in 'You are not root, and there is no sudo. Install as root: apt-get install libtbb-dev' "$err"
  expect_equal 0 "$(count_calls apt-get)"

  stand_in sudo <<'END'
if [ -e "$box/password_wanted" ] && [ "$1" = -n ]; then exit 1; fi
while [[ ${1:-} == -* ]]; do shift; done
"$@"
END
  touch "$box/password_wanted"
  launcher run 6
  expect_status 3
  expect_in 'sudo wants a password, and there is no terminal to ask on' "$err"
  launcher_on_terminal y run 6
  expect_status 0
  expect_in 'Install with sudo apt-get?' "$out"
  expect_in 'apt-get' "$(calls sudo)"

  rm "$box/password_wanted"
  remove_package libfmt-dev
  rm -r "$repository/build"
  launcher run 6
  expect_status 0
  expect_in '-n env DEBIAN_FRONTEND=noninteractive' "$(calls sudo)"
}

test_offline() {
  remove_package libtbb-dev
  touch "$box/offline"
  launcher run 6
  expect_status 3
  expect_in 'E: Unable to fetch some archives' "$err"
  expect_in 'is this machine online? Install as root: apt-get install libtbb-dev' "$err"
}

test_package_lists_are_renewed_only_when_needed() {
  remove_package libtbb-dev
  launcher run 6
  expect_not_in update "$(calls apt-get)"
  remove_package libfmt-dev
  rm -r "$repository/build"
  touch "$box/no_lists"
  launcher run 6
  expect_status 0
  expect_in update "$(calls apt-get)"
  expect_in libfmt-dev "$(<"$box/installed")"
}

test_packages_are_looked_at_once() {
  launcher run 6
  launcher run 6
  expect_equal 1 "$(count_calls dpkg-query)"
  sleep 0.01
  touch "$repository/cmake/packages.txt"
  launcher run 6
  expect_equal 2 "$(count_calls dpkg-query)"
}

test_removed_package_is_noticed() {
  echo libtbb-dev >"$box/needed_to_compile"
  launcher run 6
  expect_status 0
  remove_package libtbb-dev
  launcher run 6
  expect_status 0
  expect_in 'libtbb-dev' "$err"
  expect_in 'libtbb-dev' "$(<"$box/installed")"
}

test_a_system_has_its_own_compiler() {
  on_system debian 13 'Debian GNU/Linux 13 (trixie)'
  launcher run 6
  expect_status 0
  expect_in 'install -y --no-install-recommends gcc-14-plugin-dev' "$(calls apt-get)"
}

test_a_system_has_a_compiler_beside_its_own() {
  on_system ubuntu 22.04 'Ubuntu 22.04.5 LTS'
  remove_package g++
  remove_package fonts-jetbrains-mono
  stand_in g++-12 <<'END'
echo 'g++-12 (Ubuntu 12.3.0) 12.3.0'
END
  launcher run 6
  expect_status 0
  expect_in 'install -y --no-install-recommends g++-12 fonts-dejavu-core' "$(calls apt-get)"
  expect_in 'CXX is g++-12' "$(calls cmake_compiler)"
  launcher doctor
  expect_in 'compiler       g++ 12.3.0' "$out"
  expect_in '  Ubuntu 22.04.5 LTS: its FFTW 3.3.8 ' "$out"
  expect_not_in 'jetbrains' "$out"
  launcher doctor --json
  "$is_json" <"$box/out" || fail 'this is no JSON document'
}

test_a_package_that_a_system_lacks_is_not_asked_for() {
  on_system ubuntu 22.04 'Ubuntu 22.04.5 LTS'
  remove_package clang-format-19
  remove_package clang-tidy-19
  launcher doctor
  expect_in "package clang-format-19 isn't offered by Ubuntu 22.04.5 LTS: the layout of the sources isn't checked" "$out"
  expect_in "package clang-tidy-19 isn't offered by Ubuntu 22.04.5 LTS: clang-tidy's checks are left out" "$out"
  expect_not_in 'package clang-format-19 is missing' "$out"
  expect_not_in 'clang' "${out##*apt-get install}"
  launcher doctor --json
  expect_not_in '"name": "clang-format-19"' "$out"
  "$is_json" <"$box/out" || fail 'this is no JSON document'
  on_system debian 12 'Debian GNU/Linux 12'
  launcher doctor
  expect_in 'package clang-format-19 is missing' "$out"
  expect_in 'clang-format-19 clang-tidy-19' "${out##*apt-get install}"
}

test_an_unknown_system_keeps_its_compiler() {
  on_system mint 22 'A Mint'
  stand_in g++ <<'END'
echo 13
END
  launcher run 6
  expect_in 'install -y --no-install-recommends gcc-13-plugin-dev' "$(calls apt-get)"
  rm "$bin/g++"
  rm -r "$repository/build"
  stand_in apt-cache <<'END'
printf 'g++\n  Depends: cpp\n  Depends: g++-14\n  Depends: gcc\n'
END
  launcher run 6
  expect_in 'install -y --no-install-recommends gcc-14-plugin-dev' "$(calls apt-get)"
}

test_system_table_is_complete() {
  local system compiler instead tried costs rest pair rows=0
  while IFS='|' read -r system compiler instead tried costs rest; do
    if [[ $system == '#'* ]]; then continue; fi
    [[ $system =~ ^[a-z]+\ [0-9.]+\ *$ ]] || fail "'$system' is no system"
    [[ $compiler =~ ^\ [0-9]+\ *$ ]] || fail "'$compiler' is no version of g++"
    for pair in $instead; do
      grep -q "^${pair%%=*} " "$repository/cmake/packages.txt" || fail "'$pair' stands for no package"
      [[ $pair =~ ^[a-z0-9.+-]+=[a-z0-9.+-]+$ ]] || fail "'$pair' names no package"
    done
    [[ $tried == *./gridstride* && -z $rest ]] || fail "$system was not tried"
    rows=$((rows + 1))
  done <"$repository/cmake/systems.txt"
  ((rows)) || fail 'there is no system'
}

test_package_table_is_complete() {
  local package group why cost rest
  while IFS='|' read -r package group why cost rest; do
    if [[ $package == '#'* ]]; then continue; fi
    [[ $package =~ ^[a-z0-9.+@-]+\ *$ ]] || fail "'$package' is no package name"
    [[ $group =~ ^\ (core|view|test|bench|peers|grade|debug|ranks|simgrid|python|doc|book|pdf|ci)\ *$ ]] || fail "'$group' is no group"
    [[ $why == *[a-z]* && $cost == *[a-z]* && -z $rest ]] || fail "$package has no reason, no cost or too many fields"
  done <"$repository/cmake/packages.txt"
  expect_equal '' "$(grep -v '^#' "$repository/cmake/packages.txt" | cut -d' ' -f1 | LC_ALL=C sort | uniq -d)"
}

run_test "$@"
