#!/usr/bin/env bash
# same_machine_code.sh OBJDUMP ONE.o OTHER.o: whether two object files hold the same functions, instruction by
# instruction, with what they refer to. Addresses and the encoding of jumps are left out. Status 1 if not.

set -eu
objdump=$1

code_of() {
  "$objdump" -d -r -C --no-addresses --no-show-raw-insn "$1" | sed -n '/^Disassembly/,$p'
}

first_code=$(code_of "$2")
second_code=$(code_of "$3")
functions=$(grep -c '^<.*>:$' <<<"$first_code")
if ! grep -q '^<kernels::product(' <<<"$first_code" || ! grep -q '^<.*engine_launch.*kernels::product.*::run_block' <<<"$first_code"; then
  echo "$2: the kernels aren't in it, or objdump writes otherwise than this script reads"
  exit 2
fi
if [ "$first_code" != "$second_code" ]; then
  echo "$2 and $3 differ:"
  diff <(echo "$first_code") <(echo "$second_code") | head -40 || true
  exit 1
fi
echo "$functions functions of $(wc -l <<<"$first_code") lines are the same"
