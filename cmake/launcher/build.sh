# shellcheck shell=bash
# Chooses a preset, configures it, and builds what a command needs. Sourced after packages.sh; reads `root`, and
# `course`, the folder of the course, where the launcher has set another than `root`.

presets=(release checked sanitize cuda)
course=$root
built=$root/build  # where presets are built: a course in a folder of its own has its own

# Whether nvcc is there; adds it to the PATH if it is only in its customary place.
find_nvcc() {
  if command -v nvcc >/dev/null; then return 0; fi
  local folder=${CUDA_PATH:-/usr/local/cuda}/bin
  if [ -x "$folder/nvcc" ]; then PATH=$PATH:$folder; else return 1; fi
}

# Whether an NVIDIA GPU answers. The question can take a second, so a yes is stored until the machine starts again.
find_gpu() {
  local boot='' seen='' answer
  command -v nvidia-smi >/dev/null || return 1
  if [ -r /proc/sys/kernel/random/boot_id ]; then boot=$(</proc/sys/kernel/random/boot_id); fi
  if [ -r "$root/build/.gpu_seen" ]; then seen=$(<"$root/build/.gpu_seen"); fi
  if [ "$boot" ] && [ "$boot" = "$seen" ]; then return 0; fi
  answer=$(nvidia-smi -L 2>/dev/null) && [[ $answer == *'GPU '* ]] || return 1
  { mkdir -p "$root/build" && printf '%s\n' "$boot" >"$root/build/.gpu_seen"; } 2>/dev/null
  return 0
}

# Whether a GPU's device file exists, which needs no driver to answer.
has_gpu_device() { compgen -G '/dev/nvidia[0-9]*' >/dev/null || [ -e /dev/dxg ]; }

# Identifies this nvcc, to notice when another replaces it.
nvcc_identity() {
  local nvcc
  nvcc=$(command -v nvcc)
  stat -L -c '%n %s %Y' "$nvcc"
}

# Sets `preset`, and `preset_is_ours` where the launcher chose it; and what else a build folder is configured for.
choose_preset() {
  local failed=''
  preset_is_ours=''
  choose_compiler
  configured_as=${GRIDSTRIDE_NOTHING_IS_TIMED:-}${compiler_command:+ $compiler_command}
  if [ "${GRIDSTRIDE_PRESET:-}" ]; then
    preset=$GRIDSTRIDE_PRESET
    if [[ " ${presets[*]} " != *" $preset "* ]]; then
      say "GRIDSTRIDE_PRESET is '$preset', which isn't a preset; choose one of: ${presets[*]}."
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
  if [ "${nvcc_failure_is_said:-}" ]; then return 0; fi
  nvcc_failure_is_said=yes
  say "There is a GPU, but $(command -v nvcc) can't build for it (GRIDSTRIDE_PRESET=cuda shows why): kernels run on the CPU."
}

can_write_build_folder() { { mkdir -p "$built" && : >>"$built/.lock"; } 2>/dev/null; }

# Makes one launcher wait for another.
lock_build_folder() {
  exec 9>>"$built/.lock"
  if command -v flock >/dev/null && ! flock -n 9; then
    say "Another ./gridstride is building here; waiting for it."
    flock 9
  fi
}

# Where nothing can be written, an earlier build has to do. Ends the launcher if there is none.
use_what_is_built() {
  if [ "$preset_is_ours" ] && ! is_configured; then preset=release; fi
  if ! is_configured; then
    say "Building writes to '$built', which can't be written; get permission to write there, or free some disk space."
    exit 3
  fi
  local newer source=${built%/build} log=$built/$preset/.ninja_log
  if [ ! -e "$log" ]; then log=$built/$preset/.configured; fi
  newer=$(find "$source" \( -path "$built" -o -path "$source/my" \) -prune -o \
    \( -name '*.cpp' -o -name '*.h' \) -newer "$log" -print -quit 2>/dev/null)
  if [ "$newer" ]; then
    say "'${newer#"$source/"}' has changed since it was built, and '$built' can't be written: this is the earlier build."
  fi
}

# find_built PROGRAM: sets `program` to it, in the preset that `build` has chosen, or ends the launcher.
find_built() {
  program=$built/$preset/$1
  if [ -x "$program" ]; then return 0; fi
  say "'$program' isn't built, and '$built' can't be written; get permission to write there, or free some disk space."
  exit 3
}

# run_built PROGRAM ARGUMENT...: becomes a program of the build.
run_built() {
  find_built "$1"
  shift
  exec "$program" "$@"
}

# run_lesson_program PROGRAM ARGUMENT...: runs a lesson's program, and ends with its status. What the system kills, as it does when
# memory runs out, can't report that itself. The program ends with this shell, and has its process number.
run_lesson_program() {
  local status signal
  find_built "$1"
  shift
  if [ "${ranks:-}" ]; then
    set_mpirun_words
    if [[ " $* " == *' --stream 3 '* ]]; then export GRIDSTRIDE_STREAM_OF=$$; fi
    run_ranks "${mpirun_words[@]}" "$program" "$@"
  fi
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
# nothing in the folders of the build but what its compilers keep for themselves. Asking Ninja takes ten times as long. Sets
# `stamp`.
sources_unchanged_since=''
is_unchanged() {
  local folder=$root/build/$preset targets=$*
  stamp=$folder/.up_to_date_${targets// /_}
  [ -e "$stamp" ] && is_configured && [ "$package_stamp" -nt "$root/cmake/packages.txt" ] || return 1
  if [ -e /var/lib/dpkg/status ] && [ ! "$stamp" -nt /var/lib/dpkg/status ]; then return 1; fi
  # A command that needs two builds looks at thousands of sources only once.
  if [ -z "$sources_unchanged_since" ] || [ ! "$stamp" -nt "$sources_unchanged_since" ]; then
    local -ra not_sources=(-path "$root/build" -o -path "$root/my" -o -path "$root/.git")
    if find_newer "$root" \( "${not_sources[@]}" \) -prune -o; then return 1; fi
    sources_unchanged_since=$stamp
  fi
  ! find_newer "$folder" \( -path "$folder/exercises/kept" -o -name CMakeFiles \) -prune -o -type d
}

# find_newer FOLDER EXPRESSION...: whether anything below FOLDER for which EXPRESSION holds is newer than `stamp`, or can't be read.
# In the C locale, paths are compared in half the time.
find_newer() {
  local folder=$1
  shift
  [ "$(LC_ALL=C find "$folder" "$@" -newer "$stamp" ! -path "$folder" -print -quit 2>&1)" ]
}

# Compilers to run at a time: one per core, and no more than fit into memory at 2 GiB each.
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
# with the same setting of GRIDSTRIDE_NOTHING_IS_TIMED, and for the same compiler.
is_configured() {
  local folder=$built/$preset line is_of_course=''
  local -a lines
  if [ "$built" = "$root/build" ]; then is_of_course=yes; fi
  [ -s "$folder/build.ninja" ] && [ -s "$folder/CMakeCache.txt" ] || return 1
  [ ! "$root/CMakePresets.json" -nt "$folder/.configured" ] || return 1
  [ "$(<"$folder/.configured")" = "$configured_as" ] || return 1
  mapfile -t lines <"$folder/CMakeCache.txt"  # hundreds, which `read` would read one by one
  for line in "${lines[@]}"; do
    case $line in
      CMAKE_HOME_DIRECTORY:*) [ "${line#*=}" = "$root" ] && [ "$is_of_course" ]; return ;;
      GRIDSTRIDE_COURSE:*) if [ "${line#*=}" = "$course" ]; then is_of_course=yes; fi ;;
    esac
  done
  return 1
}

configure() {
  local folder=$built/$preset
  local -a options=()
  if [ "$built" != "$root/build" ]; then
    options=(-B "$folder" "-DGRIDSTRIDE_COURSE=$course" "-DGRIDSTRIDE_BUILT=$root/build/$preset")
  fi
  # Objects of a checkout or course that was moved or copied refer to files in the old place: none of them is kept.
  if [ -s "$folder/CMakeCache.txt" ] && ! { grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt" &&
    { [ "$course" = "$root" ] || grep -qxF "GRIDSTRIDE_COURSE:PATH=$course" "$folder/CMakeCache.txt"; }; }; then
    rm -rf "$folder"
  fi
  rm -rf "$folder/.configured" "$folder/CMakeCache.txt" "$folder/CMakeFiles"
  quietly "Configuring ($preset)" ${compiler_command:+env "CXX=$compiler_command"} cmake -S "$root" --preset "$preset" "${options[@]}" || return 1
  printf '%s' "$configured_as" >"$folder/.configured"
  is_configured
}

# Whether the disk is all but full. Programs report that in many ways, and CMake sometimes not at all.
disc_is_full() {
  local available
  read -r _ _ _ available _ < <(df -Pk "$built" | tail -n 1)
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
    cmake --build "$built/$preset" -j "${CMAKE_BUILD_PARALLEL_LEVEL:-$(job_count)}" --target "$@"
}

# After a failure: removes a cause that lies in the machine or the build folder rather than in the sources.
# Each remedy is tried once; returns 1 if none is left.
mend() {
  if [[ $mended != *packages* ]] && have_package_database; then
    # shellcheck disable=SC2086
    find_missing $package_groups
    if ((${#missing[@]})); then
      mended+=packages
      rm -f "$package_stamp" "$built/$preset/.configured"
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
    rm -f "$built/$preset/.configured"
    return 0
  fi
  return 1
}

# After a failure: whether it is an error in `lesson`'s own file, which has then been explained.
explain_errors() {
  local file said=("${held_output[@]}")
  if [ -z "${lesson:-}" ]; then return 1; fi
  file=lessons/$lesson/lesson.cpp
  # For an error in a header, the line of the lesson that led there.
  if ! held_output_has "$file[:(][0-9]+|undefined (symbol: |reference to )" || ! held_output_has 'error[: ]'; then return 1; fi
  quietly 'Reading the compiler'"'"'s messages' cmake --build "$root/build/$preset" --target gridstride_explain
  held_output=("${said[@]}")
  if [ ! -x "$root/build/$preset/exercises/gridstride-explain" ]; then return 1; fi
  printf '%s\n' "${said[@]}" | "$root/build/$preset/exercises/gridstride-explain" errors "$course/$file" >&2
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
    say "The disk is full: free some space, and the same command continues from here."
  elif held_output_has "$lacks_memory"; then
    say "Memory ran out: close other programs, or build one file at a time with CMAKE_BUILD_PARALLEL_LEVEL=1."
  elif [ "$stage" = configuring ] && ! have_package_database; then
    # shellcheck disable=SC2086
    find_missing $package_groups
    give_up_on_missing "This is no Debian, so what is missing is not known; above is what CMake found. On Debian:"
  elif [ "$stage" = configuring ]; then
    say "CMake could not configure the preset '$preset', for the reason above. './gridstride doctor' describes this machine."
  else
    say "$1 did not build; see the errors above."
    exit 1
  fi
  exit 3
}

# build GROUPS TITLE TARGET...: installs the packages of GROUPS, chooses the preset, configures it and builds the targets.
# Ends the launcher if one of them fails; sets `preset`. In a read-only checkout, nothing is built.
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

# build_what_changed GROUPS TITLE TARGET...: the same while a user waits for the answer: if nothing has changed, Ninja isn't asked.
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

# build_of_course GROUPS TITLE PARTS TARGET...: builds targets of the course. Where that has a folder of its own, they are built
# there, of the target PARTS of our own build, and `built` is that folder from then on.
build_of_course() {
  local groups=$1 title=$2 parts=$3
  shift 3
  if [ "$course" != "$root" ]; then
    build "$groups" "what a course is built with" "$parts"
    GRIDSTRIDE_PRESET=$preset  # the course uses the same preset, however it was chosen
    built=$course/build
    build "$groups" "$title" "$@"
  else
    build_what_changed "$groups" "$title" "$@"
  fi
}

# After `lesson` was built: without g++'s plugin, functions that run on the device without GS_FN go unnoticed. Says
# so, once after each edit.
say_what_is_left_out() {
  local file=$course/lessons/$lesson/lesson.cpp folder=$built/$preset
  local said=$folder/.left_out_$lesson
  if [ "$preset" = cuda ] || [ ! -e "$folder/compiler/marks_left_out" ]; then return 0; fi  # nvcc looks by itself
  if [ ! "$file" -nt "$folder/.configured" ] || [ "$said" -nt "$file" ]; then return 0; fi
  say "Functions that run on the device without GS_FN were not looked for: './gridstride doctor' says which package is missing."
  : >"$said"
}
