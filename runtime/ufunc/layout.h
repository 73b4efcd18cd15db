#pragma once
// The layout of a generalised ufunc, "(m,n),(n,p)->(m,p)": which dimensions of its operands belong to one call of the
// function. Read at compile time. Grammar: https://numpy.org/doc/stable/reference/c-api/generalized-ufuncs.html

#include <array>
#include <cstddef>
#include <string_view>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

/// A string literal as a template argument.
template <std::size_t N>
struct layout_text {
  constexpr layout_text(const char (&literal)[N]) {  // NOLINT: a layout is written as a literal
    for (std::size_t i = 0; i < N; ++i) characters[i] = literal[i];
  }
  constexpr std::string_view view() const { return {characters, N - 1}; }
  char characters[N]{};
};

/// What is wrong with the text of a layout.
enum class layout_mistake {
  none,
  no_arrow,
  two_arrows,
  unbalanced,
  empty_name,
  not_a_name,
  zero_extent,
  no_comma,
  no_input,
  no_output,
  too_large
};

/// A layout, taken apart. Dimensions of the same name are one dimension; a number is a dimension of that extent.
struct layout {
  static constexpr std::size_t max_operands = 16, max_rank = 8, max_dimensions = 32;

  struct dimension {
    std::string_view name;     ///< as it was written
    std::size_t fixed = 0;     ///< its extent where that is a number, else 0
    bool in_an_input = false;  ///< else its extent comes from the array passed with gs::out
  };
  struct operand {
    std::string_view text;                           ///< "(m,n)"
    std::size_t rank = 0;                            ///< dimensions of one call
    std::array<std::size_t, max_rank> dimensions{};  ///< which ones, outermost first
  };

  std::string_view text;
  layout_mistake mistake = layout_mistake::none;
  std::size_t inputs = 0, outputs = 0, dimension_count = 0;
  std::array<operand, max_operands> operands{};  ///< the inputs, then the outputs
  std::array<dimension, max_dimensions> dimensions{};

  constexpr std::size_t operand_count() const { return inputs + outputs; }
};

/// Reads a layout from left to right; blanks are skipped.
class layout_parser {
 public:
  constexpr explicit layout_parser(std::string_view text) { result_.text = text; }

  constexpr layout parse() {
    using enum layout_mistake;
    const std::string_view text = result_.text;
    const std::size_t arrow = find_arrow(text);
    if (arrow == text.npos) return failed(no_arrow);
    if (find_arrow(text.substr(arrow + 2)) != text.npos) return failed(two_arrows);
    if (!read_side(text.substr(0, arrow), result_.inputs)) return result_;
    for (std::size_t d = 0; d < result_.dimension_count; ++d) result_.dimensions[d].in_an_input = true;
    if (!read_side(text.substr(arrow + 2), result_.outputs)) return result_;
    if (result_.inputs == 0) return failed(no_input);
    if (result_.outputs == 0) return failed(no_output);
    return result_;
  }

 private:
  constexpr layout failed(layout_mistake mistake) {
    fail(mistake);
    return result_;
  }
  constexpr bool fail(layout_mistake mistake) {
    result_.mistake = mistake;
    return false;
  }

  static constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
  static constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static constexpr std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
  }

  // std::string_view::find compares addresses with null, which under its sanitizer isn't a constant to g++ 12.
  static constexpr std::size_t find(std::string_view text, char character) {
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == character) return i;
    return text.npos;
  }
  static constexpr std::size_t find_arrow(std::string_view text) {
    for (std::size_t i = 0; i + 1 < text.size(); ++i)
      if (text[i] == '-' && text[i + 1] == '>') return i;
    return text.npos;
  }

  // "(m,n),(n,p)"
  constexpr bool read_side(std::string_view rest, std::size_t& count) {
    using enum layout_mistake;
    rest = trimmed(rest);
    while (!rest.empty()) {
      if (rest.front() == ')') return fail(unbalanced);
      if (rest.front() != '(') return fail(find(rest, '(') == rest.npos ? unbalanced : no_comma);
      const std::size_t end = find(rest, ')');
      if (end == rest.npos || find(rest.substr(1, end), '(') != rest.npos) return fail(unbalanced);
      if (result_.operand_count() == layout::max_operands) return fail(too_large);
      layout::operand& operand = result_.operands[result_.operand_count()];
      operand.text = rest.substr(0, end + 1);
      if (!read_dimensions(rest.substr(1, end - 1), operand)) return false;
      ++count;
      rest = trimmed(rest.substr(end + 1));
      if (rest.empty()) return true;
      if (rest.front() == ')') return fail(unbalanced);
      if (rest.front() != ',') return fail(no_comma);
      rest = trimmed(rest.substr(1));
      if (rest.empty()) return fail(no_comma);
    }
    return true;
  }

  // "m,n"
  constexpr bool read_dimensions(std::string_view rest, layout::operand& operand) {
    if (trimmed(rest).empty()) return true;
    for (bool last = false; !last;) {
      const std::size_t comma = find(rest, ',');
      last = comma == rest.npos;
      if (operand.rank == layout::max_rank) return fail(layout_mistake::too_large);
      if (!read_dimension(trimmed(rest.substr(0, comma)), operand.dimensions[operand.rank++])) return false;
      if (!last) rest = rest.substr(comma + 1);
    }
    return true;
  }

  // The number of the dimension of that name.
  constexpr bool read_dimension(std::string_view name, std::size_t& number) {
    using enum layout_mistake;
    if (name.empty()) return fail(empty_name);
    const bool fixed = is_digit(name.front());
    std::size_t extent = 0;
    for (const char c : name) {
      if (!is_digit(c) && (fixed || !is_letter(c))) return fail(not_a_name);
      if (fixed) extent = 10 * extent + static_cast<std::size_t>(c - '0');
      if (extent > 1'000'000) return fail(too_large);
    }
    if (fixed && extent == 0) return fail(zero_extent);
    for (number = 0; number < result_.dimension_count; ++number)
      if (result_.dimensions[number].name == name) return true;
    if (number == layout::max_dimensions) return fail(too_large);
    result_.dimensions[result_.dimension_count++] = {name, extent};
    return true;
  }

  layout result_;
};

constexpr layout parse_layout(std::string_view text) { return layout_parser(text).parse(); }

}  // namespace gs::inline GS_FLAVOUR::detail
