#pragma once
// Syntax colours of C++: the comments, strings, numbers and keywords of a line.

#include <cstddef>
#include <string_view>
#include <vector>

namespace viewer {

enum class cpp_part { plain, keyword, comment, text, number, directive };

struct cpp_span {
  std::size_t begin, size;
  cpp_part part;

  friend bool operator==(const cpp_span&, const cpp_span&) = default;
};

/// The parts of one line, in order, without gaps. `in_comment` says whether a /* comment is open at its beginning, and
/// afterwards at its end.
std::vector<cpp_span> cpp_spans(std::string_view line, bool& in_comment);

}  // namespace viewer
