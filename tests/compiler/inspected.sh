#!/usr/bin/env bash
# inspected.sh SOURCE PLUGIN COMPILER FLAGS... -- LINKED_WITH...: compiles the source with the plugin and without it, runs both, and compares what
# they say of the one finding: by its names, or by its line and with a note of what is left out.
source=$1 plugin=$2
shift 2
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
compile=()
while [ "$1" != -- ]; do
  compile+=("$1")
  shift
done
shift
linked_with=("$@")
output_with() {  # output_with FLAG...: the output of the program, compiled with these flags as well
  "${compile[@]}" "$@" -c -o "$box/program.o" "$source" &&
    "${compile[0]}" -o "$box/program" "$box/program.o" "${linked_with[@]}" && "$box/program"
}
expect() {  # expect SAID TEXT: it holds the text
  [[ $1 == *"$2"* ]] || { printf 'expected: %s\nfound:\n%s\n' "$2" "$1"; exit 1; }
}
with=$(output_with "-fplugin=$plugin")
without=$(output_with)
expect "$with" "8: x[32] writes outside the array's shape (32,), in thread 31 of block 0."
[[ $with != *note:* ]] || expect "$with" "no note"
expect "$without" "note: Names of arrays and indices were left out, and lines alone are told"
expect "$without" "8: Element [32] of device memory writes outside the array's shape (32,), in thread 31 of block 0."
