#!/usr/bin/env bash
# says.sh SOURCE COMPILER FLAGS...: compiles the source and compares what the plugin says of its kernels, line by line, with the
# comments "// says: ..." at those lines, or in lines of their own before them.
source=$1
shift
file=${source##*/}
messages=$("$@" -fopt-info-loop-optimized-missed -S -o /dev/null "$source" 2>&1) || {
  printf '%s\n' "$messages"
  exit 1
}
decisions=$(sed -nE "s#^.*/$file:([0-9]+):[0-9]+: (optimized|missed): ((not )?split at .*[^ ]|threads go through it .*[^ ]) *\$#\1: \3#p" <<<"$messages" | sort -un)
expected=$(awk '{ at = index($0, "// says: ") }
  at { print NR + ($1 == "//") ": " substr($0, at + 9) }' "$source" | sort -un)
diff <(printf '%s\n' "$expected") <(printf '%s\n' "$decisions") && echo "as the comments of $file expect"
