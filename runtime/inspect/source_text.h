#pragma once
// The text of a source file, by line and column, and the little C++ that is read from it to show an expression whole.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::inspecting {

/// A piece of a source file: byte offsets, one past the end.
struct span_of_text {
  std::size_t begin = 0, end = 0;
};

class source_text {
 public:
  /// A file that can't be read is an empty text.
  explicit source_text(const std::string& file);

  /// Line `n` from 1, without its end; empty beyond the text.
  std::string_view line(std::size_t n) const;
  /// Offset of a place, columns counted in bytes; nullopt outside the text.
  std::optional<std::size_t> offset(std::size_t line, std::size_t column) const;
  /// The byte column of a column counted in characters (UTF-8).
  std::size_t byte_column(std::size_t line, std::size_t character_column) const;
  /// Line and column (bytes, from 1) of an offset.
  std::pair<std::size_t, std::size_t> place(std::size_t offset) const;
  std::string_view text(span_of_text span) const {
    return std::string_view(text_).substr(span.begin, span.end - span.begin);
  }

  /// The arguments of the call whose '(' or '{' is at `open`, without blanks around them; empty if there is no bracket.
  std::vector<span_of_text> arguments(std::size_t open) const;
  /// The whole call whose '(' is at `open`: its name and its brackets. Only `open` itself where there is no bracket.
  span_of_text call(std::size_t open) const;
  /// Where the '(' are of the call at `open` and of the calls that are its arguments, in the order in which g++ makes
  /// them: the last argument first, the call itself at the end.
  std::vector<std::size_t> nested_calls(std::size_t open) const;
  /// From `begin` to the ';' or ',' or closing bracket that ends the expression, without blanks around it.
  span_of_text expression(std::size_t begin) const;
  /// The word before `offset` or around it, such as "return", begins a statement: what follows it. nullopt if the
  /// statement doesn't start so.
  std::optional<span_of_text> returned_expression(std::size_t offset) const;
  /// What the variable `name` is initialised with or assigned in the statement around `offset`: "d = x", "d{x}",
  /// "d(x)". Its name, the '=' or the statement's end may be at `offset`.
  std::optional<span_of_text> initializer(std::string_view name, std::size_t offset) const;

 private:
  span_of_text trimmed(span_of_text span) const;
  // Past the bracket that closes the one at `open`, or past the string or comment there.
  std::size_t skip_group(std::size_t open) const;

  std::string text_;
  std::vector<std::size_t> line_starts_;
};

/// The length of the cast that `expression` begins with, if it is written out: static_cast<T>(..), (T)x, T(..), T{..}.
/// The last two look like calls, so say whether the value really comes from one. A cast to float widens nothing:
/// nullopt.
std::optional<std::size_t> written_cast(std::string_view expression, bool comes_from_call);

/// The floating literal without f suffix that the whole operand consists of: "0.5", "1e-3", "-2.".
bool is_double_literal(std::string_view operand);

}  // namespace gs::inline GS_FLAVOUR::inspecting
