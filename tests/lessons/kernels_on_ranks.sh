#!/usr/bin/env bash
# kernels_on_ranks.sh LESSON: lesson 40 on three ranks, of which one has no compiler; where none has; with a store that can't be
# written.

set -u
program=$1
root=$(realpath -- "$(dirname -- "$0")/../..") mpi=openmpi
source "$root/cmake/launcher/ranks.sh"
ranks=3
set_mpirun_words
if ! command -v mpirun.openmpi >/dev/null; then
  echo 'SKIPPED: there is no mpirun of Open MPI'
  exit 77
fi
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
export GRIDSTRIDE_KERNELS=$box/kernels COLUMNS=200

fail() {
  printf 'FAILED: %s\n' "$*"
  cat "$box/out" "$box/errors"
  exit 1
}
expect_in() { grep -q -- "$1" "$box/$2" || fail "'$1' was expected in $2"; }

"${mpirun_words[@]}" "$program" --size 1009 --without 1 \
  >"$box/out" 2>"$box/errors" || fail "a run with two compilers ends with $?"
expect_in '^roots  *2 of 3 .* 1,009  rank 1: compile a kernel: this rank has no compiler; install g++' out
expect_in '^misspelt  *0 of 3 .* 0  rank 0: .* was not declared in this scope' out
expect_in '^roots, again  *2 of 3  *stored' out
# Machine code needs no compiler.
expect_in '^roots, compiled  *1 of 3 .* 1,009' out
expect_in '^from 253 .*  2$' out
expect_in 'All [0-9]* checks passed' out

"${mpirun_words[@]}" "$program" --size 1009 --misfit 2 \
  >"$box/out" 2>"$box/errors" || fail "a run with code that does not fit ends with $?"
expect_in "^roots, compiled  *2 of 3 .* 1,009  rank 2: the machine code doesn't fit here, and the text was compiled anew" out
expect_in 'All [0-9]* checks passed' out

"$program" --without 0 >"$box/out" 2>"$box/errors"
[ $? = 3 ] || fail 'without any compiler the machine lacks something'
expect_in 'none of them can: rank 0: compile a kernel: this rank has no compiler' errors

# The same hash, and another text: the stored program isn't taken.
for text in "$GRIDSTRIDE_KERNELS"/*.text; do echo other >>"$text"; done
"$program" --size 33 >"$box/out" 2>"$box/errors" || fail 'a store with other texts'
if grep -q '^roots  *1 of 1  *stored' "$box/out"; then fail 'a program was taken whose text is another'; fi
echo 'all as expected'
