#include "dialect/rewrite/device_architecture.h"

#include <algorithm>
#include <cstddef>

#include "dialect/rewrite/device_functions.h"

namespace dialect {
namespace {

constexpr const char* architecture = "900";

bool is_outside_of_braces(const token_list& code, std::size_t offset) {
  int depth = 0;
  for (const token& t : code) {
    if (t.begin >= offset) break;
    depth += t.is("{") ? 1 : t.is("}") ? -1 : 0;
  }
  return depth == 0;
}

void define_in(const token_list& tokens, edit_list& edits) {
  if (tokens[0].is("ifdef") || tokens[0].is("ifndef"))
    return edits.replace(tokens[0].begin, tokens[1].end(), tokens[0].is("ifdef") ? "if 1" : "if 0");
  for (std::size_t k = 1; k < tokens.size(); ++k) {
    if (tokens[k].is("defined") && k + 1 < tokens.size()) {
      const std::size_t last = tokens[k + 1].is("(") ? closing(tokens, k + 1) : k + 1;
      const std::size_t name = tokens[k + 1].is("(") ? k + 2 : k + 1;
      if (last < tokens.size() && tokens[name].is("__CUDA_ARCH__"))
        edits.replace(tokens[k].begin, tokens[last].end(), "1");
      k = last;
    } else if (tokens[k].is("__CUDA_ARCH__")) {
      edits.replace(tokens[k].begin, tokens[k].end(), architecture);
    }
  }
}

}  // namespace

void rewrite_device_architecture(const token_list& code, const std::vector<directive>& directives, edit_list& edits) {
  const auto functions = device_functions(code);
  for (const directive& d : directives) {
    const token_list& tokens = d.tokens;
    const auto has = [&](const char* word) {
      return std::ranges::any_of(tokens, [&](const token& t) { return t.is(word); });
    };
    if (tokens.size() < 2 || !has("__CUDA_ARCH__") || (!tokens[0].text.starts_with("if") && !tokens[0].is("elif")))
      continue;
    const std::size_t at = tokens[0].begin;
    const bool is_in_device_function = std::ranges::any_of(functions, [&](const device_function& f) {
      return at > code[f.open].begin && (f.close >= code.size() || at < code[f.close].begin);
    });
    const bool only_compares = !has("defined") && !tokens[0].is("ifdef") && !tokens[0].is("ifndef");
    if (is_in_device_function || (only_compares && is_outside_of_braces(code, at))) define_in(tokens, edits);
  }
}

}  // namespace dialect
