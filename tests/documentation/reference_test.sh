#!/usr/bin/env bash
# reference_test.sh NAME SOURCE: runs the function test_NAME. The reference of the library, written anew into a folder of its own.

set -u
root=$2
folder=$(mktemp -d "${TMPDIR:-/tmp}/gridstride_reference.XXXXXX")
trap 'rm -rf "$folder"' EXIT

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

# write_reference CHECKOUT: into `folder`; what Doxygen prints is left in `output`.
write_reference() {
  output=$(cd "$1" && GRIDSTRIDE_VERSION=9.8.7 GRIDSTRIDE_REFERENCE=$folder doxygen cmake/reference/Doxyfile 2>&1)
}

if ! command -v doxygen >/dev/null; then
  echo "SKIPPED: Doxygen isn't installed, so nobody has looked whether each public name has a comment."
  exit 77
fi

# Without a warning, and with a description of each name that the runtime's page has in its table of words. Names of the
# library are those that its headers declare; options and members stand on pages of their own.
test_every_word_is_in_the_reference() {
  local word missing=''
  write_reference "$root" || fail "$output"
  [ -z "$output" ] || fail "$output"
  grep -q 9.8.7 "$folder/html/index.html" || fail "The version is missing."
  for word in $(sed -n '/^## Words/,$p' "$root/runtime/README.md" | grep '^|' | grep -oE '\bgs::[a-z_0-9]+' | sort -u); do
    grep -rqE "^ *<name>gs::${word#gs::}</name>|<name>${word#gs::}</name>" "$folder/gs.tag" || missing+=" $word"
  done
  [ -z "$missing" ] || fail "Not in the reference:$missing"
}

test_what_is_not_promised_is_left_out() {
  write_reference "$root" || fail "$output"
  local name
  for name in scalar_functions host_input device_context queue_sort detail; do
    ! grep -qE "<name>(gs::)?$name</name>" "$folder/gs.tag" || fail "'$name' is in the reference."
  done
  ! grep -rq GS_FLAVOUR "$folder/html" || fail "The inline namespace of a flavour is in the reference."
}

test_a_public_name_without_a_comment_is_an_error() {
  local copy=$folder/copy
  mkdir "$copy"
  cp -r "$root/runtime" "$copy/"
  mkdir "$copy/cmake"
  cp -r "$root/cmake/reference" "$copy/cmake/"
  sed -i 's/^void synchronize();/&\nint uncommented();/' "$copy/runtime/device/device.h"
  grep -q uncommented "$copy/runtime/device/device.h" || fail "There is no synchronize() in device.h."
  if write_reference "$copy"; then fail "It was taken."; fi
  [[ $output == *'uncommented() (function) of namespace gs is not documented'* ]] || fail "$output"
}

"test_$1"
