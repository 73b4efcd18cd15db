#include "compiler/source_notes/struct_copies.h"

#include "compiler/device_marks/gcc_trees.h"

// clang-format off
#include "tree-pass.h"
#include "basic-block.h"
#include "cfghooks.h"
#include "asan.h"
#include "calls.h"
#include "gimple-iterator.h"
#include "ssa.h"
#include "gimplify.h"
#include "options.h"
#include "tree-cfg.h"
#include "tree-dfa.h"
// clang-format on

namespace source_notes {
namespace {

// g++ puts hooks before assignments, and none before a call. Three kinds of call access memory by themselves: that is
// taken out of them.
//
//     p[i] = f();              becomes    copy = f(); p[i] = copy;     where f returns a struct
//     g(p[i]);                            copy = p[i]; g(copy);        where g takes one by value
//     __builtin_memcpy(...);              memcpy(...);                 which isn't made into instructions
//
// A struct with a copy constructor or a destructor of its own is handed over by its address: the function that is
// called accesses the memory, and has hooks for it.

// A struct in memory that more than this function may know. One without members has nothing to access.
bool is_shared_struct(tree e) {
  const tree type = TREE_TYPE(e);
  if (is_gimple_reg_type(type) || TREE_ADDRESSABLE(type) || int_size_in_bytes(type) <= 0 || is_empty_class(type))
    return false;
  const tree base = get_base_address(e);
  if (!base) return false;
  return TREE_CODE(base) == MEM_REF || TREE_CODE(base) == TARGET_MEM_REF || (VAR_P(base) && is_global_var(base));
}

tree copy_of(tree e) { return create_tmp_var(TYPE_MAIN_VARIANT(TREE_TYPE(e)), "copy"); }

gimple* assignment(tree to, tree from, const gimple* call) {
  gimple* statement = gimple_build_assign(to, from);
  gimple_set_location(statement, gimple_location(call));
  return statement;
}

bool copy_arguments(gimple_stmt_iterator at, gcall* call) {
  bool changed = false;
  for (unsigned k = 0; k < gimple_call_num_args(call); ++k) {
    const tree argument = gimple_call_arg(call, k);
    if (!is_shared_struct(argument)) continue;
    const tree copy = copy_of(argument);
    gsi_insert_before(&at, assignment(copy, argument, call), GSI_SAME_STMT);
    gimple_call_set_arg(call, k, copy);
    changed = true;
  }
  return changed;
}

bool copy_result(gimple_stmt_iterator at, gcall* call) {
  const tree result = gimple_call_lhs(call);
  if (!result || !is_shared_struct(result)) return false;
  const bool may_throw = stmt_ends_bb_p(call);  // then nothing is stored
  const edge returns = may_throw ? find_fallthru_edge(gimple_bb(call)->succs) : nullptr;
  if (may_throw && !returns) return false;
  const tree copy = copy_of(result);
  gimple* store = assignment(result, copy, call);
  if (may_throw)
    gsi_insert_on_edge_immediate(returns, store);
  else
    gsi_insert_after(&at, store, GSI_SAME_STMT);
  gimple_call_set_lhs(call, copy);
  return true;
}

bool call_library(gcall* call) {
  if (!gimple_call_builtin_p(call, BUILT_IN_MEMCPY) && !gimple_call_builtin_p(call, BUILT_IN_MEMMOVE) &&
      !gimple_call_builtin_p(call, BUILT_IN_MEMSET))
    return false;
  const tree builtin = gimple_call_fndecl(call);
  gimple_call_set_fndecl(call, build_fn_decl(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(builtin)), TREE_TYPE(builtin)));
  return true;
}

class copy_pass final : public gimple_opt_pass {
 public:
  explicit copy_pass(gcc::context* c)
      : gimple_opt_pass(
            {GIMPLE_PASS, "struct_copies", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, TODO_update_ssa}, c) {}

  bool gate(function* f) override { return sanitize_flags_p(SANITIZE_THREAD, f->decl); }

  unsigned execute(function* f) override {
    std::vector<gcall*> calls;
    basic_block bb;
    FOR_EACH_BB_FN (bb, f)
      for (auto at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
        if (gcall* call = dyn_cast<gcall*>(gsi_stmt(at)); call && !gimple_call_internal_p(call)) calls.push_back(call);
    for (gcall* call : calls) {
      const gimple_stmt_iterator at = gsi_for_stmt(call);
      const bool has_copies = copy_arguments(at, call) | copy_result(at, call) | call_library(call);
      if (has_copies) update_stmt(call);
    }
    return 0;
  }
};

}  // namespace

void insert_struct_copies(const char* plugin) {
  for (const char* hooks : {"tsan", "tsan0"}) {  // the second is that of -O0
    register_pass_info placement{new copy_pass(g), hooks, 1, PASS_POS_INSERT_BEFORE};
    register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, nullptr, &placement);
  }
}

}  // namespace source_notes
