#!/usr/bin/env bash
# header_templates.sh END_OF_HEADER PLUGIN COMPILER FLAGS...: in a header that is precompiled with the plugin, templates are
# as they are used in it, and a file that begins with it makes none of them again; without the plugin it makes all.
set -euo pipefail
shopt -s inherit_errexit
end_of_header=$1 plugin=$2
shift 2
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cd "$folder"
cat >header.h <<END
template <class T>
T twice(T x) { return x + x; }
inline int four() { return twice(2); }
#include "$end_of_header"
END
: >empty.cpp
cat >program.cpp <<'END'
double half(double x);
int main() { return four() == 4 && twice(1.5) == 3 ? 0 : 1; }
END

# made_by FLAGS...: which templates are made in a file that only begins with the header.
made_by() {
  "${compile[@]}" -Werror -Wall "$@" -x c++-header -o header.h.gch header.h
  "${compile[@]}" -Winvalid-pch -Werror -include header.h -fdump-tree-original=made.txt -c -o empty.o empty.cpp
  sed -nE 's/^;; Function T (twice)\(T\) \[with T = (.*)\].*$/\1<\2>/p' made.txt
}
compile=("$@")
without=$(made_by)
[ "$without" = 'twice<int>' ] || { echo "without the plugin it makes '$without', not twice<int>"; exit 1; }
with=$(made_by "-fplugin=$plugin")
[ -z "$with" ] || { echo "with the plugin it makes '$with'"; exit 1; }
"${compile[@]}" -Winvalid-pch -Werror -include header.h -o program program.cpp
./program
