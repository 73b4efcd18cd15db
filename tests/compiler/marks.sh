#!/usr/bin/env bash
# marks.sh SOURCE COMPILER FLAGS...: compiles the source, which must fail, and compares what the plugin says of functions without
# GS_FN, line by line, with the comments "// unmarked: NAME from CALLER" at those lines, and some places of calls with the
# comments "// calls: NAME". Without the plugin the source must compile.
source=$1
shift
file=${source##*/}
messages=$(LC_ALL=C.UTF-8 "$@" -S -o /dev/null "$source" 2>&1) && {
  echo "$file compiles"
  exit 1
}
# comments WORD: "LINE: TEXT" of each.
comments() { grep -nE "// $1: " "$source" | sed -E "s|^([0-9]+):.*// $1: (.*)\$|\1: \2|"; }
# A line for each error: "LINE: NAME [(no function)] from CALLER at LINE".
unmarked=$(sed -nE "s#^.*/$file:([0-9]+):[0-9]+: error: ‘([^’]*)’ runs on the device and isn't (.*)\$#\1: \2 \3#p
  s#^.*/$file:([0-9]+):[0-9]+: note: ‘([^’]*)’ calls it, which runs there#from \2 at \1#p" <<<"$messages" |
  sed -E 's/ marked GS_FN$//; s/ a function$/ (no function)/' |
  awk '/^from /{printf " %s", $0; next} {printf "%s%s", end, $0; end = "\n"} END {print ""}')
calls=$(sed -nE 's/^[0-9]+: (\S+) .*at ([0-9]+)$/\2: \1/p' <<<"$unmarked")
if ! diff <(comments unmarked) <(sed 's/ at [0-9]*$//' <<<"$unmarked") ||
   grep -vxFf <(printf '%s\n' "$calls") <(comments calls) ||
   [ "$(grep -c ': error: ' <<<"$messages")" != "$(comments unmarked | wc -l)" ]; then
  printf '%s\n' "$messages"
  exit 1
fi
for argument in "$@"; do
  shift
  if [[ $argument != -fplugin=* ]]; then set -- "$@" "$argument"; fi
done
"$@" -fsyntax-only -Wall -Wextra -Werror "$source" && echo "as the comments of $file expect, and nothing without the plugin"
