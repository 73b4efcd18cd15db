# shellcheck shell=bash
# Chooses a preset, configures it, and builds what a command needs. Sourced after packages.sh; reads `root`.

presets=(release checked sanitize cuda)

# Whether nvcc is there; puts it on the PATH where only its customary place has it.
find_nvcc() {
  if command -v nvcc >/dev/null; then return 0; fi
  local folder=${CUDA_PATH:-/usr/local/cuda}/bin
  if [ -x "$folder/nvcc" ]; then PATH=$PATH:$folder; else return 1; fi
}

# Whether an NVIDIA GPU answers. The question can take a second, so a yes is kept until the machine starts again.
find_gpu() {
  local boot='' seen='' answer
  command -v nvidia-smi >/dev/null || return 1
  if [ -r /proc/sys/kernel/random/boot_id ]; then boot=$(</proc/sys/kernel/random/boot_id); fi
  if [ -r "$root/build/.gpu_seen" ]; then seen=$(<"$root/build/.gpu_seen"); fi
  if [ "$boot" ] && [ "$boot" = "$seen" ]; then return 0; fi
  answer=$(nvidia-smi -L 2>/dev/null) && [[ $answer == *'GPU '* ]] || return 1
  { printf '%s\n' "$boot" >"$root/build/.gpu_seen"; } 2>/dev/null
  return 0
}

# Whether there is a device file of one, for which nothing has to answer.
has_gpu_device() { compgen -G '/dev/nvidia[0-9]*' >/dev/null || [ -e /dev/dxg ]; }

# Which nvcc this is, to notice when another takes its place.
nvcc_identity() {
  local nvcc
  nvcc=$(command -v nvcc)
  stat -L -c '%n %s %Y' "$nvcc"
}

# Sets `preset`, and `preset_is_ours` where the launcher chose it.
choose_preset() {
  local failed=''
  preset_is_ours=''
  if [ "${GRIDSTRIDE_PRESET:-}" ]; then
    preset=$GRIDSTRIDE_PRESET
    if [[ " ${presets[*]} " != *" $preset "* ]]; then
      say "GRIDSTRIDE_PRESET is '$preset', which is no preset; choose one of: ${presets[*]}."
      exit 2
    fi
    if [ "$preset" = cuda ] && ! find_nvcc; then
      say "GRIDSTRIDE_PRESET asks for 'cuda', but nvcc was not found; install the CUDA toolkit, or choose 'release'."
      exit 3
    fi
    return 0
  fi
  preset_is_ours=yes
  preset=release
  if find_nvcc && find_gpu; then
    if [ -r "$root/build/.nvcc_failed" ]; then failed=$(<"$root/build/.nvcc_failed"); fi
    if [ "$failed" != "$(nvcc_identity)" ]; then
      preset=cuda
    else
      say_nvcc_failed
    fi
  fi
}

say_nvcc_failed() {
  say "There is a GPU, but $(command -v nvcc) can't build for it (GRIDSTRIDE_PRESET=cuda shows why): kernels run on the CPU."
}

can_write_build_folder() { { mkdir -p "$root/build" && : >>"$root/build/.lock"; } 2>/dev/null; }

# Makes one launcher wait for another.
lock_build_folder() {
  exec 9>>"$root/build/.lock"
  if command -v flock >/dev/null && ! flock -n 9; then
    say "Another ./gridstride is building here; waiting for it."
    flock 9
  fi
}

# Where nothing can be written, what was built before has to do. Ends the launcher where that is nothing.
use_what_is_built() {
  if [ "$preset_is_ours" ] && ! is_configured; then preset=release; fi
  if ! is_configured; then
    say "Building writes to '$root/build', which can't be written; give yourself the right to, or free some disc space."
    exit 3
  fi
  local newer built=$root/build/$preset/.ninja_log
  if [ ! -e "$built" ]; then built=$root/build/$preset/.configured; fi
  newer=$(find "$root" \( -path "$root/build" -o -path "$root/my" \) -prune -o \
    \( -name '*.cpp' -o -name '*.h' \) -newer "$built" -print -quit 2>/dev/null)
  if [ "$newer" ]; then
    say "'${newer#"$root/"}' has changed since it was built, and '$root/build' can't be written: this is what was built before."
  fi
}

# find_built PROGRAM: sets `program` to it, in the preset that `build` has chosen, or ends the launcher.
find_built() {
  program=$root/build/$preset/$1
  if [ -x "$program" ]; then return 0; fi
  say "'$program' isn't built, and '$root/build' can't be written; give yourself the right to, or free some disc space."
  exit 3
}

# run_built PROGRAM ARGUMENT...: becomes a program of the build.
run_built() {
  find_built "$1"
  shift
  exec "$program" "$@"
}

# run_lesson_program PROGRAM ARGUMENT...: runs a lesson's, and ends with its status. What the system kills, as it does where
# memory runs out, can't say so itself. The program ends with this shell, whose number it gets.
run_lesson_program() {
  local status signal
  find_built "$1"
  shift
  exec 8>&2 2>/dev/null  # bash would say "Killed", with a line of this script
  GRIDSTRIDE_LAUNCHER=$$ "$program" "$@" 2>&8 8>&-
  status=$?
  exec 2>&8 8>&-
  if ((status <= 128)); then exit $status; fi
  if [ "$progress_on_terminal" ]; then printf '\r\033[K' >&2; fi
  signal=$(kill -l "$status")
  case $signal in
    KILL)
      say "${program##*/} was killed (SIGKILL), as the system does when memory runs out: choose a smaller size, or close other programs."
      exit 3 ;;
    INT | PIPE | TERM | HUP) ;;
    *) say "${program##*/} was ended by SIG$signal." ;;
  esac
  exit $status
}

unlock_build_folder() { exec 9>&-; }

# is_unchanged TARGET...: whether these targets were up to date, and nothing has changed since: no source, no installed package,
# nothing in the folders of the build. Asking Ninja takes ten times as long. Sets `stamp`.
is_unchanged() {
  local folder=$root/build/$preset targets=$*
  stamp=$folder/.up_to_date_${targets// /_}
  [ -e "$stamp" ] && is_configured && [ "$package_stamp" -nt "$root/cmake/packages.txt" ] || return 1
  if [ -e /var/lib/dpkg/status ] && [ ! "$stamp" -nt /var/lib/dpkg/status ]; then return 1; fi
  [ -z "$(find "$root" "$folder" \( -path "$root/build" -o -path "$root/my" -o -path "$root/.git" -o -path "$folder/exercises/kept" \) \
    -prune -o -newer "$stamp" ! \( -path "$folder/*" -type f \) ! -path "$folder" ! -path "$root" -print -quit 2>&1)" ]
}

# Compilers to run at a time: one per core, and no more than memory holds at 2 GiB each.
job_count() {
  local cores available limit used jobs
  cores=$(nproc 2>/dev/null) || cores=1
  jobs=$cores
  if [[ -r /proc/meminfo && $(</proc/meminfo) =~ MemAvailable:\ +([0-9]+) ]]; then
    available=$((BASH_REMATCH[1] * 1024))
    # A container's own limit, where there is one.
    if [ -r /sys/fs/cgroup/memory.max ] && [ -r /sys/fs/cgroup/memory.current ]; then
      limit=$(</sys/fs/cgroup/memory.max)
      used=$(</sys/fs/cgroup/memory.current)
      if [ "$limit" != max ] && ((limit - used < available)); then available=$((limit - used)); fi
    fi
    if ((available / (2 << 30) < jobs)); then jobs=$((available / (2 << 30))); fi
  fi
  printf '%d\n' $((jobs < 1 ? 1 : jobs))
}

# Whether Ninja can be trusted to bring build/PRESET up to date: it was configured to the end, here, with today's presets,
# and as now for being timed or not.
is_configured() {
  local folder=$root/build/$preset line
  [ -s "$folder/build.ninja" ] && [ -s "$folder/CMakeCache.txt" ] || return 1
  [ ! "$root/CMakePresets.json" -nt "$folder/.configured" ] || return 1
  [ "$(<"$folder/.configured")" = "${GRIDSTRIDE_NOTHING_IS_TIMED:-}" ] || return 1
  while IFS= read -r line; do
    if [[ $line == CMAKE_HOME_DIRECTORY:* ]]; then
      [ "${line#*=}" = "$root" ]
      return
    fi
  done <"$folder/CMakeCache.txt"
  return 1
}

configure() {
  local folder=$root/build/$preset
  # Objects of a checkout that was moved or copied name files in the old place: none of them is kept.
  if [ -s "$folder/CMakeCache.txt" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt"; then
    rm -rf "$folder"
  fi
  rm -f "$folder/.configured"
  quietly "Configuring ($preset)" cmake -S "$root" --preset "$preset" --fresh || return 1
  printf '%s' "${GRIDSTRIDE_NOTHING_IS_TIMED:-}" >"$folder/.configured"
  is_configured
}

# Whether the disc is all but full. Programs report that in many ways, and CMake at times not at all.
disc_is_full() {
  local available
  read -r _ _ _ available _ < <(df -Pk "$root/build" | tail -n 1)
  [[ $available =~ ^[0-9]+$ ]] && ((available < 8 << 10))
}

# Tries once to bring the targets up to date; after a failure `stage` names the step that failed.
bring_up_to_date() {
  local title=$1
  shift
  if [ ! "$package_stamp" -nt "$root/cmake/packages.txt" ]; then
    # shellcheck disable=SC2086  # the groups are words
    need_packages $package_groups
    : >"$package_stamp"
  fi
  if ! is_configured; then
    stage=configuring
    configure || return 1
  fi
  if [ "$nvcc_suspect" ]; then
    printf '%s\n' "$nvcc_suspect" >"$root/build/.nvcc_failed"
    say_nvcc_failed
    nvcc_suspect=''
  fi
  stage=building
  quietly "Building $title ($preset)" \
    cmake --build "$root/build/$preset" -j "${CMAKE_BUILD_PARALLEL_LEVEL:-$(job_count)}" --target "$@"
}

# After a failure: does away with a cause that lies in the machine or the build folder and not in the sources.
# Each cause is tried once; returns 1 where none is left.
mend() {
  if [[ $mended != *packages* ]] && have_package_database; then
    # shellcheck disable=SC2086
    find_missing $package_groups
    if ((${#missing[@]})); then
      mended+=packages
      rm -f "$package_stamp" "$root/build/$preset/.configured"
      return 0
    fi
  fi
  if [ "$stage" = configuring ] && [ "$preset" = cuda ] && [ "$preset_is_ours" ]; then
    # nvcc is to blame only if the preset without it can be configured.
    nvcc_suspect=$(nvcc_identity)
    preset=release
    return 0
  fi
  if [ "$stage" = building ] && [[ $mended != *folder* ]] && held_output_has '^ninja: (error|fatal):|^CMake Error'; then
    mended+=folder
    rm -f "$root/build/$preset/.configured"
    return 0
  fi
  return 1
}

# After a failure: whether it is an error in the file of `lesson` that could be explained.
explain_errors() {
  local file said=("${held_output[@]}")
  if [ -z "${lesson:-}" ]; then return 1; fi
  file=lessons/$lesson/lesson.cpp
  # In a header, it is the lesson that has led there.
  if ! held_output_has "$file[:(][0-9]+|undefined (symbol: |reference to )" || ! held_output_has 'error[: ]'; then return 1; fi
  quietly 'Reading the compiler'"'"'s messages' cmake --build "$root/build/$preset" --target gridstride_explain
  held_output=("${said[@]}")
  if [ ! -x "$root/build/$preset/exercises/gridstride-explain" ]; then return 1; fi
  printf '%s\n' "${said[@]}" | "$root/build/$preset/exercises/gridstride-explain" errors "$root/$file" >&2
}

# Shows what went wrong, and ends the launcher: with 1 for sources that don't build, with 3 for what the machine lacks.
fail_to_build() {
  local lacks_memory='Killed signal terminated program|out of memory|cannot allocate memory'
  local lacks_space='No space left on device|Disk quota exceeded'
  if [ "$stage" = building ] && ! disc_is_full && ! held_output_has "$lacks_space|$lacks_memory" && explain_errors; then
    say "$1 did not build."
    exit 1
  fi
  show_held_output
  if disc_is_full || held_output_has "$lacks_space"; then
    say "The disc is full: free some space, and the same command goes on from here."
  elif held_output_has "$lacks_memory"; then
    say "Memory ran out: close other programs, or build one file at a time with CMAKE_BUILD_PARALLEL_LEVEL=1."
  elif [ "$stage" = configuring ] && ! have_package_database; then
    # shellcheck disable=SC2086
    find_missing $package_groups
    give_up_on_missing "This is no Debian, so what is missing is not known; above is what CMake found. On Debian:"
  elif [ "$stage" = configuring ]; then
    say "CMake could not configure the preset '$preset'; its reason stands above. './gridstride doctor' shows this machine."
  else
    say "$1 did not build; the errors stand above."
    exit 1
  fi
  exit 3
}

# build GROUPS TITLE TARGET...: installs the packages of GROUPS, chooses the preset, configures it and builds the targets.
# Ends the launcher where one of them fails; leaves `preset` set. On a checkout that can't be written, nothing is built.
build() {
  package_groups=$1 mended='' nvcc_suspect='' stage=''
  shift
  if ! can_write_build_folder; then
    choose_preset
    use_what_is_built
    return
  fi
  lock_build_folder
  choose_preset
  package_stamp="$root/build/.packages_${package_groups// /_}"
  until bring_up_to_date "$@"; do
    mend || fail_to_build "$1"
  done
  unlock_build_folder
}

# build_what_changed GROUPS TITLE TARGET...: the same for those who wait for the answer: where nothing has changed, nothing is asked.
build_what_changed() {
  local chosen
  choose_preset
  chosen=$preset
  package_stamp="$root/build/.packages_${1// /_}"
  if is_unchanged "${@:3}"; then return 0; fi
  { : >"$stamp.began"; } 2>/dev/null
  build "$@"
  if [ "$preset" = "$chosen" ] && [ -e "$stamp.began" ]; then mv -f "$stamp.began" "$stamp" 2>/dev/null; fi
  return 0
}

# After `lesson` was built: where g++ has no plugin, nobody has looked for functions that run on the device without GS_FN. Says
# so, once after each edit.
say_what_is_left_out() {
  local file=$root/lessons/$lesson/lesson.cpp folder=$root/build/$preset
  local said=$folder/.left_out_$lesson
  if [ "$preset" = cuda ] || [ ! -e "$folder/compiler/marks_left_out" ]; then return 0; fi  # nvcc looks by itself
  if [ ! "$file" -nt "$folder/.configured" ] || [ "$said" -nt "$file" ]; then return 0; fi
  say "Functions that run on the device without GS_FN were not looked for: './gridstride doctor' says which package is missing."
  : >"$said"
}
