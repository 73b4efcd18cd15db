#pragma once
// tokens: the words of a C++ source, as far as launches and declarations have to be found among them. Comments, the
// contents of strings and what the preprocessor reads are no words of the code around them.

#include <cstddef>
#include <string_view>
#include <vector>

namespace dialect {

enum class token_kind { name, number, text, sign };

struct token {
  token_kind kind;
  std::string_view text;
  std::size_t begin;  ///< its offset in the source

  std::size_t end() const { return begin + text.size(); }
  bool is(std::string_view other) const { return text == other; }
};

using token_list = std::vector<token>;

/// A line of the preprocessor, with those that it continues on: what follows the `#`.
struct directive {
  token_list tokens;
};

struct token_streams {
  token_list code;
  std::vector<directive> directives;
};

/// Reads the source, which the result refers to. Signs are single characters, but for `::` and `->`.
token_streams read_tokens(std::string_view source);

/// The index of the bracket that closes the one at `open`: (), [] or {}. The number of tokens if there is none.
std::size_t closing(const token_list& tokens, std::size_t open);
/// The index of the bracket that opens the one at `close`; `npos` if there is none.
std::size_t opening(const token_list& tokens, std::size_t close);
inline constexpr std::size_t npos = ~std::size_t{0};

}  // namespace dialect
