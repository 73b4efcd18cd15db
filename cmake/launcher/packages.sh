# shellcheck shell=bash
# The system and its packages: which ones a command needs, which of them are missing, and their installation.
# Sourced after quietly.sh; reads `root` (the checkout) and `assume_yes` (set by --yes).

# Sets `system` ("debian 12"), `system_title` (as the system calls itself), and what cmake/systems.txt says of it, which is
# empty for another system: `system_compiler` (the major version of its g++), `system_tried`, `system_costs`, and
# `package_instead`, the packages that it has under another name.
# GRIDSTRIDE_OS_RELEASE names another file than /etc/os-release.
declare -A package_instead
read_system() {
  local line file=${GRIDSTRIDE_OS_RELEASE:-/etc/os-release} compiler instead tried costs pair
  if [ "${system:-}" ]; then return 0; fi
  local id='' version=''
  system_title='' system_compiler='' system_tried='' system_costs=''
  if [ -r "$file" ]; then
    while IFS= read -r line; do
      line=${line//\"/}
      case $line in
        ID=*) id=${line#*=} ;;
        VERSION_ID=*) version=${line#*=} ;;
        PRETTY_NAME=*) system_title=${line#*=} ;;
      esac
    done <"$file"
  fi
  system="${id:-unknown}${version:+ $version}"
  while IFS= read -r line; do
    if [[ $line != "$system"*([[:space:]])'|'* ]]; then continue; fi
    IFS='|' read -r _ compiler instead tried costs <<<"$line"
    system_compiler=${compiler//[[:space:]]/}
    for pair in $instead; do package_instead[${pair%%=*}]=${pair#*=}; done
    tried=${tried##+([[:space:]])}
    system_tried=${tried%%+([[:space:]])}
    system_costs=${costs##+([[:space:]])}
  done <"$root/cmake/systems.txt"
}

# Sets `compiler_command` to the compiler that CMake is told to take: CXX, else the g++ that the system has beside its own.
# Empty where CMake looks for one by itself.
choose_compiler() {
  read_system
  compiler_command=${CXX:-${package_instead[g++]:-}}
}

# The major version of the g++ that is installed, else of the one that apt would install; nothing where neither is known.
own_compiler_version() {
  local line version=''
  if command -v g++ >/dev/null; then
    version=$(g++ -dumpversion 2>/dev/null)
  elif command -v apt-cache >/dev/null; then
    while IFS= read -r line; do
      if [[ $line =~ Depends:\ g\+\+-([0-9]+) ]]; then version=${BASH_REMATCH[1]}; fi
    done < <(apt-cache depends g++ 2>/dev/null)
  fi
  if [[ $version =~ ^[0-9]+ ]]; then printf '%s' "${BASH_REMATCH[0]}"; fi
}

package_names=() missing=() absent_packages=()
# shellcheck disable=SC2034  # package_cost is for `doctor`
declare -A package_group package_why package_cost

# Reads cmake/packages.txt into the tables above, with the names that this system has; those that it has under none are
# `absent_packages`, of which only the cost is known.
read_packages() {
  local package asked group why cost
  if ((${#package_names[@]})); then return 0; fi
  read_system
  if [ -z "$system_compiler" ]; then
    system_compiler=$(own_compiler_version)
    system_compiler=${system_compiler:-12}
  fi
  while IFS='|' read -r package group why cost; do
    if [[ $package == '#'* || -z $package ]]; then continue; fi
    package=${package%%+([[:space:]])}
    package=${package//@/$system_compiler}
    asked=$package
    package=${package_instead[$package]:-$package}
    if [ "$package" = none ]; then
      absent_packages+=("$asked")
      package=$asked
    else
      package_names+=("$package")
    fi
    package_group[$package]=${group//[[:space:]]/}
    why=${why##+([[:space:]])}
    package_why[$package]=${why%%+([[:space:]])}
    package_cost[$package]=${cost##+([[:space:]])}
  done <"$root/cmake/packages.txt"
}

# Whether Debian's package database can be asked.
have_package_database() { command -v dpkg-query >/dev/null; }

# find_missing GROUP...: leaves the packages of these groups that are not installed in `missing`.
find_missing() {
  local package state installed=' '
  local -a wanted=()
  read_packages
  for package in "${package_names[@]}"; do
    if [[ " $* " == *" ${package_group[$package]} "* ]]; then wanted+=("$package"); fi
  done
  while read -r package state; do
    if [ "$state" = installed ]; then installed+="$package "; fi
  done < <(dpkg-query --show --showformat '${Package} ${db:Status-Status}\n' "${wanted[@]}" 2>/dev/null)
  missing=()
  for package in "${wanted[@]}"; do
    if [[ $installed != *" $package "* ]]; then missing+=("$package"); fi
  done
}

# Ends the launcher: the machine lacks `missing`. The arguments say why the launcher doesn't install them itself.
give_up_on_missing() {
  say "$* Install as root: apt-get install ${missing[*]}"
  exit 3
}

# Installs `missing`, or ends the launcher with status 3.
install_missing() {
  local package answer
  local -a as_root=() apt
  local packages="${#missing[@]} Debian packages"
  if ((${#missing[@]} == 1)); then packages='one Debian package'; fi
  say "Gridstride needs $packages that this machine lacks:"
  for package in "${missing[@]}"; do printf '  %-22s %s\n' "$package" "${package_why[$package]}" >&2; done

  command -v apt-get >/dev/null || give_up_on_missing "There is no apt-get here."
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || give_up_on_missing "You are not root, and there is no sudo."
    as_root=(sudo)
  fi
  if [ -t 0 ] && [ -t 2 ]; then
    if [ -z "$assume_yes" ]; then
      printf 'Install with %s? [Y/n] ' "${as_root[0]:+sudo }apt-get" >&2
      read -r answer || answer=no
      case ${answer,,} in '' | y | yes) ;; *) give_up_on_missing "Nothing was installed." ;; esac
    fi
    # The password is asked for here, before a progress line could run over the prompt.
    if ((${#as_root[@]})); then sudo -v || give_up_on_missing "sudo refused."; fi
  elif ((${#as_root[@]})); then
    as_root=(sudo -n)
    "${as_root[@]}" true 2>/dev/null || give_up_on_missing "sudo wants a password, and there is no terminal to ask on."
  fi

  apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 apt-get -q -o DPkg::Lock::Timeout=300)
  local -a install=("${apt[@]}" install -y --no-install-recommends "${missing[@]}")
  local title="Installing $packages"
  # Package lists that name all of them are used as they are; absent or outdated lists are updated once.
  if ! apt-get install -s --no-install-recommends "${missing[@]}" >/dev/null 2>&1 || ! quietly "$title" "${install[@]}"; then
    if ! quietly "Renewing apt's package lists" "${apt[@]}" update || ! quietly "$title" "${install[@]}"; then
      show_held_output
      give_up_on_missing "apt-get failed, as shown above: is this machine online?"
    fi
  fi
  say "Installed ${missing[*]}."
}

# need_packages GROUP...: installs what these groups lack, or ends the launcher with status 3.
need_packages() {
  if ! have_package_database; then return 0; fi
  find_missing "$@"
  if ((${#missing[@]})); then install_missing; fi
}
