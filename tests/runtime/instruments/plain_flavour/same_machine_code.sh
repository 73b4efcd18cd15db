#!/usr/bin/env bash
# same_machine_code.sh OBJDUMP ONE.o OTHER.o: whether two object files hold the same functions, instruction by
# instruction, with what they refer to. Addresses and the encoding of jumps are left out. Status 1 if not.

set -eu
objdump=$1

code_of() {
  "$objdump" -d -r -C --no-addresses --no-show-raw-insn "$1" | sed -n '/^Disassembly/,$p'
}

one=$(code_of "$2")
other=$(code_of "$3")
functions=$(grep -c '^<.*>:$' <<<"$one")
if ! grep -q '^<kernels::product(' <<<"$one" || ! grep -q '^<.*engine_launch.*kernels::product.*::run_block' <<<"$one"; then
  echo "$2: the kernels aren't in it, or objdump writes otherwise than this script reads"
  exit 2
fi
if [ "$one" != "$other" ]; then
  echo "$2 and $3 differ:"
  diff <(echo "$one") <(echo "$other") | head -40 || true
  exit 1
fi
echo "$functions functions of $(wc -l <<<"$one") lines are the same"
