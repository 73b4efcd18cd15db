#include "dialect/rewrite/kernel_names.h"

namespace dialect {
namespace {

// Whether `template <...>` stands before the declaration that `at` is a word of.
bool follows_template(const token_list& code, std::size_t at) {
  while (at-- > 0) {
    const token& t = code[at];
    if (t.is(";") || t.is("{") || t.is("}")) return false;
    if (t.is("template")) return true;
  }
  return false;
}

// The name of the function that is declared behind `__global__`: it stands before its parameters.
std::size_t find_name(const token_list& code, std::size_t at) {
  for (; at + 1 < code.size() && !code[at].is(";") && !code[at].is("{"); ++at) {
    const bool has_arguments =
        code[at].is("__launch_bounds__") || code[at].is("__attribute__") || code[at].is("__cluster_dims__");
    if (has_arguments && code[at + 1].is("("))
      at = closing(code, at + 1);
    else if (code[at].kind == token_kind::name && code[at + 1].is("("))
      return at;
  }
  return npos;
}

}  // namespace

void kernel_names::add(const token_list& code) {
  for (std::size_t k = 0; k < code.size(); ++k) {
    if (!code[k].is("__global__")) continue;
    const std::size_t name = find_name(code, k);
    if (name == npos) continue;
    use& u = uses_[std::string(code[name].text)];
    u.is_template |= follows_template(code, k);
    const std::size_t end = closing(code, name + 1) + 1;
    for (std::size_t word = name + 1; word + 1 < end && word < code.size(); ++word)
      u.has_defaults |= code[word].is("=");
    ++(end < code.size() && code[end].is("{") ? u.definitions : u.declarations);
  }
}

bool kernel_names::is_one_function(const std::string& name) const {
  const auto found = uses_.find(name);
  if (found == uses_.end() || found->second.is_template || found->second.has_defaults) return false;
  const use& u = found->second;
  return u.definitions + (u.definitions == 0 ? u.declarations : 0) == 1;
}

}  // namespace dialect
