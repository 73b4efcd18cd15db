#include "dialect/rewrite/shared_declarations.h"

#include <algorithm>
#include <string>
#include <vector>

namespace dialect {
namespace {

// A qualifier, or the type: `float __shared__ x[4]` is read, too.
bool stands_before_declarator(const token& t) {
  return t.is("::") || (t.kind == token_kind::name && !t.is("else") && !t.is("do") && !t.is("public"));
}
bool is_alignment(const token& t) { return t.is("__align__") || t.is("alignas") || t.is("__attribute__"); }

// One declaration: the words [begin, end), `;` stands at `end`.
struct declaration {
  std::size_t begin, end;
  bool is_extern = false;
  std::string type = {};
  struct declarator {
    std::string stars, name, extents;
  };
  std::vector<declarator> declarators = {};
  bool is_understood = true;
};

class declaration_reader {
 public:
  declaration_reader(std::string_view source, const token_list& tokens) : source_(source), tokens_(tokens) {}

  declaration read(std::size_t shared) const {
    declaration d{.begin = shared, .end = shared};
    while (d.begin > 0 && stands_before_declarator(tokens_[d.begin - 1])) --d.begin;
    while (d.end < tokens_.size() && !tokens_[d.end].is(";"))
      d.end = (is_open(d.end) ? closing(tokens_, d.end) : d.end) + 1;
    if (d.end >= tokens_.size()) return d.is_understood = false, d;
    const std::vector<std::size_t> words = words_of(d);
    const std::size_t first = first_declarator(words);
    if (first == npos) return d.is_understood = false, d;
    d.type = text_of(words, 0, first);
    for (std::size_t k = first; k < words.size() && d.is_understood; ++k) read_declarator(d, words, k);
    return d;
  }

 private:
  bool is_open(std::size_t k) const { return tokens_[k].is("(") || tokens_[k].is("[") || tokens_[k].is("{"); }
  const token& at(const std::vector<std::size_t>& words, std::size_t k) const { return tokens_[words[k]]; }

  // The words of the type and its declarators, without what says where the variables are.
  std::vector<std::size_t> words_of(declaration& d) const {
    std::vector<std::size_t> words;
    for (std::size_t k = d.begin; k < d.end; ++k) {
      const token& t = tokens_[k];
      d.is_extern |= t.is("extern");
      if (t.is("extern") || t.is("static") || t.is("inline") || t.is("__shared__")) continue;
      if (is_alignment(t) && k + 1 < d.end && tokens_[k + 1].is("("))
        k = closing(tokens_, k + 1);
      else
        words.push_back(k);
    }
    return words;
  }

  // Where the first declarator begins, with its asterisks: its name is followed by an extent, a comma or the end.
  std::size_t first_declarator(const std::vector<std::size_t>& words) const {
    int angles = 0;
    for (std::size_t k = 0; k < words.size(); ++k) {
      const token& t = at(words, k);
      if (t.is("{")) {
        const std::size_t close = closing(tokens_, words[k]);
        while (k < words.size() && words[k] < close) ++k;
        continue;
      }
      if (t.is("<")) ++angles;
      if (t.is(">")) --angles;
      const bool ends = k + 1 == words.size() || at(words, k + 1).is("[") || at(words, k + 1).is(",");
      if (angles > 0 || k == 0 || t.kind != token_kind::name || !ends) continue;
      std::size_t begin = k;
      while (begin > 1 && at(words, begin - 1).is("*")) --begin;
      return begin;
    }
    return npos;
  }

  void read_declarator(declaration& d, const std::vector<std::size_t>& words, std::size_t& k) const {
    declaration::declarator one;
    for (; k < words.size() && at(words, k).is("*"); ++k) one.stars += '*';
    if (k >= words.size() || at(words, k).kind != token_kind::name) return void(d.is_understood = false);
    one.name = at(words, k++).text;
    for (; k < words.size() && at(words, k).is("["); ++k) {
      const std::size_t close = closing(tokens_, words[k]);
      const std::size_t inner = tokens_[words[k]].end();
      const std::string extent = one_line(source_.substr(inner, tokens_[close].begin - inner));
      one.extents += extent.find_first_not_of(' ') == extent.npos ? "[]" : "[(" + extent + ")]";
      while (words[k] < close) ++k;
    }
    d.is_understood = k == words.size() || at(words, k).is(",");
    d.declarators.push_back(std::move(one));
  }

  std::string text_of(const std::vector<std::size_t>& words, std::size_t begin, std::size_t end) const {
    std::string text;
    for (std::size_t k = begin; k < end; ++k) text += (text.empty() ? "" : " ") + std::string(at(words, k).text);
    return text;
  }
  static std::string one_line(std::string_view text) {
    std::string line;
    for (const char c : text) line += c == '\n' || c == '\\' ? ' ' : c;
    return line;
  }

  std::string_view source_;
  const token_list& tokens_;
};

// For each brace that is open, whether it is a function's, or of something in one.
class scopes {
 public:
  scopes(const token_list& tokens, bool in_function) : tokens_(tokens), outermost_(in_function) {}

  void pass(std::size_t k) {
    if (tokens_[k].is("{"))
      functions_.push_back(in_function() || begins_function(k));
    else if (tokens_[k].is("}") && !functions_.empty())
      functions_.pop_back();
  }
  bool in_function() const { return functions_.empty() ? outermost_ : functions_.back(); }

 private:
  bool begins_function(std::size_t brace) const {
    for (std::size_t k = brace; k-- > 0;) {
      const token& t = tokens_[k];
      if (t.is(";") || t.is("{") || t.is("}")) return false;
      if (t.is("namespace") || t.is("class") || t.is("struct") || t.is("union") || t.is("enum")) return false;
      if (t.is(")")) return true;
    }
    return false;
  }

  const token_list& tokens_;
  const bool outermost_;
  std::vector<bool> functions_;
};

std::string refusal(const char* text) { return std::string("static_assert(false, \"") + text + "\")"; }

// A template's instance is named: `auto` would hide from g++ which of its members are templates.
std::string reference_to(const declaration::declarator& one, const std::string& type) {
  return type.find('<') != type.npos && one.stars.empty() && one.extents.empty() ? type + "& " : "auto& ";
}

std::string variables_of(const declaration& d, std::size_t serial) {
  std::string text, type = d.type;
  if (type.find('{') != type.npos) {  // a template's argument defines no type
    text = "using gs_shared_type_" + std::to_string(serial) + " = " + type + "; ";
    type = "gs_shared_type_" + std::to_string(serial);
  }
  for (const auto& one : d.declarators)
    text += (one.name == d.declarators.front().name ? "" : "; ") + reference_to(one, type) + one.name +
            " = ::dialect::shared_variable<" + type + one.stars + one.extents + ">([] {})";
  return text;
}

std::string dynamic_of(const declaration& d, bool in_function) {
  std::string text;
  for (const auto& one : d.declarators) {
    const std::size_t first_end = one.extents.find(']') + 1;
    const std::string rest = one.extents.substr(first_end), type = d.type + one.stars + rest;
    if (!text.empty()) text += "; ";
    text += in_function ? "auto* const " + one.name + " = ::dialect::dynamic_shared<" + type + ">()"
                        : "inline constexpr ::dialect::dynamic_shared_name<" + type + "> " + one.name + "{}";
  }
  return text;
}

}  // namespace

void rewrite_shared_declarations(std::string_view source, const token_list& tokens, bool in_function,
                                 edit_list& edits) {
  const declaration_reader reader(source, tokens);
  scopes around(tokens, in_function);
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    around.pass(k);
    if (!tokens[k].is("__shared__")) continue;
    const declaration d = reader.read(k);
    std::string text;
    if (!d.is_understood)
      text = refusal("this __shared__ declaration isn't supported: write `__shared__ type name[extent];`");
    else if (d.is_extern)
      text = dynamic_of(d, around.in_function());
    else if (around.in_function())
      text = variables_of(d, k);
    else
      text = refusal("a __shared__ variable outside of functions isn't supported: declare it in the kernel");
    const std::size_t end = std::min(d.end, tokens.size() - 1);
    edits.replace(tokens[d.begin].begin, tokens[end].begin, text);
    k = end;
  }
}

}  // namespace dialect
