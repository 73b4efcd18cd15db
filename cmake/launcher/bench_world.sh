# shellcheck shell=bash
# `bench world`: the verbs of gs::world() beside bare MPI calls and mpi4py, each as so many ranks. Sourced by the launcher; reads
# `root` and what ranks.sh has set.

# check_bench_world WORD...: ends the launcher for words that the program would refuse, before ranks are started.
check_bench_world() {
  local word
  for word in "$@"; do
    case $word in
      --json | --quick) ;;
      *) wrong_usage "bench world takes --ranks N, --json and --quick, and was given '$word'." ;;
    esac
  done
  if [ "$hosts" ]; then wrong_usage "bench world measures on this machine: leave --hosts out."; fi
  ranks=${ranks:-2}
  if ((ranks < 2)); then wrong_usage "bench world needs two ranks, which send each other messages: --ranks 2."; fi
}

# measure_mpi4py FILE WORD...: by the Python that has it, build/peers' or the system's. What goes wrong is said in the file.
measure_mpi4py() {
  local file=$1 python=$root/build/peers/bin/python3 reason
  shift
  if ! [ -x "$python" ]; then python=$(command -v python3); fi
  if [ -z "$python" ]; then
    printf '{"lacking": "python3 was not found; apt-get install python3-mpi4py"}\n' >"$file"
  elif ! reason=$("${mpirun_words[@]}" "$python" -B "$root/bench/world/with_mpi4py.py" "$@" 2>&1 >"$file"); then
    reason=${reason//[^[:alnum:] ,.:()_=-]/ }
    if ((${#reason} > 300)); then reason=${reason: -300}; fi
    printf '{"lacking": "its script failed: %s"}\n' "$reason" >"$file"
  fi
}

# bench_world WORD...: mpi4py first, since Python's interpreter can't take turns with the program's calls in one process.
bench_world() {
  local quick=''
  check_bench_world "$@"
  GRIDSTRIDE_PRESET=release
  need_ranks
  build "core bench" "the benchmarks of ranks" world_benchmarks
  find_built "bench/world/gridstride-bench-world-$mpi"
  set_mpirun_words
  mpi4py_file=$(mktemp) || exit 3
  trap 'rm -f -- "$mpi4py_file"' EXIT
  if [[ " $* " == *' --quick '* ]]; then quick=--quick; fi
  measure_mpi4py "$mpi4py_file" ${quick:+"$quick"}
  # The program links MPICH, whose UCX reads its variables before main(): it would print that those set later aren't used.
  export UCX_WARN_UNUSED_ENV_VARS=n
  run_ranks "${mpirun_words[@]}" "$program" --mpi4py="$mpi4py_file" "$@"
}
