#!/usr/bin/env bash
# mixed_flavours.sh SOURCE LIBRARY CHECKED COMPILER FLAGS...: a program of the flavour GRIDSTRIDE_CHECKED=CHECKED links with
# LIBRARY, one of the other flavour must not.
set -u
source=$1 library=$2 checked=$3
shift 3
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
link() { "$@" "$source" "$library" -Wl,-rpath,"$(dirname "$library")" -o "$folder/program" 2>&1; }

if ! output=$(link "$@" -DGRIDSTRIDE_CHECKED="$checked"); then
  printf 'A program of the same flavour must link:\n%s\n' "$output"
  exit 1
fi
if output=$(link "$@" -DGRIDSTRIDE_CHECKED=$((1 - checked))); then
  echo "A program of one flavour links with a library of the other, and it must not."
  exit 1
fi
if ! grep -qE "undefined reference to .gs::(plain|checked)::" <<<"$output"; then
  printf 'The link failed for another reason than the flavour:\n%s\n' "$output"
  exit 1
fi
