#!/usr/bin/env bash
# ./gridstride doctor: what this machine has for the course, what is missing and what that costs.
# It asks and installs nothing, and needs only bash: it works before any package is installed.
#
# --json prints one document with the keys of `print_json` below; what is unknown or absent is null, sizes are in bytes.

set -u
root=$(cd -P -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../.." && pwd)
source "$root/cmake/launcher/quietly.sh"
source "$root/cmake/launcher/packages.sh"
source "$root/cmake/launcher/build.sh"

costs=()

# first_line COMMAND...: the first line the command prints within 10 seconds; nothing where it is missing or fails.
first_line() {
  local line=''
  command -v "$1" >/dev/null || return 0
  IFS= read -r line < <(timeout 10 "$@" 2>/dev/null </dev/null)
  printf '%s' "$line"
}

# last_word_like PATTERN TEXT: the last word of the text that matches the regular expression.
last_word_like() {
  local word found=''
  for word in $2; do
    if [[ $word =~ $1 ]]; then found=$word; fi
  done
  printf '%s' "$found"
}

look_at_system() {
  read_system
  if [ -z "$system_tried" ]; then
    costs+=("Gridstride was never tried on ${system_title:-this system}: its packages are asked for by the names that Debian 12 has")
  fi
  if [ "$system_costs" ]; then costs+=("${system_title:-this system}: $system_costs"); fi
  architecture=$(uname -m 2>/dev/null) || architecture=$HOSTTYPE
  case $architecture in
    x86_64) ;;
    aarch64) costs+=("on arm64 Gridstride was tried by emulation only, and without g++'s plugins") ;;
    *) costs+=("Gridstride was never tried on a processor of the kind $architecture") ;;
  esac
  # The system's commands were tried on x86-64, with its own g++.
  if [ "$architecture" != x86_64 ] || [ "${CXX:-}" ]; then system_tried=''; fi
}

look_at_tools() {
  choose_compiler
  local said
  said=$(first_line "${compiler_command:-g++}" --version)
  compiler=$(last_word_like '^[0-9]+\.[0-9.]+$' "$said")
  compiler_name=g++
  if [[ $said == *clang* ]]; then compiler_name=clang; fi
  cmake=$(last_word_like '^[0-9]+\.[0-9.]+' "$(first_line cmake --version)")
  ninja=$(first_line ninja --version)
  nvcc=''
  if find_nvcc; then
    nvcc=$(timeout 10 nvcc --version 2>/dev/null </dev/null)
    if [[ $nvcc =~ release\ ([0-9.]+) ]]; then nvcc=${BASH_REMATCH[1]}; else nvcc=''; fi
  fi
  if [ -z "$compiler" ] && [ "$compiler_command" ]; then
    costs+=("the compiler ${compiler_command} doesn't answer: nothing can be built; install it, or choose another one by CXX")
  elif [ $compiler_name = clang ]; then
    costs+=("clang has no plugin: threads that wait at barriers take several times as long, and missing GS_FN isn't found; few of its errors get advice; types are inspected only where g++ is there, too")
  elif [ "$compiler" ] && ((${compiler%%.*} < 12)); then
    costs+=("g++ $compiler is older than 12: the sources may not compile")
  elif [ "$compiler" ] && ((${compiler%%.*} > 15)); then
    costs+=("g++ $compiler is newer than 15: there is no plugin for it, and threads that wait at barriers take several times as long")
  fi
}

# Reads the first line of /proc/cpuinfo that begins with KEY: processor_line KEY
processor_line() {
  local line
  [ -r /proc/cpuinfo ] || return 0
  while IFS= read -r line; do
    if [[ $line == "$1"[[:space:]]*:* ]]; then
      printf '%s' "${line#*: }"
      return
    fi
  done </proc/cpuinfo
}

look_at_processor() {
  local flags index level type size
  processor=$(processor_line 'model name')
  cores=$(nproc 2>/dev/null) || cores=''
  flags=" $(processor_line flags) $(processor_line Features) "
  vector_unit='' vector_bits=''
  case $flags in
    *' avx512f '*) vector_unit=AVX-512 vector_bits=512 ;;
    *' avx2 '*) vector_unit=AVX2 vector_bits=256 ;;
    *' avx '*) vector_unit=AVX vector_bits=256 ;;
    *' sse2 '*) vector_unit=SSE2 vector_bits=128 ;;
    *' sve '*) vector_unit=SVE ;;
    *' asimd '* | *' neon '*) vector_unit=NEON vector_bits=128 ;;
  esac
  l1d='' l2='' l3=''
  for index in /sys/devices/system/cpu/cpu0/cache/index*; do
    if [ -r "$index/size" ]; then
      level=$(<"$index/level") type=$(<"$index/type") size=$(bytes "$(<"$index/size")")
      case $level$type in 1Data) l1d=$size ;; 2*) l2=$size ;; 3*) l3=$size ;; esac
    fi
  done
  l1d=${l1d:-$(known_size LEVEL1_DCACHE_SIZE)}
  l2=${l2:-$(known_size LEVEL2_CACHE_SIZE)}
  l3=${l3:-$(known_size LEVEL3_CACHE_SIZE)}
  if [[ $vector_unit == SSE2 || $vector_unit == AVX ]]; then
    costs+=("no AVX2: vectorised loops run at half the speed or less; everything works")
  fi
}

# known_size NAME: getconf's answer, or nothing if it is 0 or not a number.
known_size() {
  local size
  size=$(getconf "$1" 2>/dev/null)
  if [[ $size =~ ^[1-9][0-9]*$ ]]; then printf '%s' "$size"; fi
}

# bytes 48K: 49152
bytes() {
  case $1 in
    *K) printf '%d' $((${1%K} << 10)) ;;
    *M) printf '%d' $((${1%M} << 20)) ;;
    *G) printf '%d' $((${1%G} << 30)) ;;
    *) printf '%d' "$1" ;;
  esac
}

look_at_memory() {
  memory=''
  if [[ -r /proc/meminfo && $(</proc/meminfo) =~ MemTotal:\ +([0-9]+) ]]; then memory=$((BASH_REMATCH[1] * 1024)); fi
  jobs=$(job_count)
  if [ "$memory" ] && ((memory < 4 << 30)); then
    costs+=("less than 4 GiB of memory: builds compile one file at a time, and the largest sizes of the lessons don't fit")
  fi
}

# One GPU per element: name, driver and compute capability, each after a comma and a space.
look_at_gpus() {
  local line
  gpus=()
  if command -v nvidia-smi >/dev/null; then
    while IFS= read -r line; do
      if [[ $line == *,*,* ]]; then gpus+=("$line"); fi
    done < <(timeout 20 nvidia-smi --query-gpu=name,driver_version,compute_cap --format=csv,noheader 2>/dev/null </dev/null)
  fi
  if ((!${#gpus[@]})); then
    costs+=("no NVIDIA GPU answers: kernels run on the engine, the CPU device; every lesson works, only without a GPU's speed")
  elif [ -z "$nvcc" ]; then
    costs+=("no nvcc: the GPU stays idle and kernels run on the engine, the CPU device; install NVIDIA's CUDA toolkit")
  fi
}

look_at_packages() {
  local package
  missing=()
  read_packages
  if have_package_database; then
    find_missing "${package_group[@]}"
  else
    costs+=("no Debian package database: whether the packages are there is not known, and nothing can be installed for you")
  fi
  for package in "${missing[@]}"; do costs+=("package $package is missing: ${package_cost[$package]}"); done
  for package in "${absent_packages[@]}"; do
    costs+=("package $package isn't offered by ${system_title:-this system}: ${package_cost[$package]}")
  done
}

# readable BYTES: with a binary unit.
readable() {
  if [ -z "$1" ]; then
    printf 'unknown'
  elif (($1 >= 1 << 30)); then
    printf '%d.%d GiB' $(($1 >> 30)) $((($1 & (1 << 30) - 1) * 10 >> 30))
  elif (($1 >= 1 << 20)); then
    printf '%d.%d MiB' $(($1 >> 20)) $((($1 & (1 << 20) - 1) * 10 >> 20))
  else
    printf '%d KiB' $(($1 >> 10))
  fi
}

row() { printf '%-14s %s\n' "$1" "$2"; }

print_text() {
  local gpu name driver capability cost
  row system "${system_title:-unknown}${system_tried:+; tried there: $system_tried}"
  row compiler "${compiler:+$compiler_name }${compiler:-not found}"
  row cmake "${cmake:-not found}"
  row ninja "${ninja:-not found}"
  row nvcc "${nvcc:-not found}"
  row processor "${processor:-unknown} ($architecture)"
  row cores "${cores:-unknown}"
  row 'vector width' "${vector_unit:-unknown}${vector_bits:+, $vector_bits bits}"
  row caches "L1d $(readable "$l1d"), L2 $(readable "$l2"), L3 $(readable "$l3")"
  row memory "$(readable "$memory"); enough for $jobs compilers at a time"
  for gpu in "${gpus[@]}"; do
    IFS=, read -r name driver capability <<<"$gpu"
    row GPU "$name, driver${driver}, compute capability${capability}"
  done
  if ((!${#gpus[@]})); then row GPU 'none found'; fi
  if have_package_database; then
    row packages "$((${#package_names[@]} - ${#missing[@]})) of ${#package_names[@]} installed"
  else
    row packages unknown
  fi
  printf '\n'
  if ((!${#costs[@]})); then
    printf 'Nothing is missing.\n'
  else
    printf 'What is missing, and what its absence costs:\n'
    for cost in "${costs[@]}"; do printf '  %s\n' "$cost"; done
  fi
  if ((${#missing[@]})); then
    printf '\nEach command installs the packages it needs; all at once: apt-get install %s\n' "${missing[*]}"
  fi
}

# string TEXT: as a JSON string; null where it is empty.
string() {
  local text=$1 out='' character i
  if [ -z "$text" ]; then
    printf null
    return
  fi
  for ((i = 0; i < ${#text}; ++i)); do
    character=${text:i:1}
    case $character in
      '"' | \\) out+=\\$character ;;
      [[:cntrl:]]) printf -v character '\\u%04x' "'$character" && out+=$character ;;
      *) out+=$character ;;
    esac
  done
  printf '"%s"' "$out"
}

# number TEXT: as a JSON number; null where it is empty.
number() { printf '%s' "${1:-null}"; }

print_json() {
  local gpu name driver capability package separator='' installed
  printf '{\n  "system": {"name": %s, "tried": %s},\n' "$(string "$system_title")" "$(string "$system_tried")"
  printf '  "compiler": {"name": "%s", "version": %s},\n' "$compiler_name" "$(string "$compiler")"
  printf '  "cmake": %s,\n  "ninja": %s,\n  "nvcc": %s,\n' "$(string "$cmake")" "$(string "$ninja")" "$(string "$nvcc")"
  printf '  "processor": {"name": %s, "architecture": %s, "cores": %s, "vector_unit": %s, "vector_bits": %s,\n' \
    "$(string "$processor")" "$(string "$architecture")" "$(number "$cores")" "$(string "$vector_unit")" "$(number "$vector_bits")"
  printf '    "caches": {"L1d": %s, "L2": %s, "L3": %s}},\n' "$(number "$l1d")" "$(number "$l2")" "$(number "$l3")"
  printf '  "memory": %s,\n  "build_jobs": %s,\n  "gpus": [' "$(number "$memory")" "$(number "$jobs")"
  for gpu in "${gpus[@]}"; do
    IFS=, read -r name driver capability <<<"$gpu"
    printf '%s\n    {"name": %s, "driver": %s, "compute_capability": %s}' "$separator" \
      "$(string "$name")" "$(string "${driver# }")" "$(string "${capability# }")"
    separator=,
  done
  printf '],\n  "packages": ['
  separator=''
  for package in "${package_names[@]}"; do
    installed=null
    if have_package_database; then
      if [[ " ${missing[*]} " == *" $package "* ]]; then installed=false; else installed=true; fi
    fi
    printf '%s\n    {"name": %s, "group": %s, "installed": %s, "why": %s, "cost": %s}' "$separator" "$(string "$package")" \
      "$(string "${package_group[$package]}")" "$installed" "$(string "${package_why[$package]}")" \
      "$(string "${package_cost[$package]}")"
    separator=,
  done
  printf '],\n  "costs": ['
  separator=''
  for cost in "${costs[@]}"; do
    printf '%s\n    %s' "$separator" "$(string "$cost")"
    separator=,
  done
  printf ']\n}\n'
}

print=print_text
if [ "${1:-}" = --json ] && [ $# = 1 ]; then
  print=print_json
elif [ $# != 0 ]; then
  say "doctor takes --json or nothing, but got '$*'."
  exit 2
fi
look_at_system
look_at_tools
look_at_processor
look_at_memory
look_at_gpus
look_at_packages
$print
