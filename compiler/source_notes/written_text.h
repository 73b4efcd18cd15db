#pragma once
// written_text: the source as it is written, between places that g++ keeps.

#include "compiler/device_marks/gcc_trees.h"
// clang-format off
#include "options.h"
#include "output.h"
#include "c-family/c-common.h"
#include "diagnostic.h"
// clang-format on

namespace source_notes {

/// A place in the source, line and column from 1, columns in bytes. Line 0: g++ keeps none.
struct position {
  int line = 0, column = 0;
  friend bool operator<(const position& a, const position& b) {
    return std::tie(a.line, a.column) < std::tie(b.line, b.column);
  }
};

/// Where std::source_location says that an expression stands: in a macro, where the macro is used.
expanded_location shown_place(location_t place);
/// Where an expression begins, and ends: at its last character.
location_t begin_of(location_t expression);
location_t end_of(location_t expression);
bool is_known(location_t place);

/// Some lines of a file, around an expression, without comments that go to the end of a line.
class written_text {
 public:
  static constexpr std::size_t nowhere = std::string::npos;

  /// From some lines above `place`, whose own is the last or nearly so.
  explicit written_text(location_t place);

  /// Where a place is in these lines; nowhere: in none of them.
  std::size_t at(location_t place) const;
  char operator[](std::size_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }
  /// The bracket that belongs to the one at `offset`; nowhere if it isn't in these lines. g++ keeps only one of two
  /// square brackets.
  std::size_t opening(std::size_t close) const;
  std::size_t closing(std::size_t open) const;
  /// Where the name begins that ends before `end`, blanks left out; `end` if there is none.
  std::size_t name_before(std::size_t end) const;
  /// The last character before `end` that is no blank, from there on; and none of "(" either.
  std::size_t before_blanks(std::size_t end, const char* blanks = " \t\n") const;
  /// What stands between two offsets, in one line: each run of blanks is one, and a comment to the end of its line
  /// none.
  std::string between(std::size_t begin, std::size_t end) const;
  /// The same, apart at each comma that no bracket holds.
  std::vector<std::string> list_between(std::size_t begin, std::size_t end) const;

 private:
  std::string file_, text_;
  int first_line_ = 0;
};

}  // namespace source_notes
