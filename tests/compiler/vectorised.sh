#!/usr/bin/env bash
# vectorised.sh LOOPS SOURCE COMPILER FLAGS...: compiles the source, and fails if g++ vectorises fewer than LOOPS loops over
# the threads of a block, or reads and stores the elements of vectors one by one.
loops=$1 source=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$@" -fopt-info-vec-optimized -S -o "$folder/assembly" "$source" 2>"$folder/messages" || {
  cat "$folder/messages"
  exit 1
}
vectorised=$(grep -cE '(split_loop|dialect/language/launch).h:.*: optimized: loop vectorized' "$folder/messages")
one_by_one=$(grep -cE 'v[a-z]*(gather|scatter)' "$folder/assembly")
echo "$vectorised of $loops loops are vectorised, those counted that do the rest of another; $one_by_one instructions gather or scatter"
((vectorised >= loops && one_by_one == 0))
