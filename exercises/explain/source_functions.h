#pragma once
// source_functions: which functions a C++ file defines, as far as its tokens say. For files that compile.

#include <cstddef>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace exercises {

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words);

struct source_token {
  std::string_view text;
  unsigned line = 0, column = 0;  ///< both from 1
  bool is_name() const;
};

/// A definition, or a prototype. What it names are tokens: its name ("operator", where that is how it begins), the "("
/// of its parameters, and what follows its body; for a prototype that is the "(" too.
struct source_function {
  std::size_t name = 0, parameters = 0, end = 0;
  std::string_view of = {};  ///< the class that it is a member or a friend of; empty: none
};

/// Functions within functions are left out.
class source_functions {
 public:
  /// The views are into `text`, which must outlive this.
  explicit source_functions(std::string_view text);

  const std::vector<source_token>& tokens() const { return tokens_; }
  const std::vector<source_function>& functions() const { return functions_; }
  /// The numbers of those that are called so; constructors, destructors and operators are not.
  const std::vector<std::size_t>& named(std::string_view name) const;
  /// Of a token; empty behind the last one.
  std::string_view text(std::size_t token) const {
    return token < tokens_.size() ? tokens_[token].text : std::string_view();
  }
  /// The token behind the bracket that closes the one at `token`: ( [ { or <.
  std::size_t behind(std::size_t token) const;

 private:
  void find_functions(std::size_t begin, std::size_t end, std::string_view of);
  bool names_a_function(std::size_t token) const;
  std::string_view class_name(std::size_t keyword, std::size_t brace) const;
  void add(source_function f, bool is_operator);

  std::vector<source_token> tokens_;
  std::vector<source_function> functions_;
  std::map<std::string_view, std::vector<std::size_t>> named_;
};

}  // namespace exercises
