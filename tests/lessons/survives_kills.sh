#!/usr/bin/env bash
# survives_kills.sh LESSON: lesson 41's long run, of which ranks are killed at random moments, goes on from its checkpoints on
# another number of ranks, and ends with the bits of a run that nobody has disturbed. GRIDSTRIDE_KILLS says how many.

set -u
program=$1
root=$(realpath -- "$(dirname -- "$0")/../..") mpi=openmpi
source "$root/cmake/launcher/ranks.sh"
kills=${GRIDSTRIDE_KILLS:-5}
RANDOM=${GRIDSTRIDE_SEED:-$$}
echo "GRIDSTRIDE_SEED=$RANDOM"
if ! command -v mpirun.openmpi >/dev/null; then
  echo 'SKIPPED: there is no mpirun of Open MPI'
  exit 77
fi
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
export GRIDSTRIDE_CHECKPOINTS=$box/checkpoints
counts=(1 2 3 4)

fail() {
  printf 'FAILED: %s\n' "$*"
  cat "$box/errors"
  exit 1
}

# start RANKS: in the background, with each rank's process number in a file. Each step ends in a checkpoint, so most kills hit a
# rank that writes. Open MPI 4.1.4's mpirun now and then waits for ever for ranks that have all ended; hence the time limit.
start() {
  rm -f "$box"/rank_*
  ranks=$1
  set_mpirun_words
  unset 'mpirun_words[-1]'  # rank.sh
  timeout --foreground 20 "${mpirun_words[@]}" \
    bash -c "echo \$\$ >'$box/rank_'\$OMPI_COMM_WORLD_RANK; exec \"\$0\" \"\$@\"" \
    "$program" --size 24 --iterations 240 --every 1 --json >"$box/out" 2>"$box/errors" &
}
# The step of the newest checkpoint of which each rank's file has its name: what a run has to go on from.
newest() {
  ls "$GRIDSTRIDE_CHECKPOINTS" 2>/dev/null | awk -F_ '
    NF == 6 && !/new$/ { if (++files[$2 "_" $6] == $6 && $2 > newest) newest = $2 }
    END { print newest + 0 }'
}
begun() { tr -d ' \n' <"$box/out" | grep -o '"rows":\[\["[0-9]*x[0-9]*",[0-9]*' | grep -o '[0-9]*$'; }
bits() { grep -o '"[0-9a-f]\{16\}"' "$box/out" | tail -n 1; }

start 1
wait $! || fail 'the undisturbed run'
expected=$(bits)
if [ -z "$expected" ]; then fail 'the undisturbed run has no fingerprint'; fi
rm -rf "$GRIDSTRIDE_CHECKPOINTS"

killed=0 finished=0
while ((killed < kills || finished == 0)); do
  ranks=${counts[RANDOM % 4]}
  goes_on_from=$(newest)
  start "$ranks"
  run=$!
  if ((killed < kills)); then
    sleep "0.$((100 + RANDOM % 700))"
    victim=$box/rank_$((RANDOM % ranks))
    if [ -s "$victim" ] && kill -KILL "$(<"$victim")" 2>/dev/null; then killed=$((killed + 1)); fi
  fi
  if wait $run 2>/dev/null; then
    finished=$((finished + 1))
    if [ "$(bits)" != "$expected" ]; then fail "$ranks ranks ended with $(bits), and $expected was expected"; fi
    if [ "$(begun)" != "$goes_on_from" ]; then fail "a run began at step $(begun), and step $goes_on_from was on the disk"; fi
    rm -rf "$GRIDSTRIDE_CHECKPOINTS"
  elif grep -q 'reading the checkpoint\|going on from' "$box/errors"; then
    fail "a checkpoint was lost after $killed kills"
  fi
done
echo "$killed kills, $finished runs ended with $expected"
