# shellcheck shell=bash
# A sandbox for the launcher: a folder with a checkout of its own, and a PATH that holds a few of the system's tools and
# stand-ins for everything that would install, build or ask hardware. Nothing outside the folder is ever changed.
#
# The stand-ins note every call in $box/log/NAME and read how to behave from files in $box; the tests write those.

box=$(mktemp -d "${TMPDIR:-/tmp}/gridstride_launcher.XXXXXX")
trap 'rm -rf "$box"' EXIT
repository="$box/check out"   # with a space, on purpose
bin=$box/bin

# stand_in NAME <<'END' ... END: a program of the sandbox. It replaces a link to the system's tool of that name, which a
# redirection would follow.
stand_in() {
  rm -f "$bin/$1"
  {
    printf '#!%s\nbox=%q\nprintf "%%s\\n" "$*" >>"$box/log/%s"\n' "$(command -v bash)" "$box" "$1"
    cat
  } >"$bin/$1"
  chmod +x "$bin/$1"
}

mkdir -p "$bin" "$box/log" "$repository/cmake"
for tool in awk basename bash cat chmod cp cut date df dirname env find flock getconf grep ln ls mkdir mktemp mv nproc printf readlink sort \
  rm script sed sleep stat tail timeout touch tr uname wc; do
  ln -s "$(command -v $tool)" "$bin/$tool"
done

source_root=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
cp "$source_root/gridstride" "$source_root/CMakePresets.json" "$repository/"
mkdir "$repository/runtime"
cp "$source_root/runtime/version.h" "$repository/runtime/"
cp -r "$source_root/cmake/launcher" "$source_root/cmake/packages.txt" "$source_root/cmake/systems.txt" "$repository/cmake/"

# on_system ID VERSION TITLE: the system that the launcher is to take this for.
on_system() { printf 'PRETTY_NAME="%s"\nVERSION_ID="%s"\nID=%s\n' "$3" "$2" "$1" >"$box/os-release"; }
on_system debian 12 'Debian GNU/Linux 12 (bookworm)'

for name in 01_hypot 06_gaussian_pdf 08_zero_suppress; do
  mkdir -p "$repository/lessons/$name"
  touch "$repository/lessons/$name/lesson.cpp"
done

# Which packages are installed: one name per line.
core_packages='g++ cmake ninja-build mold gcc-12-plugin-dev pkg-config libtbb-dev libboost-context-dev libopenblas-dev libfftw3-dev libxtensor-dev libfmt-dev libcli11-dev
  nlohmann-json3-dev libcairo2-dev fonts-inter fonts-jetbrains-mono'
printf '%s\n' $core_packages >"$box/installed"
remove_package() { sed -i "/^$1\$/d" "$box/installed"; }

echo 0 >"$box/user"
stand_in id <<'END'
cat "$box/user"
END

stand_in dpkg-query <<'END'
status=0
for word in "$@"; do
  case $word in -* | *'{'*) continue ;; esac
  if grep -qxF -- "$word" "$box/installed"; then
    echo "$word installed"
  elif [ "$word" = "$(cat "$box/removed_but_configured" 2>/dev/null)" ]; then
    echo "$word config-files"
  else
    status=1
  fi
done
exit $status
END

# Fails where $box/offline exists; knows no package where $box/no_lists exists, until `update`.
stand_in apt-get <<'END'
words=()
while [ $# -gt 0 ]; do
  case $1 in -o) shift ;; -s) simulated=yes ;; -*) ;; *) words+=("$1") ;; esac
  shift
done
if [ -e "$box/offline" ] && [ -z "$simulated" ]; then echo "E: Unable to fetch some archives" >&2; exit 100; fi
case ${words[0]} in
  update) rm -f "$box/no_lists" ;;
  install)
    if [ -e "$box/no_lists" ]; then echo "E: Unable to locate package ${words[1]}" >&2; exit 100; fi
    if [ -z "$simulated" ]; then printf '%s\n' "${words[@]:1}" >>"$box/installed"; fi ;;
esac
END

# Stands for real CMake and Ninja: "configures" an empty folder, and "builds" programs that print their arguments.
stand_in cmake <<'END'
if [ "$1" = --install ]; then
  mkdir -p "$DESTDIR$4/bin" "$DESTDIR$4/lib"
  echo one >"$DESTDIR$4/lib/${2##*/}"
  if [ -e "$box/no_room" ] && [ "${2##*/}" = checked ]; then echo 'CMake Error: No space left on device'; exit 1; fi
  exit 0
fi
if [ "$1" = --build ]; then
  folder=$2
  case $(cat "$folder/build.ninja") in *'end of build.ninja') ;; *) echo "ninja: error: loading 'build.ninja'"; exit 1 ;; esac
  while read -r package; do
    if ! grep -qxF -- "$package" "$box/installed"; then echo "fatal error: a header of $package is missing"; exit 1; fi
  done <"$box/needed_to_compile"
  echo '[1/2] Building CXX object'
  if [ -e "$box/compile_error" ] && [[ " $* " != *' gridstride_explain '* ]]; then cat "$box/compile_error"; exit 1; fi
  while [ "$1" != --target ]; do shift; done
  shift
  for target in "$@"; do
    case $target in
      [0-9]*) program=lessons/$target ;;
      gridstride_workbook_program) program=workbook/gridstride-workbook ;;
      benchmarks) program=bench/gridstride-bench ;;
      world_benchmarks) program=bench/world/gridstride-bench-world-openmpi ;;
      gridstride-view) program=viewer/gridstride-view ;;
      gridstride_grade) program=assessments/grader/gridstride-grade ;;
      gridstride_exercise) program=exercises/gridstride-exercise ;;
      gridstride_explain) program=exercises/gridstride-explain ;;
      gridstride_program_bench) program=bench/gridstride-program-bench ;;
      gridstride_program) program=programs/gridstride-program ;;
      gridstride_course) program=courses/gridstride-course ;;
      gridstride_certificate) program=assessments/grader/gridstride-certificate ;;
      *) continue ;;
    esac
    mkdir -p "$folder/${program%/*}"
    cat >"$folder/$program" <<'PROGRAM'
#!/usr/bin/env bash
printf '%s:' "${0##*/}" "$@"
printf 'root=%s\n' "$GRIDSTRIDE_ROOT"
if [ "$GRIDSTRIDE_COURSE" ]; then printf 'course=%s\n' "$GRIDSTRIDE_COURSE"; fi
if [ "$1" = die ]; then kill "-$2" $$; fi
if [[ " $* " == *' fail '* ]]; then exit 1; fi
PROGRAM
    chmod +x "$folder/$program"
  done
  exit 0
fi
while [ $# -gt 0 ]; do
  case $1 in -S) source=$2 ;; -B) folder=$2 ;; -DGRIDSTRIDE_COURSE=*) course=${1#*=} ;; --preset) preset=$2 ;; esac
  shift
done
echo "CXX is ${CXX:-not set}" >>"$box/log/cmake_compiler"
if [ -e "$box/leaves_a_process" ]; then sleep 5 >/dev/null 2>&1 & fi
folder=${folder:-$source/build/$preset}
if [ -e "$folder/CMakeCache.txt" ]; then echo 'CMake Error: half a cache'; exit 1; fi
if [ "$preset" = cuda ] && [ -e "$box/nvcc_is_broken" ]; then echo 'CMake Error: The CUDA compiler is broken'; exit 1; fi
if [ -e "$box/configure_error" ]; then echo 'CMake Error: no'; exit 1; fi
mkdir -p "$folder"
printf '%s\n' "GRIDSTRIDE_COURSE:PATH=$course" "CMAKE_HOME_DIRECTORY:INTERNAL=$source" >"$folder/CMakeCache.txt"
echo 'end of build.ninja' >"$folder/build.ninja"
END
touch "$box/needed_to_compile"

# Three tests, of which as many fail as $box/failures says; run again, alone, as $box/failures_alone says.
stand_in ctest <<'END'
failures=$(cat "$box/failures" 2>/dev/null || echo 0)
case " $* " in *' --rerun-failed '*) failures=$(cat "$box/failures_alone" 2>/dev/null || echo "$failures") ;; esac
while [ $# -gt 0 ]; do
  case $1 in
    --test-dir) folder=$2 ;;
    --output-junit)
      printf '<?xml version="1.0"?>\n<testsuite name="x"\n\ttests="3"\n\tfailures="%d"\n\tskipped="1">\n' "$failures" >"$2" ;;
  esac
  shift
done
mkdir -p "$folder/Testing/Temporary"
for ((k = 1; k <= failures; ++k)); do echo "$k:suite.test_$k"; done >"$folder/Testing/Temporary/LastTestsFailed.log"
exit $((failures ? 8 : 0))
END

with_gpu() {
  stand_in nvidia-smi <<'END'
if [ "$1" = -L ]; then echo 'GPU 0: A "quoted" name (UUID: GPU-0)'; else echo 'A "quoted" \ name, 580.00, 9.0'; fi
END
}
with_nvcc() {
  stand_in nvcc <<'END'
echo 'Cuda compilation tools, release 13.0, V13.0.1'
END
}

# launcher ARGUMENT...: runs the sandbox's launcher without a terminal; sets `status`, `out` and `err`.
launcher() { program "$repository/gridstride" "$@"; }
program() {
  env -i PATH="$bin" HOME="$box" CUDA_PATH="$box/cuda" GRIDSTRIDE_PRESET="${preset:-}" \
    GRIDSTRIDE_OS_RELEASE="$box/os-release" "$@" \
    >"$box/out" 2>"$box/err" </dev/null
  status=$?
  out=$(<"$box/out") err=$(<"$box/err")
}

# launcher_on_terminal ANSWER ARGUMENT...: the same on a terminal on which ANSWER is typed; `out` is all that it shows.
# Some containers make no pseudo-terminals: there the test counts as skipped.
launcher_on_terminal() {
  local answer=$1 quoted
  if ! script -qec : /dev/null </dev/null >/dev/null 2>&1; then
    echo 'SKIPPED: this machine makes no pseudo-terminal'
    exit 77
  fi
  shift
  printf -v quoted '%q ' "$repository/gridstride" "$@"
  printf '%s\n' "$answer" | env -i PATH="$bin" HOME="$box" CUDA_PATH="$box/cuda" GRIDSTRIDE_OS_RELEASE="$box/os-release" \
    TERM=xterm SHELL="$bin/bash" script -qec "$quoted" /dev/null >"$box/out" 2>&1
  status=${PIPESTATUS[1]}
  out=$(<"$box/out")
}

calls() { cat "$box/log/$1" 2>/dev/null; }
count_calls() { calls "$1" | wc -l; }

# What a test expects; the first unmet expectation ends it.
fail() {
  printf 'FAILED: %s\n--- status: %s\n--- standard output:\n%s\n--- standard error:\n%s\n' "$1" "$status" "${out:-}" "${err:-}"
  exit 1
}
expect_status() { [ "$status" = "$1" ] || fail "exit status $1 was expected"; }
expect_in() { [[ $2 == *"$1"* ]] || fail "'$1' was expected in: $2"; }
expect_not_in() { [[ $2 != *"$1"* ]] || fail "'$1' was not expected in: $2"; }
expect_equal() { [ "$1" = "$2" ] || fail "expected '$1', found '$2'"; }

# run_test NAME...: the one function test_NAME of the script that sources this.
run_test() {
  status='' out='' err='' preset=''
  if [ "$(type -t "test_${1:-}")" != function ]; then
    echo "There is no test '${1:-}' in $0." >&2
    exit 2
  fi
  "test_$1"
}
