#include "compiler/cuda_marks/shared_offsets.h"

#include "compiler/cuda_marks/called_name.h"

namespace cuda_marks {
namespace {

bool asks_for_offset(const gimple* s) { return called_name(s) == "gridstride_cuda_shared_offset"; }

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

// Whether the arguments are constants; then the call has them in the place of their copies.
bool take_constant_arguments(gimple* call) {
  std::vector<tree> constants;
  for (unsigned k = 0; k < gimple_call_num_args(call); ++k) {
    const tree argument = gimple_call_arg(call, k), constant = constant_of(argument);
    if (!constant) return false;
    const bool is_number = TREE_CODE(constant) == INTEGER_CST;  // else an address, and pointers are all alike
    constants.push_back(is_number ? fold_convert(TREE_TYPE(argument), constant) : constant);
  }
  for (unsigned k = 0; k < constants.size(); ++k) gimple_call_set_arg(call, k, constants[k]);
  update_stmt(call);
  return true;
}

// To the end of a block, before what ends it.
void move_to(basic_block bb, gimple* call) {
  auto from = gsi_for_stmt(call), last = gsi_last_bb(bb);
  if (!gsi_end_p(last) && stmt_ends_bb_p(gsi_stmt(last)))
    gsi_move_before(&from, &last);
  else
    gsi_move_to_bb_end(&from, bb);
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
    if (before != gimple_bb(call) && before != ENTRY_BLOCK_PTR_FOR_FN(f) && take_constant_arguments(call))
      move_to(before, call);
  }
  loop_optimizer_finalize();
}

}  // namespace cuda_marks
