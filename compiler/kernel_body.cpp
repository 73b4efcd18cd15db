#include "compiler/kernel_body.h"

#include "compiler/private_memory.h"
#include "compiler/spin_loops.h"

namespace splitter {
namespace {

const char* name_of_callee(const gimple* call) {
  const tree f = gimple_call_fndecl(call);
  return f && DECL_NAME(f) ? IDENTIFIER_POINTER(DECL_NAME(f)) : "a function by its address";
}

// Calls that can't contain a barrier: builtins, and functions that depend on their arguments alone. alloca is excluded:
// it would take more stack in each sweep.
bool has_no_barrier(const gimple* call) {
  if (gimple_call_internal_p(call)) return true;
  const tree f = gimple_call_fndecl(call);
  return f && !gimple_alloca_call_p(call) &&
         (fndecl_built_in_p(f) || (flags_from_decl_or_type(f) & (ECF_CONST | ECF_PURE)));
}

// Cuts a block so that the statement begins one.
basic_block cut_before(gimple* s) {
  auto at = gsi_for_stmt(s);
  gsi_prev(&at);
  const basic_block bb = gimple_bb(s);
  return (gsi_end_p(at) ? split_block_after_labels(bb) : split_block(bb, gsi_stmt(at)))->dest;
}

std::string look_at_statements(const kernel_body& body) {
  for (const basic_block bb : body.inside) {
    edge e;
    edge_iterator i;
    FOR_EACH_EDGE (e, i, bb->succs)
      if (e->flags & (EDGE_ABNORMAL | EDGE_EH)) return "it handles exceptions";
  }
  for (const basic_block bb : body.inside)
    for (auto at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
      const gimple* s = gsi_stmt(at);
      const bool waits = std::find(body.waits.begin(), body.waits.end(), s) != body.waits.end();
      if (spins(s)) return "a thread waits for others in a loop";
      if (is_gimple_call(s) && !waits && !has_no_barrier(s)) return std::string("it calls ") + name_of_callee(s);
      if (waits && !is_gimple_min_invariant(gimple_call_arg(s, 0))) return "the place of a barrier is computed";
    }
  for (auto at = gsi_start_phis(body.end); !gsi_end_p(at); gsi_next(&at))
    if (!virtual_operand_p(gimple_phi_result(at.phi()))) return "a value leaves it";
  return "";
}

}  // namespace

kernel_body find_marks(function* f) {
  kernel_body body;
  const std::map<std::string, gimple**> once = {
      {"works", &body.works}, {"rows", &body.rows},     {"columns", &body.columns}, {"bytes", &body.bytes},
      {"sweep", &body.sweep}, {"resume", &body.resume}, {"left", &body.left}};
  const std::string prefix = "gridstride_split_";
  basic_block bb;
  FOR_EACH_BB_FN (bb, f)
    for (auto at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
      gimple* s = gsi_stmt(at);
      if (!is_gimple_call(s)) continue;
      const std::string name = name_of_callee(s);
      if (name.compare(0, prefix.size(), prefix) != 0) continue;
      const std::string mark = name.substr(prefix.size());
      if (const auto known = once.find(mark); known != once.end())
        (*known->second ? body.refusals.push_back(s) : void(*known->second = s));
      else
        (mark == "wait" ? body.waits : body.refusals).push_back(s);
    }
  return body;
}

std::string find_body(function* f, kernel_body& body) {
  if (!body.refusals.empty()) return "it does what only fibers can";
  if (!body.bytes || !body.sweep || !body.resume || !body.left) return "there is no loop over threads";
  const auto most = tree_to_uhwi(gimple_call_arg(body.sweep, 4));
  if (body.waits.size() > most) return "it has more than " + std::to_string(most) + " barriers";
  body.first = split_block(gimple_bb(body.resume), body.resume)->dest;
  body.end = cut_before(body.left);
  for (gimple* wait : body.waits) split_block(gimple_bb(wait), wait);
  body.inside = walk({body.first}, true, [&](basic_block bb) { return bb != body.end; });
  calculate_dominance_info(CDI_DOMINATORS);
  calculate_dominance_info(CDI_POST_DOMINATORS);
  for (const basic_block bb : body.inside)
    if (!dominated_by_p(CDI_DOMINATORS, bb, body.first) || bb == EXIT_BLOCK_PTR_FOR_FN(f))
      return "it isn't in one piece";
  for (const gimple* wait : body.waits)
    if (!body.contains(wait)) return "a barrier lies outside of it";
  edge e;
  edge_iterator i;
  FOR_EACH_EDGE (e, i, body.end->preds)
    if (!body.inside.count(e->src)) return "its end has another entry";
  class loop* const sweeps = gimple_bb(body.sweep)->loop_father;
  class loop* const threads = gimple_bb(body.resume)->loop_father;
  if (loop_depth(threads) <= loop_depth(sweeps)) return "there is no loop over threads";
  body.nest = superloop_at_depth(threads, loop_depth(sweeps) + 1);
  if (std::string why = look_at_statements(body); !why.empty()) return why;
  return look_at_private_memory(body);
}

bool reads_constant(const gimple* s) {
  if (!gimple_assign_load_p(s) || gimple_has_volatile_ops(s)) return false;
  const tree read = gimple_assign_rhs1(s), base = get_base_address(read);
  if (!base || !DECL_P(base) || !auto_var_in_fn_p(base, current_function_decl) || TREE_ADDRESSABLE(base)) return false;
  poly_int64 offset, size, most;
  bool reverse;
  get_ref_base_and_extent(read, &offset, &size, &most, &reverse);
  return known_size_p(size) && known_eq(size, most);  // at a place that isn't computed
}

}  // namespace splitter
