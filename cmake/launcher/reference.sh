# shellcheck shell=bash
# Writes the reference of the library. Sourced after packages.sh; reads `root`.

# write_reference: by Doxygen, into build/doc; ends with 1 where a comment is missing or wrong.
write_reference() {
  local version folder=$root/build/doc
  if [ $# != 0 ]; then
    say "doc takes nothing, and got '$*'."
    exit 2
  fi
  need_packages doc
  if ! command -v doxygen >/dev/null; then
    say "doc needs Doxygen, which was not found: install it first."
    exit 3
  fi
  if ! mkdir -p "$folder" 2>/dev/null || [ ! -w "$folder" ]; then
    say "The reference is written to '$folder', which can't be written; give yourself the right to, or free some disc space."
    exit 3
  fi
  version=$(sed -nE 's/^#define GS_VERSION_[A-Z]+ ([0-9]+)$/\1/p' "$root/runtime/version.h")
  if ! quietly "Writing the reference" env -C "$root" GRIDSTRIDE_VERSION="${version//$'\n'/.}" GRIDSTRIDE_REFERENCE="$folder" \
    doxygen cmake/reference/Doxyfile; then
    show_held_output
    say "The reference has mistakes, which stand above."
    exit 1
  fi
  say "The reference of gs is $folder/html/index.html."
}
