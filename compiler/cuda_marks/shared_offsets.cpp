#include "compiler/cuda_marks/shared_offsets.h"

namespace cuda_marks {
namespace {

bool asks_for_offset(const gimple* s) {
  const tree function = is_gimple_call(s) && !gimple_call_internal_p(s) ? gimple_call_fndecl(s) : NULL_TREE;
  return function && DECL_NAME(function) &&
         std::string(IDENTIFIER_POINTER(DECL_NAME(function))) == "gridstride_cuda_shared_offset";
}

// The constant that an argument is, or a copy of; null if it is something else.
tree constant_of(tree value) {
  while (TREE_CODE(value) == SSA_NAME) {
    gimple* const s = SSA_NAME_DEF_STMT(value);
    if (!is_gimple_assign(s) || !(gimple_assign_single_p(s) || CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(s))) ||
        gimple_vuse(s))
      return NULL_TREE;
    value = gimple_assign_rhs1(s);
  }
  return is_gimple_min_invariant(value) ? value : NULL_TREE;
}

bool has_constant_arguments(gimple* call) {
  for (unsigned k = 0; k < gimple_call_num_args(call); ++k) {
    const tree constant = constant_of(gimple_call_arg(call, k));
    if (!constant) return false;
    gimple_call_set_arg(call, k, constant);
  }
  update_stmt(call);
  return true;
}

}  // namespace

void ask_before_loops(function* f) {
  std::vector<gimple*> asking;
  basic_block bb;
  FOR_EACH_BB_FN (bb, f)
    for (auto at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (asks_for_offset(gsi_stmt(at))) asking.push_back(gsi_stmt(at));
  if (asking.empty()) return;
  loop_optimizer_init(AVOID_CFG_MODIFICATIONS);
  for (gimple* call : asking) {
    basic_block before = gimple_bb(call);
    while (bb_loop_depth(before) > 0) before = get_immediate_dominator(CDI_DOMINATORS, before);
    if (before == gimple_bb(call) || before == ENTRY_BLOCK_PTR_FOR_FN(f) || !has_constant_arguments(call)) continue;
    auto from = gsi_for_stmt(call);
    gsi_move_to_bb_end(&from, before);
  }
  loop_optimizer_finalize();
}

}  // namespace cuda_marks
