#!/usr/bin/env bash
# replay_marks.sh OBJDUMP SOURCE COMPILER ARGUMENTS...: compiles kernels in block style. The marks that tell which thread begins
# must be called by the function that runs a block again after a fault, and by no other. Status 1 if not.

set -eu
objdump=$1 source=$2
shift 2
object=$(mktemp --suffix .o)
trap 'rm -f "$object"' EXIT
"$@" -c "$source" -o "$object"
callers=$("$objdump" -d -r -C "$object" | awk '/^[0-9a-f]+ <.*>:$/ { name = $0 } /gridstride_replay_(thread|turn)/ { print name }' | sort -u)
if ! grep -q run_marked_block <<<"$callers"; then
  echo "no code of $source is left to run a block again with its marks"
  exit 1
fi
if grep -v run_marked_block <<<"$callers"; then
  echo "these functions of $source call marks, which cost time there"
  exit 1
fi
