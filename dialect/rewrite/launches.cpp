#include "dialect/rewrite/launches.h"

#include <string>
#include <utility>

namespace dialect {
namespace {

enum class gaps { none, allowed };

// Whether three of the sign stand there. Some editors write `<< <` and `>> >`, and nvcc reads that, too.
bool are_three(const token_list& tokens, std::size_t at, const char* sign, gaps between) {
  if (at + 2 >= tokens.size()) return false;
  for (std::size_t k = 0; k < 3; ++k)
    if (!tokens[at + k].is(sign) || (between == gaps::none && tokens[at + k].begin != tokens[at].begin + k))
      return false;
  return true;
}

// Where the template's arguments begin that end at `close`; npos if it is no such bracket.
std::size_t opening_angle(const token_list& tokens, std::size_t close) {
  int depth = 0;
  for (std::size_t k = close + 1; k-- > 0;) {
    const token& t = tokens[k];
    if (t.is(")") || t.is("]") || t.is("}")) {
      k = opening(tokens, k);
      if (k == npos) return npos;
    } else if (t.is(">")) {
      ++depth;
    } else if (t.is("<") && --depth == 0) {
      return k;
    } else if (t.is(";") || t.is("{") || t.is("(")) {
      return npos;
    }
  }
  return npos;
}

// Where the expression begins that names the kernel and ends before `end`: `ns::k<T, 4>`, `kernels[i]`, `(*k)`.
std::size_t begin_of_kernel(const token_list& tokens, std::size_t end) {
  std::size_t at = end;
  for (;;) {
    if (at > 0 && tokens[at - 1].is(">")) {
      at = opening_angle(tokens, at - 1);
      if (at == npos) return npos;
    }
    while (at > 0 && (tokens[at - 1].is("]") || tokens[at - 1].is(")"))) {
      at = opening(tokens, at - 1);
      if (at == npos) return npos;
    }
    if (at > 0 && tokens[at - 1].kind == token_kind::name) --at;
    if (at > 0 && tokens[at - 1].is("template")) --at;
    const bool goes_on = at > 0 && (tokens[at - 1].is("::") || tokens[at - 1].is(".") || tokens[at - 1].is("->"));
    if (!goes_on) return at == end ? npos : at;
    --at;
    const bool is_global =
        tokens[at].is("::") && (at == 0 || (tokens[at - 1].kind != token_kind::name && !tokens[at - 1].is(">")));
    if (is_global) return at;
  }
}

std::size_t find_end(const token_list& tokens, std::size_t begin, gaps between) {
  for (std::size_t at = begin; at < tokens.size(); ++at) {
    if (tokens[at].is("(") || tokens[at].is("[") || tokens[at].is("{"))
      at = closing(tokens, at);
    else if (are_three(tokens, at, ">", between))
      return at;
    else if (tokens[at].is(";"))
      break;
  }
  return between == gaps::none ? find_end(tokens, begin, gaps::allowed) : npos;
}

// As a string literal, in one line.
std::string quoted(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    if (c == '\n' || c == '\\') continue;
    if (c == '"') literal += '\\';
    literal += c;
  }
  return literal + '"';
}

// The function in `(void*)k`, `(const void*)&ns::k<float>` or `reinterpret_cast<void*>(k)`: first token and end.
std::pair<std::size_t, std::size_t> function_in(const token_list& tokens, std::size_t begin, std::size_t end) {
  for (bool is_stripped = true; is_stripped && begin < end;) {
    is_stripped = false;
    if (tokens[begin].is("&")) {
      ++begin, is_stripped = true;
    } else if (tokens[begin].is("(") && closing(tokens, begin) + 1 < end) {  // a cast
      begin = closing(tokens, begin) + 1, is_stripped = true;
    } else if (tokens[begin].is("(") && closing(tokens, begin) + 1 == end) {
      ++begin, --end, is_stripped = true;
    } else if (tokens[begin].text.ends_with("_cast")) {
      while (begin < end && !tokens[begin].is("(")) ++begin;
      is_stripped = true;
    }
  }
  return {begin, end};
}

std::string in_one_line(std::string_view text) {
  std::string line;
  for (const char c : text) line += c == '\n' || c == '\\' ? ' ' : c;
  return line;
}

}  // namespace

void rewrite_launch_calls(std::string_view source, const token_list& tokens, edit_list& edits) {
  for (std::size_t k = 0; k + 1 < tokens.size(); ++k) {
    const bool is_cooperative = tokens[k].is("cudaLaunchCooperativeKernel");
    if ((!is_cooperative && !tokens[k].is("cudaLaunchKernel")) || !tokens[k + 1].is("(")) continue;
    const std::size_t close = closing(tokens, k + 1);
    std::size_t comma = k + 2, angles = 0;
    for (; comma < close && !(tokens[comma].is(",") && angles == 0); ++comma) {
      if (tokens[comma].is("(")) comma = closing(tokens, comma);
      if (tokens[comma].is("<")) ++angles;
      if (tokens[comma].is(">") && angles > 0) --angles;
    }
    if (comma >= close) continue;  // g++ says what is wrong there
    const auto [begin, end] = function_in(tokens, k + 2, comma);
    if (begin >= end) continue;
    const std::string kernel(source.substr(tokens[begin].begin, tokens[end - 1].end() - tokens[begin].begin));
    edits.replace(tokens[k].begin, tokens[comma].end(),
                  "::dialect::launch_function<&" + in_one_line(kernel) + ">(" + quoted(kernel) +
                      (is_cooperative ? ", true," : ", false,"));
  }
}

void rewrite_launches(std::string_view source, const token_list& tokens, const kernel_names& kernels,
                      edit_list& edits) {
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    if (!are_three(tokens, k, "<", gaps::allowed)) continue;
    const std::size_t begin = begin_of_kernel(tokens, k), end = find_end(tokens, k + 3, gaps::none);
    if (begin == npos || end == npos) continue;  // g++ says what is wrong there
    const std::string_view kernel = source.substr(tokens[begin].begin, tokens[k - 1].end() - tokens[begin].begin);
    const std::size_t close_begin = tokens[end].begin, close_end = tokens[end + 2].end();
    const bool is_plain_name = tokens[k - 1].kind == token_kind::name && kernel.find_first_of(".>[(") == kernel.npos;
    if (is_plain_name && kernels.is_one_function(std::string(tokens[k - 1].text))) {
      edits.replace(tokens[begin].begin, tokens[begin].begin, "::dialect::configured<&");
      edits.replace(tokens[k].begin, tokens[k + 2].end(), ">(" + quoted(kernel) + ", ::dialect::configuration(");
      edits.replace(close_begin, close_end, "))");
    } else {
      edits.replace(tokens[begin].begin, tokens[k + 2].end(),
                    "::dialect::configured(" + quoted(kernel) + ", ::dialect::configuration(");
      edits.replace(close_begin, close_end,
                    "), [=](auto... gs_parameters) { " + in_one_line(kernel) + "(gs_parameters...); })");
    }
    k += 2;
  }
}

}  // namespace dialect
