#include "dialect/rewrite/tokens.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace dialect {
namespace {

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c < 0; }
bool continues_name(char c) { return begins_name(c) || std::isdigit(static_cast<unsigned char>(c)); }

class reader {
 public:
  explicit reader(std::string_view source) : source_(source) {}

  token_streams read() {
    token_streams streams;
    bool begins_line = true;
    while (skip_blanks(begins_line)) {
      if (begins_line && here() == '#') {
        ++at_;
        streams.directives.push_back({read_line()});
      } else {
        streams.code.push_back(next());
      }
      begins_line = false;
    }
    return streams;
  }

 private:
  char here(std::size_t ahead = 0) const { return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0'; }
  bool looking_at(std::string_view text) const { return source_.substr(at_).starts_with(text); }
  bool at_end() const { return at_ >= source_.size(); }

  bool at_continued_line() const { return looking_at("\\\n") || looking_at("\\\r\n"); }
  bool skip_comment() {
    if (looking_at("//")) {
      while (!at_end() && here() != '\n') at_ += at_continued_line() ? 2 : 1;
      return true;
    }
    if (!looking_at("/*")) return false;
    const std::size_t end = source_.find("*/", at_ + 2);
    at_ = end == source_.npos ? source_.size() : end + 2;
    return true;
  }

  // To the next token; false if there is none.
  bool skip_blanks(bool& begins_line) {
    while (!at_end()) {
      if (here() == '\n') begins_line = true;
      if (std::isspace(static_cast<unsigned char>(here())) || at_continued_line())
        ++at_;
      else if (!skip_comment())
        return true;
    }
    return false;
  }

  token_list read_line() {
    token_list tokens;
    while (!at_end() && here() != '\n') {
      if (at_continued_line())
        at_ += here(1) == '\r' ? 3 : 2;
      else if (std::isspace(static_cast<unsigned char>(here())))
        ++at_;
      else if (looking_at("//"))
        while (!at_end() && here() != '\n') at_ += at_continued_line() ? 2 : 1;
      else if (!skip_comment())
        tokens.push_back(next());
    }
    return tokens;
  }

  token next() {
    const std::size_t begin = at_;
    const token_kind kind = pass_token();
    return {kind, source_.substr(begin, at_ - begin), begin};
  }

  token_kind pass_token() {
    if (const std::size_t quote = quote_ahead(); quote != npos) return pass_text(quote), token_kind::text;
    if (begins_name(here())) {
      while (continues_name(here())) ++at_;
      return token_kind::name;
    }
    if (std::isdigit(static_cast<unsigned char>(here())) ||
        (here() == '.' && std::isdigit(static_cast<unsigned char>(here(1)))))
      return pass_number(), token_kind::number;
    at_ += looking_at("::") || looking_at("->") ? 2 : 1;
    return token_kind::sign;
  }

  void pass_number() {
    while (continues_name(here()) || here() == '.' || (here() == '\'' && continues_name(here(1)))) {
      const bool exponent = std::string_view("eEpP").find(here()) != std::string_view::npos;
      ++at_;
      if (exponent && (here() == '+' || here() == '-')) ++at_;
    }
  }

  // How far ahead the quote of a string or a character stands, behind L, u8, R and their like.
  std::size_t quote_ahead() const {
    for (const std::string_view prefix : {"", "L", "u", "U", "u8", "R", "LR", "uR", "UR", "u8R"})
      if (looking_at(prefix) && (here(prefix.size()) == '"' || (here(prefix.size()) == '\'' && !prefix.ends_with('R'))))
        return prefix.size();
    return npos;
  }
  void pass_text(std::size_t quote) {
    const bool raw = quote > 0 && here(quote - 1) == 'R';
    at_ += quote;
    raw ? pass_raw() : pass_quoted(here());
  }
  void pass_quoted(char quote) {
    for (++at_; !at_end() && here() != quote && here() != '\n'; ++at_)
      if (here() == '\\') ++at_;
    if (!at_end()) ++at_;
    at_ = std::min(at_, source_.size());
  }
  void pass_raw() {
    const std::size_t open = source_.find('(', at_);
    if (open == source_.npos) return void(at_ = source_.size());
    const std::string end = ")" + std::string(source_.substr(at_ + 1, open - at_ - 1)) + "\"";
    const std::size_t close = source_.find(end, open);
    at_ = close == source_.npos ? source_.size() : close + end.size();
  }

  std::string_view source_;
  std::size_t at_ = 0;
};

int depth_of(const token& t) {
  if (t.kind != token_kind::sign) return 0;
  if (t.is("(") || t.is("[") || t.is("{")) return 1;
  return t.is(")") || t.is("]") || t.is("}") ? -1 : 0;
}

}  // namespace

token_streams read_tokens(std::string_view source) { return reader(source).read(); }

std::size_t closing(const token_list& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t k = open; k < tokens.size(); ++k)
    if (depth += depth_of(tokens[k]); depth == 0) return k;
  return tokens.size();
}

std::size_t opening(const token_list& tokens, std::size_t close) {
  int depth = 0;
  for (std::size_t k = close + 1; k-- > 0;)
    if (depth += depth_of(tokens[k]); depth == 0) return k;
  return npos;
}

}  // namespace dialect
