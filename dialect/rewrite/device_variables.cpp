#include "dialect/rewrite/device_variables.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace dialect {
namespace {

bool is_any_of(const token& t, std::initializer_list<std::string_view> texts) {
  return std::ranges::any_of(texts, [&](std::string_view text) { return t.is(text); });
}

bool opens_bracket(const token& t) { return is_any_of(t, {"(", "[", "{"}); }

// The declaration that ends with the `;` at `end`; its tokens, without what says where the variables lie.
class variable_declaration {
 public:
  variable_declaration(const token_list& tokens, std::size_t begin, std::size_t end) : tokens_(tokens) {
    for (std::size_t k = begin; k < end; ++k) {
      if (is_any_of(tokens[k], {"__align__", "alignas", "__attribute__"}) && k + 1 < end && tokens[k + 1].is("("))
        k = closing(tokens, k + 1);
      else
        words_.push_back(k);
    }
  }

  bool is_of_device_variables() const {
    bool is_device = false;
    for (const std::size_t k : words_) {
      is_device |= is_any_of(tokens_[k], {"__device__", "__constant__"});
      if (is_any_of(tokens_[k],
                    {"(", "__managed__", "__global__", "__shared__", "template", "extern", "typedef", "using", "friend",
                     "const", "constexpr", "struct", "class", "union", "enum", "inline"}))
        return false;
      if (is_any_of(tokens_[k], {"=", "{"})) break;
    }
    return is_device;
  }

  // The names in front of extents, initial values, commas and the end.
  std::vector<std::string_view> names() const {
    std::vector<std::string_view> found;
    std::string_view last;
    bool is_named = false;
    int angles = 0;
    for (std::size_t w = 0; w <= words_.size(); ++w) {
      const bool at_end = w == words_.size();
      const token* const t = at_end ? nullptr : &tokens_[words_[w]];
      if (t && !is_named && t->is("<")) ++angles;
      if (t && !is_named && t->is(">")) --angles;
      if (angles > 0) continue;
      if (at_end || t->is(",") || is_any_of(*t, {"[", "=", "{"})) {
        if (!is_named && !last.empty()) found.push_back(last);
        is_named = !at_end && !t->is(",");
        if (!is_named) last = {};
      } else if (t->kind == token_kind::name) {
        last = t->text;
      }
      if (t && opens_bracket(*t)) {
        const std::size_t close = closing(tokens_, words_[w]);
        while (w + 1 < words_.size() && words_[w] < close) ++w;
      }
    }
    return found;
  }

 private:
  const token_list& tokens_;
  std::vector<std::size_t> words_;
};

// Whether the brace is that of a namespace, or of `extern "C"`.
bool is_of_namespace(const token_list& tokens, std::size_t brace) {
  for (std::size_t k = brace; k-- > 0;) {
    const token& t = tokens[k];
    if (t.is("namespace")) return true;
    if (t.kind == token_kind::text) return k > 0 && tokens[k - 1].is("extern");
    if (t.kind != token_kind::name && !t.is("::")) return false;
  }
  return false;
}

}  // namespace

void mark_device_variables(const token_list& tokens, edit_list& edits) {
  std::size_t begin = 0;  // of the declaration
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const token& t = tokens[k];
    if (t.is("{") && is_of_namespace(tokens, k)) {
      begin = k + 1;
    } else if (t.is("}")) {
      begin = k + 1;
    } else if (opens_bracket(t)) {
      const bool is_initial_value = k > 0 && (tokens[k - 1].is("=") || tokens[k - 1].is("]"));
      const bool is_brace = t.is("{");
      k = std::min(closing(tokens, k), tokens.size() - 1);
      // Behind a function's body another declaration begins; behind a value or a class this one goes on.
      const bool goes_on = k + 1 < tokens.size() && (tokens[k + 1].is(";") || tokens[k + 1].is(","));
      if (is_brace && !is_initial_value && !goes_on) begin = k + 1;
    } else if (t.is(";")) {
      const variable_declaration d(tokens, begin, k);
      begin = k + 1;
      if (!d.is_of_device_variables()) continue;
      std::string text;
      for (const std::string_view name : d.names())
        text += " static const ::dialect::device_variable gs_device_" + std::string(name) + "(" + std::string(name) +
                ", \"" + std::string(name) + "\");";
      edits.insert(t.end(), text);
    }
  }
}

}  // namespace dialect
