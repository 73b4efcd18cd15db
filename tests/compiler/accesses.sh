#!/usr/bin/env bash
# accesses.sh SOURCE COMPILER FLAGS...: compiles the source and compares what the plugin notes in it, line by line, with the
# comments of these lines. Without the plugin there must be no note.
source=$1
shift
noted() { "$@" -S -o - "$source" | sed -n '/\.note\.gridstride/,/popsection/s/^\t\.ascii "\(.*\)\\012"$/\1/p'; }
lines=$(noted "$@" | sed 's/\\011/\t/g')
# "LINE KIND: TEXT", as the comments are.
notes=$(awk -F'\t' -v source="$source" '
  $1 == "file" { here = $2 == source; next }
  !here { next }
  { split($2, at, ":") }
  $1 == "access" { text = $5 == "" ? $4 : $5; for (k = 6; k <= NF; ++k) text = text " | " $k; put("access", $3 text, " ;; ") }
  $1 == "name" { put("name", $3, " ") }
  $1 == "array" { for (line = at[1]; line <= $4; ++line) put_at(line, at[2], "array", $3, " ") }
  $1 == "barrier" { put("barrier", 1, " ") }
  $1 == "blocks" || $1 == "casts" { put_at(at[1], 0, $1, at[2] - at[1], " ") }
  function put(kind, text, between) { put_at(at[1], at[2], kind, text, between) }
  function put_at(line, column, kind, text, between) { printf "%d\t%d\t%s\t%s\t%s\n", line, column, kind, text, between }
' <<<"$lines" | sort -n -k1,1 -k2,2 | awk -F'\t' '
  { key = $1 " " $3; if (!(key in all)) { order[++n] = key; all[key] = $4 } else all[key] = all[key] $5 $4 }
  END { for (k = 1; k <= n; ++k) print order[k] ": " all[order[k]] }' | sort)
expected=$(awk '
  { at = index($0, "// "); if (!at) next
    comment = substr($0, at + 3)
    if (comment !~ /^(access|name|array|barrier|blocks|casts): /) next
    count = split(comment, parts, "  ")
    for (k = 1; k <= count; ++k) print NR " " parts[k] }' "$source" | sort)
diff <(echo "$expected") <(echo "$notes") || exit 1
for argument in "$@"; do
  shift
  if [[ $argument != -fplugin=* ]]; then set -- "$@" "$argument"; fi
done
[ -z "$(noted "$@")" ] || exit 1
echo "as the comments of ${source##*/} expect, and nothing without the plugin"
