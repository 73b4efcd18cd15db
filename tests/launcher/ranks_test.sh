#!/usr/bin/env bash
# The launcher's --ranks and --hosts: ranks_test.sh NAME IS_JSON runs the one function test_NAME in a sandbox of its own.

set -u
is_json=${2:-}
source "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"

mkdir -p "$repository/lessons/41_distributed_diffusion"
echo 'const auto& world = gs::world();' >"$repository/lessons/41_distributed_diffusion/lesson.cpp"

# with_mpi NAME: an MPI whose mpirun starts rank 1 alone, and reads what it prints to the end, as mpirun does.
with_mpi() {
  stand_in "mpirun.$1" <<'END_OF_MPIRUN'
while [[ $1 != */rank.sh ]]; do shift; done
PMI_RANK=1 "$@" | cat
exit "${PIPESTATUS[0]}"
END_OF_MPIRUN
  stand_in "mpicc.$1" </dev/null
}
stand_in getent <<'END_OF_GETENT'
case $2 in alpha | beta | localhost) ;; *) exit 2 ;; esac
END_OF_GETENT
# Alpha can be reached, and has a checkout.
stand_in ssh <<'END_OF_SSH'
case " $* " in *' alpha '*) exit 0 ;; *' beta true '*) exit 0 ;; *) exit 255 ;; esac
END_OF_SSH

test_lesson_with_ranks() {
  with_mpi openmpi
  launcher run 41 --ranks 4 --size 100
  expect_status 0
  expect_equal "rank 1: 41_distributed_diffusion:--size:100:root=$repository" "$out"
  expect_in '-n 4 ' "$(calls mpirun.openmpi)"
  expect_in '--oversubscribe' "$(calls mpirun.openmpi)"
  expect_in '--mca btl ^tcp' "$(calls mpirun.openmpi)"
  expect_not_in --quiet "$(calls mpirun.openmpi)"  # Open MPI 5 refuses it
  expect_in '--allow-run-as-root' "$(calls mpirun.openmpi)"
  expect_in '--target world_parts' "$(calls cmake | grep build/release)"
  expect_not_in openmpi "$(calls apt-get)"
  launcher run 41 --ranks=04 fail
  expect_status 1
  echo 1000 >"$box/user"
  rm "$box/log/mpirun.openmpi"
  launcher run 41 --ranks 2
  expect_status 0
  expect_not_in root "$(calls mpirun.openmpi | cut -d / -f 1)"
  launcher inspect 41 --ranks 2
  expect_equal "rank 1: 41_distributed_diffusion:--inspect:root=$repository" "$out"
  expect_in '--target world_parts' "$(calls cmake | grep build/checked)"
}

test_lesson_with_ranks_in_the_viewer() {
  with_mpi openmpi
  launcher view 41 --ranks 4 --page Course
  expect_status 0
  expect_equal "gridstride-view:41_distributed_diffusion:--ranks:4:--page:Course:root=$repository" "$out"
  expect_in '--target world_parts' "$(calls cmake)"
  launcher view 41
  expect_equal "gridstride-view:41_distributed_diffusion:root=$repository" "$out"
  launcher view --ranks 4
  expect_status 2
  expect_equal 'Which lesson? One that has ranks comes first: ./gridstride view 41 --ranks 4.' "$err"
  launcher view 41 --ranks 4 --hosts localhost
  expect_status 2
  expect_equal 'The viewer starts ranks on this machine: leave --hosts out.' "$err"
  launcher view my/wave.cpp --ranks 4
  expect_status 2
  expect_equal 'The viewer runs a program of your own as one process: leave --ranks out, or run it by ./gridstride run my/wave.cpp --ranks 4.' "$err"
  launcher view 6 --ranks 4
  expect_status 2
  expect_in 'Lesson 06_gaussian_pdf has no ranks' "$err"
}

# The first rank's descriptor 3 is the launcher's, which mpirun doesn't pass on.
test_stream_of_ranks() {
  with_mpi openmpi
  stand_in mpirun.openmpi <<'END_OF_MPIRUN'
while [[ $1 != */rank.sh ]]; do shift; done
PMI_RANK=0 "$1" bash -c 'echo "a report" >&3' 3>&-
END_OF_MPIRUN
  launcher run 41 --ranks 2 --stream 3 3>"$box/stream"
  expect_status 0
  expect_equal 'a report' "$(<"$box/stream")"
}

test_one_rank_needs_no_mpi() {
  launcher run 41
  expect_status 0
  expect_equal "41_distributed_diffusion:root=$repository" "$out"
  expect_not_in world_parts "$(calls cmake)"
  expect_not_in openmpi "$(calls apt-get)"
}

test_simgrid_is_installed_where_it_is_asked_for() {
  launcher run 41 --simulated no
  expect_not_in simgrid "$(calls apt-get)"
  launcher run 41 --simulated yes
  expect_status 0
  expect_in libsimgrid-dev "$(calls apt-get)"
}

test_mpich() {
  with_mpi mpich
  launcher run 41 --ranks 3
  expect_status 0
  expect_in '-n 3 ' "$(calls mpirun.mpich)"
  expect_not_in --oversubscribe "$(calls mpirun.mpich)"
  expect_not_in openmpi "$(calls apt-get)"
  launcher run 41 --ranks 3 --hosts localhost
  expect_in '-hosts localhost' "$(calls mpirun.mpich)"
  with_mpi openmpi
  rm "$box/log/mpirun.mpich"
  program GRIDSTRIDE_MPI=mpich "$repository/gridstride" run 41 --ranks 3
  expect_in '-n 3 ' "$(calls mpirun.mpich)"
  program GRIDSTRIDE_MPI=none "$repository/gridstride" run 41 --ranks 3
  expect_status 2
  expect_in "GRIDSTRIDE_MPI is 'none'" "$err"
}

test_program_of_ones_own_with_ranks() {
  with_mpi openmpi
  launcher run my/wave.cpp --ranks 3 fast
  expect_status 0
  expect_equal "gridstride-program:run:my/wave.cpp:fast:root=$repository" "$out"
  expect_in '--target world_parts' "$(calls cmake)"
  launcher run my/wave.cpp -- --ranks 3
  expect_equal "gridstride-program:run:my/wave.cpp:--:--ranks:3:root=$repository" "$out"
  launcher watch my/wave.cpp --ranks 3
  expect_status 2
  expect_in "Ranks are for run, inspect, view and bench world, and 'watch' has none" "$err"
}

test_mpi_is_installed_where_ranks_need_it() {
  launcher run 41 --ranks 2
  expect_status 3
  expect_in 'openmpi-bin' "$(calls apt-get)"
  expect_in 'libopenmpi-dev' "$(calls apt-get)"
  expect_in 'Ranks need MPI, and mpirun.openmpi or mpicc.openmpi was not found' "$err"  # the stand-in has installed nothing
  program GRIDSTRIDE_MPI=mpich "$repository/gridstride" run 41 --ranks 3
  expect_status 3
  expect_in 'mpirun.mpich or mpicc.mpich' "$err"
}

test_no_mpi_and_no_way_to_install() {
  touch "$box/offline"
  launcher run 41 --ranks 2
  expect_status 3
  expect_in 'apt-get install openmpi-bin libopenmpi-dev' "$err"
}

test_build_learns_of_an_mpi_that_came_later() {
  launcher run 41
  echo 'mpicc_openmpi:FILEPATH=mpicc_openmpi-NOTFOUND' >>"$repository/build/release/CMakeCache.txt"
  with_mpi openmpi
  launcher run 41 --ranks 2
  expect_status 0
  expect_not_in NOTFOUND "$(<"$repository/build/release/CMakeCache.txt")"
}

test_bench_of_ranks() {
  with_mpi openmpi
  launcher bench world
  expect_status 0
  expect_in 'rank 1: gridstride-bench-world-openmpi:--mpi4py=' "$out"
  expect_in '-n 2 ' "$(calls mpirun.openmpi)"
  expect_in '--target world_benchmarks' "$(calls cmake | grep build/release)"
  expect_in '--target world_parts' "$(calls cmake | grep build/release)"
  launcher bench world --ranks 3 --quick --json
  expect_status 0
  expect_in ':--quick:--json:root=' "$out"
  expect_in '-n 3 ' "$(calls mpirun.openmpi)"
}

test_bench_of_ranks_starts_the_script_of_mpi4py() {
  with_mpi openmpi
  stand_in python3 <<'END_OF_PYTHON'
if [ -e "$box/python_fails" ]; then echo 'A "quoted" error' >&2; exit 1; fi
echo 'what it prints'
END_OF_PYTHON
  # Reads the file as the program does: it is gone afterwards.
  stand_in mpirun.openmpi <<'END_OF_MPIRUN'
while [[ $1 != */rank.sh ]]; do shift; done
case $2 in
  *python3) shift; exec "$@" ;;
  *) for word in "$@"; do case $word in --mpi4py=*) cat "${word#*=}" ;; esac; done ;;
esac
END_OF_MPIRUN
  launcher bench world --quick
  expect_status 0
  expect_equal 'what it prints' "$out"
  expect_in 'with_mpi4py.py --quick' "$(calls python3)"
  touch "$box/python_fails"
  launcher bench world
  expect_status 0
  expect_equal '{"lacking": "its script failed: A  quoted  error"}' "$out"
  printf '%s\n' "$out" | "$is_json" || fail 'this is no JSON document'
  rm "$bin/python3"
  launcher bench world
  expect_equal '{"lacking": "python3 was not found; apt-get install python3-mpi4py"}' "$out"
}

test_bench_of_ranks_refuses_other_words() {
  with_mpi openmpi
  launcher bench world --peers
  expect_status 2
  expect_equal "bench world takes --ranks N, --json and --quick, and was given '--peers'." "$err"
  launcher bench world --ranks 1
  expect_status 2
  expect_equal 'bench world needs two ranks, which send each other messages: --ranks 2.' "$err"
  launcher bench world --hosts localhost
  expect_status 2
  expect_equal 'bench world measures on this machine: leave --hosts out.' "$err"
  launcher bench --ranks 2
  expect_status 2
  expect_in "'bench' has none" "$err"
  expect_equal 0 "$(count_calls cmake)"
}

test_wrong_numbers_of_ranks() {
  local number
  with_mpi openmpi
  for number in 0 -1 four 1.5 4097 99999999 ''; do
    launcher run 41 --ranks "$number"
    expect_status 2
    expect_in "--ranks takes a number from 1 to 4096, and was given '${number:-nothing}'" "$err"
  done
  launcher run 41 --ranks
  expect_status 2
  expect_in '--ranks needs a value: --ranks 4' "$err"
  expect_equal 0 "$(count_calls mpirun.openmpi)"
}

test_lesson_without_ranks() {
  with_mpi openmpi
  launcher run 6 --ranks 2
  expect_status 2
  expect_in 'Lesson 06_gaussian_pdf has no ranks' "$err"
  expect_in '41_distributed_diffusion' "$err"
  expect_equal 0 "$(count_calls cmake)"
}

test_ranks_of_another_launcher() {
  with_mpi openmpi
  program OMPI_COMM_WORLD_RANK=3 "$repository/gridstride" run 41
  expect_status 0
  expect_equal "41_distributed_diffusion:root=$repository" "$out"
  program OMPI_COMM_WORLD_RANK=3 "$repository/gridstride" run 41 --ranks 2
  expect_status 2
  expect_in 'This is rank 3 of another launcher already' "$err"
}

test_hosts() {
  with_mpi openmpi
  launcher run 41 --hosts localhost,alpha
  expect_status 0
  expect_in '-n 2 ' "$(calls mpirun.openmpi)"
  expect_in '--host localhost:2,alpha:2' "$(calls mpirun.openmpi)"
  expect_in '-x GRIDSTRIDE_ROOT' "$(calls mpirun.openmpi)"
  expect_not_in 'btl' "$(calls mpirun.openmpi)"
  expect_not_in localhost "$(calls ssh)"
  launcher run 41 --hosts alpha --ranks 6
  expect_in '-n 6 ' "$(calls mpirun.openmpi)"
}

test_wrong_hosts() {
  local host
  with_mpi openmpi
  launcher run 41 --ranks 2 --hosts alpha,gamma
  expect_status 2
  expect_in "There is no host 'gamma'" "$err"
  for host in 'alpha beta' 'alpha,' ',alpha' 'a;b'; do
    launcher run 41 --hosts "$host"
    expect_status 2
    expect_in "--hosts takes names with commas between them, as in --hosts alpha,beta, and was given '$host'" "$err"
  done
  launcher run 41 --hosts -oProxyCommand
  expect_status 2
  launcher run 41 --hosts beta
  expect_status 3
  expect_in "Host 'beta' lacks the folder '$repository'" "$err"
  stand_in ssh <<'END_OF_SSH'
exit 255
END_OF_SSH
  launcher run 41 --hosts alpha
  expect_status 3
  expect_in "Host 'alpha' can't be reached by ssh without a password" "$err"
  rm "$bin/ssh"
  launcher run 41 --hosts alpha
  expect_status 3
  expect_in 'started by ssh, which was not found: install openssh-client' "$err"
  expect_equal 0 "$(count_calls mpirun.openmpi)"
}

test_ranks_that_a_signal_ends() {
  local ending
  with_mpi openmpi
  stand_in mpirun.openmpi <<'END_OF_MPIRUN'
exit "$(<"$box/ending")"
END_OF_MPIRUN
  echo 137 >"$box/ending"
  launcher run 41 --ranks 3
  expect_status 137
  expect_in 'A rank was killed (SIGKILL), as the system does when memory runs out, and all 3 ranks end: choose a smaller size, or fewer ranks.' "$err"
  echo 139 >"$box/ending"
  launcher run 41 --ranks 3
  expect_status 139
  expect_in 'A rank was ended by SIGSEGV, and all 3 ranks end.' "$err"
  for ending in 1 2 143; do
    echo $ending >"$box/ending"
    launcher run 41 --ranks 3
    expect_status $ending
    expect_not_in 'A rank was' "$err"
  done
}

test_interrupted_ranks() {
  with_mpi openmpi
  stand_in mpirun.openmpi <<'END_OF_MPIRUN'
kill -INT $PPID
exit 1
END_OF_MPIRUN
  launcher run 41 --ranks 2
  expect_status 130
}

run_test "$@"
