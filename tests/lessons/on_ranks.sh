#!/usr/bin/env bash
# on_ranks.sh LESSON: lessons 41, 42 and 45 on several ranks of Open MPI, and 41 of MPICH; what they say of a field with too few rows, of
# too few points, and of checkpoints that are damaged or of another field.

set -u
program=$1
root=$(realpath -- "$(dirname -- "$0")/../..") mpi=openmpi
source "$root/cmake/launcher/ranks.sh"
if ! command -v mpirun.openmpi >/dev/null; then
  echo 'SKIPPED: there is no mpirun of Open MPI'
  exit 77
fi
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
export GRIDSTRIDE_CHECKPOINTS=$box/checkpoints

# on RANKS OPTION...: sets `status`; what was printed is in $box/out and $box/errors.
on() {
  ranks=$1
  shift
  set_mpirun_words
  "${mpirun_words[@]}" "$program" "$@" >"$box/out" 2>"$box/errors"
  status=$?
}
fail() {
  printf 'FAILED: %s\n' "$*"
  cat "$box/out" "$box/errors"
  exit 1
}
expect_status() { [ "$status" = "$1" ] || fail "exit status $1 was expected, not $status"; }
expect_in() { grep -qF -- "$1" "$box/$2" || fail "'$1' was expected in $2"; }

for n in 2 3 4 7; do
  on "$n" --size 61 --iterations 20
  expect_status 0
  expect_in "✓ all bits of the field, $n x 1 ranks" out
  expect_in '✓ all bits, from the checkpoint' out
  expect_in 'A step on each rank' out
  expect_in "rank $((n - 1)) ┤" out
  [ "$(grep -c '✓ all bits of the field' "$box/out")" = $((n > 3 ? 2 : 1)) ] || fail 'one rank reports, and no other does'
done
# The viewer reads the first rank's report from a pipe.
mkfifo "$box/pipe"
cat "$box/pipe" >"$box/report" &
GRIDSTRIDE_STREAM_OF=$$ on 3 --size 61 --iterations 20 --stream 3 3>"$box/pipe"
expect_status 0
wait $!
grep -qaF 'all bits of the field, 3 x 1 ranks' "$box/report" || fail 'a report was expected in the pipe'
! grep -q '✓' "$box/out" || fail 'no report was expected on standard output'
if command -v mpirun.mpich >/dev/null && [ -e "${program%/lessons/*}/runtime/libgridstride_world_mpich.so" ]; then
  mpirun.mpich -n 3 "$root/cmake/launcher/rank.sh" "$program" --size 61 --iterations 20 >"$box/out" 2>"$box/errors"
  status=$?
  expect_status 0
  expect_in '✓ all bits of the field, 3 x 1 ranks' out
fi

on 4 --size 3
expect_status 2
expect_in 'sharing a field among 4 ranks: it has 3 rows, fewer than the 4 parts' errors

# Checkpoints after steps 4 and 8.
on 2 --size 40 --iterations 8 --every 4
expect_status 0
on 3 --size 41 --iterations 12 --every 4
expect_status 2
expect_in 'its field has the size 40 x 40, and this one 41 x 41; choose the same, or remove the folder' errors
on 1 --size 40 --iterations 12 --every 4 --seed 2
expect_status 2
expect_in 'its field has the seed 1, and this one 2' errors
on 1 --size 40 --iterations 12 --every 4 --rate 0.1
expect_status 2
expect_in 'its field has the rate 0.2' errors

# The newest one cut short: the one before it is whole.
truncate -s -5 "$GRIDSTRIDE_CHECKPOINTS/step_8_rank_1_of_2"
on 3 --size 40 --iterations 8 --every 100
expect_status 0
expect_in 'Passed over: reading the checkpoint' out
expect_in 'the file is cut short' out
cp "$GRIDSTRIDE_CHECKPOINTS/step_4_rank_0_of_2" "$box/damaged"
printf 'X' | dd of="$box/damaged" bs=1 seek=500 conv=notrunc 2>/dev/null
rm -f "$GRIDSTRIDE_CHECKPOINTS"/step_8*
cp "$box/damaged" "$GRIDSTRIDE_CHECKPOINTS/step_4_rank_0_of_2"
on 2 --size 40 --iterations 8 --every 100
expect_status 2
expect_in 'none is whole: reading the checkpoint' errors
expect_in 'its checksum is another than when it was written; remove the folder to begin anew' errors
printf 'no field' >"$GRIDSTRIDE_CHECKPOINTS/step_4_rank_0_of_2"
on 2 --size 40 --iterations 8 --every 100
expect_status 2
expect_in 'the file is cut short' errors
head -c 200 /dev/zero >"$GRIDSTRIDE_CHECKPOINTS/step_4_rank_0_of_2"
on 1 --size 40 --iterations 8 --every 100
expect_in 'the file is no checkpoint of a field' errors

# A rank that has not renamed its file yet: the checkpoint isn't there.
rm -rf "$GRIDSTRIDE_CHECKPOINTS"
on 2 --size 40 --iterations 8 --every 8
mv "$GRIDSTRIDE_CHECKPOINTS/step_8_rank_0_of_2" "$GRIDSTRIDE_CHECKPOINTS/step_8_rank_0_of_2.new"
on 2 --size 40 --iterations 16 --every 100
expect_status 0
expect_in ' 0 ' out
printf 'a file' >"$box/file"
GRIDSTRIDE_CHECKPOINTS=$box/file/folder on 1 --size 40 --iterations 16 --every 100
expect_status 3
expect_in 'set GRIDSTRIDE_CHECKPOINTS to a folder that can be written' errors

# Lesson 45's conjugate gradients.
program=${program%/*}/45_linear_algebra
for n in 2 3 7; do
  on "$n" --side 31 --products 20
  expect_status 0
  expect_in '✓ residual of the shared answer' out
  expect_in '✓ difference of the two answers' out
done
on 3 --side 2
expect_status 2
expect_in 'sharing the field among 3 ranks: it has 2 rows; start fewer ranks, or choose a larger --side' errors

# Lesson 42's gradients.
program=${program%/*}/42_deep_learning_primitives
for n in 2 3 4; do
  on "$n" --size 30 --iterations 20 --pictures 1 --channels 4
  expect_status 0
  expect_in '✓ all ranks have the same weights, to the bit' out
  expect_in '✓ loss by a ring and on one rank' out
  expect_in "✓ loss by the library's allreduce and on one rank" out
done
on 3 --size 1 --iterations 20
expect_status 2
expect_in 'sharing 2 points among 3 ranks: some would have none; start fewer ranks, or choose a larger --size' errors
echo 'all as expected'
