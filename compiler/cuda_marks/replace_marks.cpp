#include "compiler/cuda_marks/replace_marks.h"

#include "compiler/cuda_marks/called_name.h"
#include "compiler/cuda_marks/index_sums.h"
#include "compiler/cuda_marks/shared_offsets.h"

namespace cuda_marks {
namespace {

constexpr unsigned pointers = 4;  // before the numbers, among the arguments of the beginning

// Puts a value in the place of a call.
void replace_call(gimple* call, tree value) {
  auto at = gsi_for_stmt(call);
  unlink_stmt_vdef(call);
  if (const tree result = gimple_call_lhs(call))
    gsi_replace(&at, gimple_build_assign(result, NOP_EXPR, value), true);
  else
    gsi_remove(&at, true);
}

bool is_begin(const gimple* s) { return called_name(s) == "gridstride_cuda_begin"; }
bool asks_for_pointer(const gimple* s) { return called_name(s) == "gridstride_cuda_pointer"; }
bool asks_for_number(const gimple* s) { return called_name(s) == "gridstride_cuda_index"; }

// The last beginning of a thread on each way to the statement, if that is one and the same.
gimple* begin_of(gimple* asking) {
  basic_block bb = gimple_bb(asking);
  auto at = gsi_for_stmt(asking);
  for (;;) {
    for (; !gsi_end_p(at); gsi_prev(&at))
      if (is_begin(gsi_stmt(at))) return gsi_stmt(at);
    bb = get_immediate_dominator(CDI_DOMINATORS, bb);
    if (!bb || bb == ENTRY_BLOCK_PTR_FOR_FN(cfun)) return nullptr;
    at = gsi_last_bb(bb);
  }
}

bool is_of_engine(tree function) {
  tree scope = DECL_CONTEXT(function), outermost = NULL_TREE;
  for (; scope && TREE_CODE(scope) != TRANSLATION_UNIT_DECL; scope = get_containing_scope(scope))
    if (TREE_CODE(scope) == NAMESPACE_DECL) outermost = scope;
  return outermost && DECL_NAME(outermost) && std::string(IDENTIFIER_POINTER(DECL_NAME(outermost))) == "gs";
}

// Whether a call leads to code that may ask for the numbers: any function that isn't known not to.
bool may_ask(const gimple* s) {
  if (!is_gimple_call(s) || gimple_call_internal_p(s) || is_begin(s)) return false;
  const tree function = gimple_call_fndecl(s);
  if (!function) return true;
  if (fndecl_built_in_p(function) || (flags_from_decl_or_type(function) & ECF_CONST) || is_of_engine(function))
    return false;
  const std::string name = called_name(s);
  const bool is_other_mark = name.rfind("gridstride_split_", 0) == 0 || name.rfind("gridstride_replay_", 0) == 0 ||
                             name.rfind("gridstride_spin_", 0) == 0;
  return !is_other_mark;
}

}  // namespace

bool replace_cuda_marks(function* f) {
  std::vector<gimple*> begins, asking;
  basic_block bb;
  FOR_EACH_BB_FN (bb, f)
    for (auto at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
      gimple* const s = gsi_stmt(at);
      if (is_begin(s)) begins.push_back(s);
      if (asks_for_pointer(s) || asks_for_number(s)) asking.push_back(s);
    }
  if (begins.empty()) return false;
  calculate_dominance_info(CDI_DOMINATORS);
  for (gimple* s : asking) {
    const tree number = gimple_call_arg(s, 0);
    gimple* const begin = begin_of(s);
    if (!begin || !tree_fits_uhwi_p(number)) continue;
    const unsigned first = asks_for_pointer(s) ? 0 : pointers;
    replace_call(s, gimple_call_arg(begin, first + tree_to_uhwi(number)));
  }
  ask_before_loops(f);
  for (gimple* begin : begins) convert_before_adding(f, begin);
  bool others_ask = false;
  FOR_EACH_BB_FN (bb, f)
    for (auto at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) others_ask |= may_ask(gsi_stmt(at));
  if (!others_ask)
    for (gimple* begin : begins) replace_call(begin, NULL_TREE);
  free_dominance_info(CDI_DOMINATORS);
  return true;
}

}  // namespace cuda_marks
