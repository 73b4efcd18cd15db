# shellcheck shell=bash
# --ranks N and --hosts A,B of `run` and `inspect`: the program runs as N processes, started by the mpirun of the MPI that the
# library is linked with. Sourced after build.sh.

most_ranks=4096
ranks='' hosts=''

# take_ranks WORD...: sets `ranks` and `hosts` from these two options, and `words` to all other words.
take_ranks() {
  words=()
  while [ $# -gt 0 ]; do
    case $1 in
      --ranks | --hosts)
        if [ $# = 1 ]; then wrong_usage "$1 needs a value: --ranks 4, --hosts alpha,beta"; fi
        if [ "$1" = --ranks ]; then ranks=$2; else hosts=$2; fi
        shift ;;
      --ranks=*) ranks=${1#*=} ;;
      --hosts=*) hosts=${1#*=} ;;
      --)
        words+=("$@")
        break ;;
      *) words+=("$1") ;;
    esac
    shift
  done
}

# check_ranks COMMAND: ends the launcher for numbers and hosts that can't be meant.
check_ranks() {
  local host rank
  if [ -z "$ranks$hosts" ]; then return 0; fi
  case $1 in
    run | inspect) ;;
    *) wrong_usage "Ranks are for run and inspect, and '$1' has none: leave --ranks and --hosts out." ;;
  esac
  for rank in OMPI_COMM_WORLD_RANK PMIX_RANK PMI_RANK; do
    if [ "${!rank:-}" ]; then
      wrong_usage "This is rank ${!rank} of another launcher already, whose ranks are taken as they are: leave --ranks and --hosts out."
    fi
  done
  if [ "$hosts" ]; then
    if ! [[ $hosts =~ ^[A-Za-z0-9._-]+(,[A-Za-z0-9._-]+)*$ ]]; then
      wrong_usage "--hosts takes names with commas between them, as in --hosts alpha,beta, and was given '$hosts'."
    fi
    IFS=, read -ra host_names <<<"$hosts"
    for host in "${host_names[@]}"; do
      if [[ $host == -* ]] || ! getent hosts "$host" >/dev/null; then
        wrong_usage "There is no host '$host': --hosts takes names or addresses that this machine can look up."
      fi
    done
    ranks=${ranks:-${#host_names[@]}}
  fi
  if ! [[ $ranks =~ ^[0-9]{1,6}$ ]] || ((10#$ranks < 1 || 10#$ranks > most_ranks)); then
    wrong_usage "--ranks takes a number from 1 to $most_ranks, and was given '$ranks'."
  fi
  ranks=$((10#$ranks))
}

# check_lesson_ranks: ends the launcher where `lesson` doesn't know of ranks: each would do the same.
check_lesson_ranks() {
  local source known=()
  if [ -z "$ranks" ] || grep -q 'gs::world' "$course/lessons/$lesson/lesson.cpp"; then return 0; fi
  for source in "$course"/lessons/[0-9][0-9]_*/lesson.cpp; do
    if grep -q 'gs::world' "$source"; then
      source=${source%/lesson.cpp}
      known+=("${source##*/}")
    fi
  done
  wrong_usage "Lesson $lesson has no ranks: leave --ranks and --hosts out${known[*]:+, or run one that has: ${known[*]}}."
}

is_here() { [[ $1 == localhost || $1 == 127.* || $1 == "$(uname -n)" || $1 == "$(uname -n | cut -d . -f 1)" ]]; }

# Hosts other than this one are reached by ssh, which must not ask for anything.
check_hosts() {
  local host
  if [ -z "$hosts" ]; then return 0; fi
  for host in "${host_names[@]}"; do
    if is_here "$host"; then continue; fi
    if ! command -v ssh >/dev/null; then
      say "Ranks on host '$host' are started by ssh, which was not found: install openssh-client."
      exit 3
    fi
    if ! ssh -n -o BatchMode=yes -o ConnectTimeout=10 "$host" true 2>/dev/null; then
      say "Host '$host' can't be reached by ssh without a password: 'ssh $host true' must work, and print nothing."
      exit 3
    fi
    # shellcheck disable=SC2029  # the path of this machine is meant
    if ! ssh -n -o BatchMode=yes "$host" "test -x '$root/gridstride'" 2>/dev/null; then
      say "Host '$host' lacks the folder '$root': put it on a disk that all hosts share, or copy it there with its build folder."
      exit 3
    fi
  done
}

# The mpirun of the MPI that the build was configured with; nothing where it was configured without.
mpirun_of_build() {
  local line
  while IFS= read -r line; do
    case $line in MPIEXEC_EXECUTABLE:*=/*) printf '%s' "${line#*=}" ;; esac
  done <"$root/build/$preset/CMakeCache.txt"
}

# need_ranks: before a build: installs MPI where ranks are asked for, and has a build that was configured without configured anew.
need_ranks() {
  if [ -z "$ranks" ]; then return 0; fi
  check_hosts
  need_packages ranks
  if ! command -v mpiexec >/dev/null; then
    say "Ranks need MPI, and there is no mpiexec here: install Open MPI or MPICH."
    exit 3
  fi
  (
    choose_preset
    if [ -e "$root/build/$preset/CMakeCache.txt" ] && [ -z "$(mpirun_of_build)" ]; then rm -f "$root/build/$preset/.configured"; fi
  )
}

# set_mpirun_words: sets `mpirun_words` to the command that starts the ranks, in front of the program.
set_mpirun_words() {
  local variable mpirun
  mpirun=$(mpirun_of_build)
  if [ ! -x "$mpirun" ]; then
    say "The build in '$root/build/$preset' has no MPI, so nothing can start ranks; './gridstride doctor' describes this machine."
    exit 3
  fi
  mpirun_words=("$mpirun" -n "$ranks")
  if [[ $("$mpirun" --version 2>/dev/null) == *'Open'* ]]; then
    # More ranks than cores are fine, and each shares the cores by itself. Its ssh must not ask, and takes no variables along.
    mpirun_words+=(--quiet --oversubscribe --bind-to none --mca plm_rsh_args "-o BatchMode=yes")
    if [ "$(id -u)" = 0 ]; then mpirun_words+=(--allow-run-as-root); fi
    if [ "$hosts" ]; then
      mpirun_words+=(--map-by node --host "${hosts//,/:$ranks,}:$ranks")
      for variable in $(compgen -e GRIDSTRIDE_); do mpirun_words+=(-x "$variable"); done
    fi
  elif [ "$hosts" ]; then
    mpirun_words+=(-hosts "$hosts")
  fi
  mpirun_words+=("$root/cmake/launcher/rank.sh")
}

# run_ranks COMMAND WORD...: runs it to its end, and ends with its status. Ctrl-C ends all ranks; so does the end of this shell.
run_ranks() {
  local status interrupted=''
  local -a with_launcher=()
  if command -v setpriv >/dev/null; then with_launcher=(setpriv --pdeathsig TERM); fi
  trap 'interrupted=yes' INT
  "${with_launcher[@]}" "$@"
  status=$?
  trap - INT
  if [ "$interrupted" ]; then kill -INT $$; fi
  exit $status
}

# start_own_ranks: for a program of the user's own, which is built by another program: that starts it by this command, a word a
# line. With several hosts, the program has to lie where all of them see it.
start_own_ranks() {
  set_mpirun_words
  printf -v GRIDSTRIDE_RANKS '%s\n' "${mpirun_words[@]}"
  export GRIDSTRIDE_RANKS
  if [ "$hosts" ]; then
    mkdir -p "$root/build/ranks" && export TMPDIR=$root/build/ranks
  fi
}
