#!/usr/bin/env bash
# vectorised.sh LOOPS SOURCE COMPILER FLAGS...: compiles the source, and fails if g++ vectorises fewer than so many loops over
# the threads of a block, or reads and stores the elements of vectors one by one.
loops=$1 source=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$@" -fopt-info-vec-optimized -S -o "$folder/assembly" "$source" 2>"$folder/said" || {
  cat "$folder/said"
  exit 1
}
found=$(grep -c 'split_loop.h:.*: optimized: loop vectorized' "$folder/said")
one_by_one=$(grep -cE 'v[a-z]*(gather|scatter)' "$folder/assembly")
echo "$found of $loops loops are vectorised, those counted that do the rest of another; $one_by_one instructions gather or scatter"
((found >= loops && one_by_one == 0))
