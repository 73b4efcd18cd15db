#include "exercises/explain/source_functions.h"

#include <algorithm>
#include <cctype>

namespace exercises {
namespace {

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Names, numbers, literals, "::", "->", and all other marks one by one. Comments are left out, and so are directives.
class tokenizer {
 public:
  explicit tokenizer(std::string_view text) : text_(text) {
    while (at_ < text_.size()) next();
  }
  std::vector<source_token> tokens;

 private:
  std::string_view remaining() const { return text_.substr(at_); }

  void pass(std::size_t length) {
    for (std::size_t k = 0; k < length && at_ < text_.size(); ++k, ++at_)
      if (text_[at_] == '\n') ++line_, line_begins_ = at_ + 1;
  }
  void take(std::size_t length) {
    const std::size_t begin = at_;
    const source_token t{{}, line_, static_cast<unsigned>(at_ - line_begins_ + 1)};
    pass(length);
    tokens.push_back({text_.substr(begin, at_ - begin), t.line, t.column});
  }
  // Up to and including `end`, or to the end of the text.
  std::size_t length_to(std::string_view end, std::size_t from) const {
    const std::size_t found = remaining().find(end, from);
    return found == std::string_view::npos ? remaining().size() : found + end.size();
  }

  void next() {
    const char c = text_[at_];
    if (std::isspace(static_cast<unsigned char>(c))) return pass(1);
    if (remaining().starts_with("//")) return pass(length_to("\n", 0));
    if (remaining().starts_with("/*")) return pass(length_to("*/", 2));
    if (c == '#' && text_.substr(line_begins_, at_ - line_begins_).find_first_not_of(" \t") == std::string_view::npos)
      return directive();
    if (remaining().starts_with("R\"")) {
      const std::size_t open = remaining().find('(');
      if (open != std::string_view::npos)
        return take(length_to(")" + std::string(remaining().substr(2, open - 2)) + "\"", open));
    }
    if (c == '"' || c == '\'') return take(literal_length(c));
    if (in_name(c)) {
      const bool number = std::isdigit(static_cast<unsigned char>(c));
      std::size_t length = 1;
      while (length < remaining().size() &&
             (in_name(remaining()[length]) || (number && (remaining()[length] == '\'' || remaining()[length] == '.'))))
        ++length;
      return take(length);
    }
    take(remaining().starts_with("::") || remaining().starts_with("->") ? 2 : 1);
  }

  std::size_t literal_length(char quote) const {
    std::size_t length = 1;
    while (length < remaining().size() && remaining()[length] != quote && remaining()[length] != '\n')
      length += remaining()[length] == '\\' ? 2 : 1;
    return std::min(length + 1, remaining().size());
  }

  void directive() {
    std::size_t length = length_to("\n", 0);
    while (length < remaining().size() && remaining().substr(0, length).ends_with("\\\n"))
      length = length_to("\n", length);
    pass(length);
  }

  std::string_view text_;
  std::size_t at_ = 0, line_begins_ = 0;
  unsigned line_ = 1;
};

}  // namespace

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, text) != words.end();
}

bool source_token::is_name() const { return std::isalpha(static_cast<unsigned char>(text[0])) || text[0] == '_'; }

source_functions::source_functions(std::string_view text) : tokens_(tokenizer(text).tokens) {
  find_functions(0, tokens_.size(), "");
}

const std::vector<std::size_t>& source_functions::named(std::string_view name) const {
  static const std::vector<std::size_t> no_functions;
  const auto found = named_.find(name);
  return found == named_.end() ? no_functions : found->second;
}

std::size_t source_functions::behind(std::size_t k) const {
  const std::string_view open = text(k), close = open == "(" ? ")" : open == "[" ? "]" : open == "{" ? "}" : ">";
  std::size_t depth = 0;
  for (; k < tokens_.size(); ++k) {
    if (text(k) == open) ++depth;
    if (text(k) == close && --depth == 0) return k + 1;
    if (open == "<" && is_one_of(text(k), {"(", "[", "{"})) k = behind(k) - 1;
    if (open == "<" && text(k) == ";") break;  // it was a comparison
  }
  return k;
}

// The functions among the declarations of a namespace or a class.
void source_functions::find_functions(std::size_t begin, std::size_t end, std::string_view of) {
  std::size_t head = begin, name = 0, parameters = 0, keyword = 0;
  bool assigned = false, initializes = false;  // behind "=", or behind the ":" of a constructor
  bool is_operator = false;
  const auto next_declaration = [&](std::size_t k) {
    head = k;
    name = parameters = keyword = 0;
    assigned = initializes = is_operator = false;
  };
  const auto found = [&](std::size_t behind) {
    return source_function{.name = name, .parameters = parameters, .end = behind, .of = of};
  };
  for (std::size_t k = begin; k < end;) {
    const std::string_view t = text(k);
    if (t == "template" && text(k + 1) == "<") {
      k = behind(k + 1);
    } else if (t == "operator" && !parameters && !assigned) {
      name = k;
      is_operator = true;
      k += text(k + 1) == "(" ? 3 : 2;
      while (k < end && text(k) != "(") ++k;
      parameters = k;
      k = behind(k);
    } else if (t == "(" || t == "[") {
      if (t == "(" && !parameters && !assigned && k > head && names_a_function(k - 1)) {
        parameters = k;
        name = k - 1;
      }
      k = behind(k);
    } else if (t == ";" || (t == ":" && !of.empty() && is_one_of(text(k - 1), {"public", "private", "protected"}))) {
      if (parameters) add(found(parameters), is_operator);
      next_declaration(++k);
    } else if (t == "{") {
      const std::size_t close = behind(k) - 1;
      const bool value = assigned || (initializes && (tokens_[k - 1].is_name() || text(k - 1) == ">"));
      if (!parameters && !assigned && (text(keyword) == "namespace" || text(head) == "extern")) {
        find_functions(k + 1, close, of);
        next_declaration(close + 1);
      } else if (!parameters && is_one_of(text(keyword), {"struct", "class", "union"})) {
        find_functions(k + 1, close, class_name(keyword, k));
        assigned = true;  // only variables may follow
      } else if (parameters && !value) {
        add(found(close), is_operator);
        next_declaration(close + 1);
      }
      k = close + 1;
    } else {
      if (!keyword && is_one_of(t, {"namespace", "struct", "class", "union"})) keyword = k;
      if (t == "=") assigned = true;
      if (t == ":" && parameters) initializes = true;
      ++k;
    }
  }
}

// Whether the "(" behind the token at k opens a function's parameters.
bool source_functions::names_a_function(std::size_t k) const {
  return tokens_[k].is_name() && !is_one_of(text(k), {"requires", "noexcept", "decltype", "alignas", "__attribute__",
                                                      "explicit", "static_assert"});
}

std::string_view source_functions::class_name(std::size_t keyword, std::size_t brace) const {
  for (std::size_t k = keyword + 1; k < brace; ++k) {
    if (text(k) == "alignas" || text(k) == "[") k = behind(text(k) == "[" ? k : k + 1);
    if (k < brace && tokens_[k].is_name()) return text(k);
  }
  return "";
}

void source_functions::add(source_function f, bool is_operator) {
  const bool destroys = f.name > 0 && text(f.name - 1) == "~";
  if (text(f.name - 1 - destroys) == "::") f.of = text(f.name - 2 - destroys);
  if (!is_operator && !destroys && text(f.name) != f.of) named_[text(f.name)].push_back(functions_.size());
  functions_.push_back(f);
}

}  // namespace exercises
