#include "exercises/check/declarations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <string_view>

#include "exercises/explain/source_functions.h"
#include "workbook/exercise/text_lines.h"

namespace exercises {
namespace {

struct not_understood {};

// Headers of the compiler's and of the library's are the same for both. Other directives may change what follows.
bool has_only_common_headers(const std::string& text, std::string& headers) {
  for (std::string_view line : workbook::lines_of(text)) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == line.npos) continue;
    line.remove_prefix(begin);
    if (line.starts_with("%:") || line.ends_with('\\')) return false;
    if (line[0] != '#') continue;
    const bool common = line.starts_with("#include <") || line.starts_with("#include \"runtime/");
    if (!common && !line.starts_with("#pragma once")) return false;
    if (common)
      headers += std::string(line.substr(0, line.find_first_of(">\"", line.find_first_of("<\"") + 1) + 1)) + "\n";
  }
  return true;
}

class declarations {
 public:
  explicit declarations(const std::string& text) : source_(text), text_(text) {
    for (const source_function& f : source_.functions()) functions_[f.parameters] = f.end;
  }

  std::string all() {
    take(0, source_.tokens().size());
    return std::move(written_);
  }

 private:
  std::string_view word(std::size_t k) const { return source_.text(k); }

  // The declarations of a namespace.
  void take(std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end;) k = word(k) == "namespace" ? take_namespace(k, end) : take_one(k, end);
  }

  // Nameless ones hold what one file has alone; those of several words are rare.
  std::size_t take_namespace(std::size_t k, std::size_t end) {
    if (!source_.tokens()[k + 1].is_name() || word(k + 2) != "{") throw not_understood();
    const std::size_t behind = source_.behind(k + 2);
    if (behind > end) throw not_understood();
    written_ += fmt::format("namespace {} {{\n", word(k + 1));
    take(k + 3, behind - 1);
    written_ += "}\n";
    return behind;
  }

  std::size_t take_one(std::size_t head, std::size_t end) {
    std::size_t parameters = 0, k = head;
    for (; k < end && word(k) != ";";) {
      if (word(k) == "template" && word(k + 1) == "<") {
        k = source_.behind(k + 1);
      } else if (word(k) == "(" || word(k) == "[") {
        if (functions_.contains(k)) parameters = k;
        k = source_.behind(k);
      } else if (word(k) == "{") {
        const std::size_t behind = source_.behind(k);
        if (word(behind - 1) != "}") throw not_understood();
        if (parameters && functions_.at(parameters) == behind - 1) {
          take_function(head, parameters, k, behind);
          return behind;
        }
        k = behind;
      } else {
        ++k;
      }
    }
    if (k >= end) throw not_understood();
    take_other(head, k + 1);
    return k + 1;
  }

  bool has(std::size_t begin, std::size_t end, std::initializer_list<std::string_view> words) const {
    for (std::size_t k = begin; k < end; ++k)
      if (is_one_of(word(k), words)) return true;
    return false;
  }

  void take_function(std::size_t head, std::size_t parameters, std::size_t body, std::size_t behind) {
    const std::size_t closed = source_.behind(parameters);
    const bool specializes = word(head) == "template" && word(head + 1) == "<" && word(head + 2) == ">";
    const bool is_of_a_class = word(parameters - 2) == "::";
    if (is_of_a_class || specializes || has(head, parameters, {"extern"})) throw not_understood();
    const bool is_template = has(head, head + 1, {"template"}) || has(parameters, closed, {"auto"});
    const bool is_everywhere = is_template || has(head, parameters, {"inline", "constexpr", "consteval"});
    const bool is_static = has(head, parameters, {"static"});
    const bool is_deduced = has(head, parameters, {"auto", "decltype"}) && !has(closed, body, {"->"});
    if (is_everywhere || is_static || is_deduced) {
      if (!is_everywhere && has(body, behind, {"static"})) throw not_understood();  // there would be two of it
      return keep(head, behind, is_everywhere || is_static ? "" : "inline ");
    }
    write(head, body);
    written_ += ";\n";
  }

  void take_other(std::size_t head, std::size_t end) {
    if (end - head == 1) return;
    const std::string_view first = word(head);
    const bool has_braces = has(head, end, {"{"});
    if (is_one_of(first, {"struct", "class", "union", "enum"})) {
      const bool ends = has_braces ? word(end - 2) == "}" : end - head == 3;
      if (!ends) throw not_understood();  // here are variables of it
    } else {
      const bool is_template = first == "template" && word(head + 1) == "<" && word(head + 2) != ">";
      const bool is_prototype = functions_of(head, end) == 1 && !has_braces && !has(head, end, {"=", "extern"});
      const bool is_known = is_one_of(first, {"using", "typedef", "static_assert"}) || is_template || is_prototype ||
                            has(head, end, {"constexpr"});
      if (!is_known) throw not_understood();
    }
    if (has_braces && has(head, end, {"(", "["})) return keep(head, end, "");
    write(head, end);
    written_ += "\n";
  }

  std::size_t functions_of(std::size_t head, std::size_t end) const {
    return static_cast<std::size_t>(std::distance(functions_.lower_bound(head), functions_.lower_bound(end)));
  }

  std::size_t offset(std::size_t k) const { return static_cast<std::size_t>(word(k).data() - text_.data()); }

  // What has no lines to speak of: without its comments, so that its place doesn't matter.
  void write(std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      if (k > begin && offset(k) > offset(k - 1) + word(k - 1).size()) written_ += ' ';
      written_ += word(k);
    }
  }

  // What has: as it stands there.
  void keep(std::size_t begin, std::size_t end, std::string_view prefix) {
    const source_token& first = source_.tokens()[begin];
    written_ += fmt::format("#line {}\n{:{}}{}", first.line, "", first.column - 1, prefix);
    written_ += text_.substr(offset(begin), offset(end - 1) + word(end - 1).size() - offset(begin));
    written_ += "\n";
  }

  const source_functions source_;
  const std::string_view text_;
  std::map<std::size_t, std::size_t> functions_;  // "(" of the parameters and what ends each
  std::string written_;
};

}  // namespace

std::optional<std::string> declarations_of(const std::string& text) try {
  std::string headers;
  if (!has_only_common_headers(text, headers)) return std::nullopt;
  return headers + declarations(text).all();
} catch (const not_understood&) {
  return std::nullopt;
}

}  // namespace exercises
