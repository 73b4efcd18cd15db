#include "dialect/rewrite/device_functions.h"

namespace dialect {
namespace {

// The brace that opens the body of the function whose declaration `at` is a word of; npos if it has none, or is one of
// the host, too.
std::size_t body_of(const token_list& tokens, std::size_t at) {
  for (; at < tokens.size() && !tokens[at].is(";") && !tokens[at].is("}"); ++at) {
    if (tokens[at].is("__host__")) return npos;
    if (tokens[at].is("{")) return at;
    if (tokens[at].is("(")) at = closing(tokens, at);
  }
  return npos;
}

}  // namespace

std::vector<device_function> device_functions(const token_list& tokens) {
  std::vector<device_function> found;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    if (!tokens[k].is("__global__") && !tokens[k].is("__device__")) continue;
    if (k > 0 && tokens[k - 1].is("__host__")) continue;
    const std::size_t open = body_of(tokens, k + 1);
    if (open == npos) continue;
    found.push_back({k, open, closing(tokens, open)});
    k = found.back().close;
  }
  return found;
}

}  // namespace dialect
