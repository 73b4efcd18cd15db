#!/usr/bin/env bash
# vectorised.sh LOOPS HEADER SOURCE COMPILER FLAGS...: compiles the source, and fails if g++ vectorises fewer than LOOPS of
# the loops that stand in the header, or reads and stores the elements of vectors one by one.
loops=$1 header=$2 source=$3
shift 3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$@" -fopt-info-vec-optimized -S -o "$folder/assembly" "$source" 2>"$folder/messages" || {
  cat "$folder/messages"
  exit 1
}
vectorised=$(grep -c "/$header:.*: optimized: loop vectorized" "$folder/messages")
one_by_one=$(grep -cE 'v[a-z]*(gather|scatter)' "$folder/assembly")
echo "$vectorised of $loops loops are vectorised, those counted that do the rest of another; $one_by_one instructions gather or scatter"
((vectorised >= loops && one_by_one == 0))
