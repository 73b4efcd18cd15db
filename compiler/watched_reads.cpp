#include "compiler/watched_reads.h"

namespace splitter {

std::string name_of(const gimple* call) {
  const tree f = is_gimple_call(call) && !gimple_call_internal_p(call) ? gimple_call_fndecl(call) : NULL_TREE;
  return f && DECL_NAME(f) ? IDENTIFIER_POINTER(DECL_NAME(f)) : "";
}
bool begins_with(const std::string& text, const char* beginning) { return text.rfind(beginning, 0) == 0; }

bool is_own_memory(tree reference) {
  const tree base = get_base_address(reference);
  return base && DECL_P(base) && auto_var_in_fn_p(base, current_function_decl);
}

bool is_internal_exchange(const gimple* s) {
  return is_gimple_call(s) && gimple_call_internal_p(s, IFN_ATOMIC_COMPARE_EXCHANGE);
}

bool is_weak(const gimple* s) {
  constexpr unsigned weak = 256;  // in what GCC's internal function is given
  if (is_internal_exchange(s)) return (tree_to_uhwi(gimple_call_arg(s, 3)) & weak) != 0;
  return begins_with(name_of(s), "__atomic_compare_exchange_") && gimple_call_num_args(s) > 3 &&
         integer_onep(gimple_call_arg(s, 3));
}

bool is_watched(const gimple* s) {
  if (gimple_assign_load_p(s)) return gimple_has_volatile_ops(s) && !is_own_memory(gimple_assign_rhs1(s));
  if (is_internal_exchange(s)) return !is_weak(s);
  const std::string name = name_of(s);
  if (!begins_with(name, "__atomic_") && !begins_with(name, "__sync_")) return false;
  return !begins_with(name, "__atomic_store") && name.find("_fence") == std::string::npos &&
         name != "__sync_synchronize" && !is_weak(s);
}
bool is_fence(const gimple* s) {
  const std::string name = name_of(s);
  return name == "__atomic_thread_fence" || name == "__atomic_signal_fence" || name == "__sync_synchronize";
}

}  // namespace splitter
