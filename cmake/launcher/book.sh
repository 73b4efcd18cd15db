# shellcheck shell=bash
# Builds the course as a web site. Sourced after reference.sh; reads `root` and `course`.

# build_book WORD...: the site in build/book/site, from texts, from what the lessons print here, and from the reference.
build_book() {
  local -a words=("$@")
  local output
  need_packages book doc
  if ! [ -x /usr/bin/mkdocs ]; then
    say "book needs MkDocs with its theme Material, which was not found: install mkdocs-material first."
    exit 3
  fi
  if [[ " $* " == *' --pdf'* ]]; then need_packages pdf; fi
  if [[ " $* " != *' --help'* && " $* " != *' -h '* ]] && command -v doxygen >/dev/null; then
    if output=$(write_reference 2>&1); then
      words+=(--reference "$root/build/doc/html")
    else
      say "The book has no reference of the library: ${output##*$'\n'}"
    fi
  fi
  exec /usr/bin/python3 -B "$root/book/book.py" --root "$root" "${words[@]}"
}
