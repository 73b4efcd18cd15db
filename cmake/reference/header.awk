# What Doxygen reads of a header: the names of `gs` without the inline namespace of their flavour, which no program writes;
# indented lines of a comment as code, as they are meant; and a comment behind several variables for each of them. No line is
# added or taken away.

# "unsigned x = 0, y = 0;  ///< text" as one declaration after the other.
function declare_each(line,    text, type, names, count, result, k) {
  text = line
  sub(/^.*; +\/\/\/< /, "", text)
  sub(/; +\/\/\/< .*$/, "", line)
  count = split(line, names, /, /)
  type = names[1]
  sub(/ = .*$/, "", type)
  sub(/ [a-z_0-9]+$/, "", type)
  result = names[1] "; /**< " text " */"
  for (k = 2; k <= count; k++) result = result type " " names[k] "; /**< " text " */"
  return result
}

function print_before(line) {
  if (line ~ /^ *[A-Za-z][a-z_0-9:<> ]* [a-z_0-9]+( = [^,;()]*)?(, [a-z_0-9]+( = [^,;()]*)?)+; +\/\/\/< /) line = declare_each(line)
  print line
}

{
  sub(/namespace gs::inline GS_FLAVOUR/, "namespace gs")
  is_code = $0 ~ /^ *\/\/\/ ( )+ [^ ]/ && (in_code || before ~ /^ *\/\/\/ /)
  is_empty = $0 ~ /^ *\/\/\/ *$/
  if (is_code && !in_code) before = before " @code"
  if (in_code && !is_code && !is_empty) before = before " @endcode"
  in_code = is_code || (in_code && is_empty)
  if (NR > 1) print_before(before)
  before = $0
}
END { print_before(before) }
