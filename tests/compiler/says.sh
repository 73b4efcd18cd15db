#!/usr/bin/env bash
# says.sh SOURCE COMPILER FLAGS...: compiles the source and compares what the plugin says of its kernels, line by line, with the
# comments "// says: ..." at those lines.
source=$1
shift
file=${source##*/}
said=$("$@" -fopt-info-loop-optimized-missed -S -o /dev/null "$source" 2>&1) || {
  printf '%s\n' "$said"
  exit 1
}
said=$(sed -nE "s#^.*/$file:([0-9]+):[0-9]+: (optimized|missed): ((not )?split at .*[^ ]) *\$#\1: \3#p" <<<"$said" | sort -un)
expected=$(sed -nE '=; s|^.*// says: (.*)$|\1|p' "$source" | awk '/^[0-9]+$/ {line = $0; next} {print line ": " $0}' | sort -un)
diff <(printf '%s\n' "$expected") <(printf '%s\n' "$said") && echo "as the comments of $file expect"
