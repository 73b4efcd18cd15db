#include "dialect/rewrite/edits.h"

#include <algorithm>
#include <utility>

namespace dialect {

void edit_list::replace(std::size_t begin, std::size_t end, std::string replacement) {
  // A line that goes on in the next does so in its replacement, too: within a #define it must.
  for (std::size_t k = begin; k < end; ++k)
    if (text_[k] == '\n') replacement += k > begin && text_[k - 1] == '\\' ? "\\\n" : "\n";
  const auto after = std::ranges::upper_bound(edits_, begin, {}, &edit::begin);
  edits_.insert(after, {begin, end, std::move(replacement)});
}

bool edit_list::touches(std::size_t begin, std::size_t end) const {
  return std::ranges::any_of(edits_, [&](const edit& e) { return e.begin < end && e.end > begin; });
}

std::string edit_list::result(std::size_t begin, std::size_t end) const {
  std::string text;
  std::size_t at = begin;
  for (const edit& e : edits_) {
    if (e.begin < at || e.end > end) continue;
    text += text_.substr(at, e.begin - at);
    text += e.replacement;
    at = e.end;
  }
  return text += text_.substr(at, end - at);
}

}  // namespace dialect
