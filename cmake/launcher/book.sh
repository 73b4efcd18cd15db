# shellcheck shell=bash
# Builds the course as a web site. Sourced after reference.sh; reads `root` and `course`.

# build_book WORD...: the site in build/book/site, from texts, from what the lessons print here, and from the reference.
build_book() {
  local -a words=("$@")
  need_packages book doc
  if ! [ -x /usr/bin/mkdocs ]; then
    say "book needs MkDocs with its theme Material, which was not found: install mkdocs-material first."
    exit 3
  fi
  if [[ " $* " == *' --pdf'* ]]; then need_packages pdf; fi
  if [[ " $* " != *' --help'* && " $* " != *' -h '* ]] && command -v doxygen >/dev/null; then
    (write_reference >/dev/null) && words+=(--reference "$root/build/doc/html")
  fi
  exec /usr/bin/python3 -B "$root/book/book.py" --root "$root" "${words[@]}"
}
