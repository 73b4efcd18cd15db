#include "dialect/rewrite/warp_steps.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "dialect/rewrite/device_functions.h"

namespace dialect {
namespace {

constexpr const char* steps_refusal =
    "static_assert(false, \"lanes of a warp don't go in step through volatile memory: write __syncwarp() between the "
    "steps, or use __shfl_down_sync()\"); ";

// The pointers to volatile memory that the function declares or has for parameters.
std::set<std::string_view> volatile_pointers(const token_list& tokens, const device_function& f) {
  std::set<std::string_view> names;
  for (std::size_t k = f.begin; k < f.close; ++k) {
    if (!tokens[k].is("volatile")) continue;
    while (k < f.close && tokens[k].kind == token_kind::name) ++k;
    while (k < f.close && tokens[k].is("*")) ++k;
    if (k < f.close && tokens[k - 1].is("*") && tokens[k].kind == token_kind::name) names.insert(tokens[k].text);
  }
  return names;
}

std::string index_of(const token_list& tokens, std::size_t open) {
  std::string text;
  for (std::size_t k = open + 1; k < closing(tokens, open) && k < tokens.size(); ++k) text += tokens[k].text;
  return text;
}

// Whether `x[i] ... = ... x[j] ...;` begins at that word, with another index; x is one of the pointers.
bool is_step(const token_list& tokens, std::size_t at, std::size_t end, const std::set<std::string_view>& pointers) {
  if (!pointers.contains(tokens[at].text) || !tokens[at + 1].is("[")) return false;
  const std::string index = index_of(tokens, at + 1);
  bool is_assigned = false;
  for (std::size_t k = closing(tokens, at + 1) + 1; k + 1 < end && !tokens[k].is(";"); ++k) {
    is_assigned |= tokens[k].is("=");
    if (is_assigned && tokens[k].is(tokens[at].text) && tokens[k + 1].is("[") && index_of(tokens, k + 1) != index)
      return true;
  }
  return false;
}

bool is_barrier(const token& t) { return t.text.find("sync") != t.text.npos; }

}  // namespace

void refuse_unsynchronized_steps(const token_list& tokens, edit_list& edits) {
  for (const device_function& f : device_functions(tokens)) {
    const auto pointers = volatile_pointers(tokens, f);
    std::size_t before = npos;  // the step that no barrier has followed yet
    for (std::size_t k = f.open + 1; k + 1 < f.close && !pointers.empty(); ++k) {
      const token& last = tokens[k - 1];
      const bool begins = last.is(";") || last.is("{") || last.is("}") || last.is(")");
      if (is_barrier(tokens[k])) before = npos;
      if (!begins || !is_step(tokens, k, f.close, pointers)) continue;
      if (before != npos) {
        const token& word = tokens[before];
        // A statement of its own, also behind `if (...)`.
        edits.replace(word.begin, word.begin, steps_refusal);
        break;
      }
      before = k;
    }
  }
}

}  // namespace dialect
