#!/usr/bin/env bash
# no_instruments_inside.sh NM FILE...: whether the files neither hold nor call what observes accesses. Status 1 if one
# does, with the names.

set -eu
nm=$1
shift
status=0
for file; do
  names=$("$nm" -C "$file")
  if names_found=$(grep -E '__tsan_|instruments::(monitor|timeline|request_recorder|shadow|element|allocate|enter_|note_|launch_scope|work_scope)' <<<"$names"); then
    printf '%s:\n%s\n' "$file" "$names_found"
    status=1
  fi
done
exit $status
