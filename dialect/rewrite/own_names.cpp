#include "dialect/rewrite/own_names.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace dialect {
namespace {

bool is_one_of(const token& t, std::initializer_list<std::string_view> texts) {
  return std::ranges::any_of(texts, [&](std::string_view text) { return t.is(text); });
}

bool is_thread_name(const token& t) { return is_one_of(t, {"threadIdx", "blockIdx", "blockDim", "gridDim"}); }

bool is_type_word(const token& t) {
  if (t.kind == token_kind::name)
    return !is_one_of(t,
                      {"return", "case", "throw", "else", "do", "sizeof", "new", "delete", "goto", "and", "or", "not"});
  return is_one_of(t, {">", "&", "*"});
}

class renaming {
 public:
  renaming(const token_list& tokens, edit_list& edits) : tokens_(tokens), edits_(edits) {}

  void run() {
    for (at_ = 0; at_ < tokens_.size(); ++at_) {
      const token& t = tokens_[at_];
      if (is_thread_name(t)) look_at_name();
      if (t.is("(")) ++parentheses_;
      if (t.is(")")) --parentheses_;
      if (t.is("{")) enter();
      if (t.is("}")) leave();
      if (t.is(";") && parentheses_ == 0) parameters_.clear();
    }
  }

 private:
  // A name that is the source's own, in the braces of that depth.
  struct own_name {
    std::string_view name;
    std::size_t depth;
  };

  const token* before() const { return at_ > 0 ? &tokens_[at_ - 1] : nullptr; }
  const token* after() const { return at_ + 1 < tokens_.size() ? &tokens_[at_ + 1] : nullptr; }

  void look_at_name() {
    const token& t = tokens_[at_];
    const bool is_member = before() && is_one_of(*before(), {".", "->"});
    if (!is_member && is_declaration()) declare(t.text);
    if (is_member || is_own(t.text)) edits_.replace(t.begin, t.end(), std::string(t.text) + "_");
  }

  bool is_declaration() const {
    if (!before() || !after() || before()->is("::")) return false;
    const bool is_assigned = after()->is("=") && !(at_ + 2 < tokens_.size() && tokens_[at_ + 2].is("="));
    if (is_one_of(*after(), {"(", "{"}) || is_assigned) return is_type_word(*before()) || before()->is(",");
    if (before()->is(",")) return after()->is(";");
    return is_type_word(*before()) && is_one_of(*after(), {";", ",", ")", "["});
  }

  // A parameter is known in the body that follows.
  void declare(std::string_view name) {
    if (is_own(name)) return;
    if (parentheses_ > 0)
      parameters_.push_back(name);
    else
      own_.push_back({name, depth_});
  }
  bool is_own(std::string_view name) const {
    return std::ranges::any_of(own_, [&](const own_name& o) { return o.name == name; }) ||
           std::ranges::find(parameters_, name) != parameters_.end();
  }

  void enter() {
    ++depth_;
    if (parentheses_ > 0) return;
    for (const std::string_view name : parameters_) own_.push_back({name, depth_});
    parameters_.clear();
  }
  void leave() {
    std::erase_if(own_, [&](const own_name& o) { return o.depth == depth_; });
    if (depth_ > 0) --depth_;
  }

  const token_list& tokens_;
  edit_list& edits_;
  std::size_t at_ = 0, depth_ = 0;
  int parentheses_ = 0;
  std::vector<own_name> own_;
  std::vector<std::string_view> parameters_;
};

}  // namespace

void rename_own_names(const token_list& tokens, edit_list& edits) { renaming(tokens, edits).run(); }

void rewrite_attributes(const token_list& tokens, edit_list& edits) {
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const bool in_attribute = k > 0 && (tokens[k - 1].is("(") || tokens[k - 1].is(","));
    if (tokens[k].is("__noinline__") && !in_attribute)
      edits.replace(tokens[k].begin, tokens[k].end(), "__attribute__((noinline))");
  }
}

void refuse_assembly(const token_list& tokens, edit_list& edits) {
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    if (!is_one_of(tokens[k], {"asm", "__asm__", "__asm"})) continue;
    std::size_t open = k + 1;
    while (open < tokens.size() && is_one_of(tokens[open], {"volatile", "__volatile__"})) ++open;
    if (open >= tokens.size() || !tokens[open].is("(")) continue;
    const std::size_t close = closing(tokens, open);
    if (close == tokens.size()) continue;
    edits.replace(tokens[k].begin, tokens[close].end(),
                  "static_assert(false, \"inline assembly is for a GPU alone: write it in CUDA C++\")");
    k = close;
  }
}

}  // namespace dialect
