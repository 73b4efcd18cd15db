#pragma once
// source_functions: which functions a C++ file defines, as far as its tokens say. For files that compile.

#include <cstddef>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace exercises {

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words);

struct source_token {
  std::string_view text;
  unsigned line = 0, column = 0;  ///< both from 1
  bool is_name() const;
};

enum class function_kind {
  named,
  constructor,
  destructor,
  operation,   ///< an operator
  conversion,  ///< operator float()
  lambda,      ///< constexpr auto f = [](float x) { ... };
};

/// A definition, or a prototype. What it names are tokens: where it begins, its name ("operator", where that is how it
/// begins), the "(" of its parameters (of a lambda without any, the "{"), and what follows its body; for a prototype
/// that is the "(" too.
struct source_function {
  std::size_t head = 0, name = 0, parameters = 0, end = 0;
  std::string_view of = {};  ///< the class that it is a member or a friend of; empty: none
  bool marked = false;       ///< GS_FN or constexpr, or there is no need: it is defaulted
  function_kind kind = function_kind::named;
};

/// Functions within functions are left out.
class source_functions {
 public:
  /// The views are into `text`, which must outlive this.
  explicit source_functions(std::string_view text);

  const std::vector<source_token>& tokens() const { return tokens_; }
  const std::vector<source_function>& functions() const { return functions_; }
  /// The numbers of those that are called so, of function_kind::named.
  const std::vector<std::size_t>& named(std::string_view name) const;
  /// The classes that are defined, each with the tokens from its "{" to its "}".
  const std::map<std::string_view, std::pair<std::size_t, std::size_t>>& classes() const { return classes_; }
  /// A name as it is written: "f", "operator+=", "operator float".
  std::string title(const source_function& f) const;
  /// The mark of an operator that stands at a token; empty: there is none.
  std::string_view operator_at(std::size_t token) const;

  /// Of a token; empty behind the last one.
  std::string_view text(std::size_t token) const {
    return token < tokens_.size() ? tokens_[token].text : std::string_view();
  }
  /// The token behind the bracket that closes the one at `token`: ( [ { or <.
  std::size_t behind(std::size_t token) const;
  /// The bracket that the one at `token` closes: ) ] or }.
  std::size_t opened_by(std::size_t token) const;
  /// GS_FN, constexpr and the like, and the names of macros that stand for one.
  bool is_mark(std::string_view name) const { return marks_.contains(name); }

 private:
  void find_functions(std::size_t begin, std::size_t end, std::string_view of);
  source_function lambda_at(std::size_t bracket, std::size_t head) const;
  bool names_a_function(std::size_t token) const;
  std::string_view class_name(std::size_t keyword, std::size_t brace) const;
  void add(source_function f, bool defaulted);

  std::set<std::string_view> marks_ = {"GS_FN", "__device__", "constexpr", "consteval"};
  std::vector<source_token> tokens_;
  std::vector<source_function> functions_;
  std::map<std::string_view, std::vector<std::size_t>> named_;
  std::map<std::string_view, std::pair<std::size_t, std::size_t>> classes_;
};

}  // namespace exercises
