# shellcheck shell=bash
# --ranks N and --hosts A,B of `run`, `inspect`, `view` and `bench world`: the program runs as N processes, started by mpirun of
# Open MPI or MPICH. Sourced after build.sh.

most_ranks=4096
ranks='' hosts=''

# take_ranks WORD...: sets `ranks` and `hosts` from these two options, and `words` to all other words.
take_ranks() {
  words=()
  while [ $# -gt 0 ]; do
    case $1 in
      --ranks | --hosts)
        if [ $# = 1 ]; then wrong_usage "$1 needs a value: --ranks 4, --hosts alpha,beta"; fi
        if [ "$1" = --ranks ]; then ranks=${2:-nothing}; else hosts=${2:- }; fi
        shift ;;
      --ranks=*)
        ranks=${1#*=}
        ranks=${ranks:-nothing} ;;
      --hosts=*)
        hosts=${1#*=}
        hosts=${hosts:- } ;;
      --)
        words+=("$@")
        break ;;
      *) words+=("$1") ;;
    esac
    shift
  done
}

# check_ranks COMMAND WORD: ends the launcher for numbers and hosts that can't be meant. WORD is the command's first.
check_ranks() {
  local host rank
  if [ -z "$ranks$hosts" ]; then return 0; fi
  case $1:${2:-} in
    run:* | inspect:* | bench:world) ;;
    view:*) check_view_of_ranks "$2" ;;
    *) wrong_usage "Ranks are for run, inspect, view and bench world, and '$1' has none: leave --ranks and --hosts out." ;;
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

# check_view_of_ranks WORD: the viewer starts the ranks of a lesson, on this machine.
check_view_of_ranks() {
  if [ "$hosts" ]; then wrong_usage "The viewer starts ranks on this machine: leave --hosts out."; fi
  if [[ ${1:--} == -* ]]; then wrong_usage "Which lesson? One that has ranks comes first: ./gridstride view 41 --ranks $ranks."; fi
  if is_program "$1"; then
    wrong_usage "The viewer runs a program of your own as one process: leave --ranks out, or run it by ./gridstride run $1 --ranks $ranks."
  fi
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

# Sets `mpi` to the MPI whose ranks are started, Open MPI or MPICH: GRIDSTRIDE_MPI, else the first that can be built for.
choose_mpi() {
  for mpi in ${GRIDSTRIDE_MPI:-openmpi mpich}; do
    if command -v "mpirun.$mpi" >/dev/null && command -v "mpicc.$mpi" >/dev/null; then return 0; fi
  done
  return 1
}

# need_ranks: before a build, where ranks are asked for: installs an MPI if there is none, and builds what joins ranks by it.
need_ranks() {
  if [ -z "$ranks" ]; then return 0; fi
  case ${GRIDSTRIDE_MPI:-} in
    '' | openmpi | mpich) ;;
    *) wrong_usage "GRIDSTRIDE_MPI is '$GRIDSTRIDE_MPI': for ranks it is openmpi or mpich, or not set." ;;
  esac
  check_hosts
  if ! choose_mpi; then
    if [ "${GRIDSTRIDE_MPI:-}" != mpich ]; then need_packages ranks; fi
    if ! choose_mpi; then
      say "Ranks need MPI, and mpirun.${GRIDSTRIDE_MPI:-openmpi} or mpicc.${GRIDSTRIDE_MPI:-openmpi} was not found: install Open MPI or MPICH with its compiler."
      exit 3
    fi
  fi
  (
    choose_preset
    # A build that was configured before this MPI was there doesn't know of it.
    if grep -qs "^mpicc_$mpi:.*NOTFOUND" "$root/build/$preset/CMakeCache.txt"; then rm -f "$root/build/$preset/.configured"; fi
    build_what_changed core "what joins ranks" world_parts
  ) || exit
}

# set_mpirun_words: sets `mpirun_words` to the command that starts the ranks, in front of the program.
set_mpirun_words() {
  local variable
  mpirun_words=("mpirun.$mpi" -n "$ranks")
  if [ "$mpi" = openmpi ]; then
    # More ranks than cores are fine, and each takes its share of the cores by itself. Open MPI's ssh must not ask, and takes no
    # variables along. Open MPI 5 has no --quiet, and passes over 4's parameter for it.
    mpirun_words+=(--mca orte_execute_quiet 1 --oversubscribe --bind-to none --mca plm_rsh_args "-o BatchMode=yes")
    if [ "$(id -u)" = 0 ]; then mpirun_words+=(--allow-run-as-root); fi
    if [ "$hosts" ]; then
      mpirun_words+=(--map-by node --host "${hosts//,/:$ranks,}:$ranks")
      for variable in $(compgen -e GRIDSTRIDE_); do mpirun_words+=(-x "$variable"); done
    else
      mpirun_words+=(--mca btl ^tcp)  # through memory; Open MPI 5 warns of networks that a machine can't reach itself by
    fi
  elif [ "$hosts" ]; then
    mpirun_words+=(-hosts "$hosts")
  fi
  mpirun_words+=("$root/cmake/launcher/rank.sh")
}

# say_what_ended_ranks STATUS: a rank that a signal has ended can't say so itself, and Open MPI 4's mpirun is quiet about it.
say_what_ended_ranks() {
  if (($1 <= 128)); then return 0; fi
  local signal
  signal=$(kill -l "$1") || return 0
  case $signal in
    KILL) say "A rank was killed (SIGKILL), as the system does when memory runs out, and all $ranks ranks end: choose a smaller size, or fewer ranks." ;;
    INT | PIPE | TERM | HUP) ;;
    *) say "A rank was ended by SIG$signal, and all $ranks ranks end." ;;
  esac
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
  say_what_ended_ranks $status
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
