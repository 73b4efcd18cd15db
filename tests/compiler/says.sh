#!/usr/bin/env bash
# says.sh SOURCE COMPILER FLAGS...: compiles the source and compares what the plugin says of its kernels, line by line, with the
# comments "// says: ..." at those lines.
source=$1
shift
file=${source##*/}
messages=$("$@" -fopt-info-loop-optimized-missed -S -o /dev/null "$source" 2>&1) || {
  printf '%s\n' "$messages"
  exit 1
}
decisions=$(sed -nE "s#^.*/$file:([0-9]+):[0-9]+: (optimized|missed): ((not )?split at .*[^ ]) *\$#\1: \3#p" <<<"$messages" | sort -un)
expected=$(sed -nE '=; s|^.*// says: (.*)$|\1|p' "$source" | awk '/^[0-9]+$/ {line = $0; next} {print line ": " $0}' | sort -un)
diff <(printf '%s\n' "$expected") <(printf '%s\n' "$decisions") && echo "as the comments of $file expect"
