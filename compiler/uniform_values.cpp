#include "compiler/uniform_values.h"

namespace splitter {

// Starts with all values uniform, and iterates until no more of them differ.
uniform_values::uniform_values(const kernel_body& body) : body_(body) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const basic_block bb : body.inside) {
      for (auto at = gsi_start_phis(bb); !gsi_end_p(at); gsi_next(&at))
        if (differs(at.phi())) changed |= mark(at.phi());
      for (auto at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
        if (may_differ(gsi_stmt(at))) changed |= mark(gsi_stmt(at));
      if (const auto last = gsi_last_bb(bb); !gsi_end_p(last) && EDGE_COUNT(bb->succs) > 1 && differs(gsi_stmt(last)))
        changed |= mark_joins(bb);
    }
  }
}

bool uniform_values::contains(tree name) const {
  if (TREE_CODE(name) != SSA_NAME || SSA_NAME_IS_DEFAULT_DEF(name)) return true;
  const basic_block bb = gimple_bb(SSA_NAME_DEF_STMT(name));
  return body_.inside.count(bb) ? !apart_ && !different_.count(name) : !flow_bb_inside_loop_p(body_.nest, bb);
}

// Whether an operand differs.
bool uniform_values::differs(gimple* s) const {
  if (gimple_code(s) == GIMPLE_PHI) {
    for (unsigned i = 0; i < gimple_phi_num_args(s); ++i)
      if (!contains(gimple_phi_arg_def(s, i))) return true;
    return false;
  }
  tree name;
  ssa_op_iter i;
  FOR_EACH_SSA_TREE_OPERAND (name, s, i, SSA_OP_USE)
    if (!contains(name)) return true;
  return false;
}

bool uniform_values::may_differ(gimple* s) const {
  if (gimple_vuse(s)) return !reads_constant(s);
  const bool computes = is_gimple_assign(s) || (is_gimple_call(s) && (gimple_call_flags(s) & ECF_CONST));
  return !computes || differs(s);
}

bool uniform_values::mark(gimple* s) {
  const tree name = gimple_get_lhs(s);
  return name && TREE_CODE(name) == SSA_NAME && !virtual_operand_p(name) && different_.insert(name).second;
}

bool uniform_values::mark_joins(basic_block parting) {
  const basic_block joined = get_immediate_dominator(CDI_POST_DOMINATORS, parting);
  apart_ |= wait_apart(parting, joined);
  bool changed = false;
  const auto mark_numbers = [&](basic_block bb) {
    for (auto at = gsi_start_phis(bb); !gsi_end_p(at); gsi_next(&at)) changed |= mark(at.phi());
  };
  edge e;
  edge_iterator i;
  FOR_EACH_EDGE (e, i, parting->succs)
    for (const basic_block bb : on_the_way(e->dest, joined)) mark_numbers(bb);
  if (body_.inside.count(joined)) mark_numbers(joined);
  return changed;
}

// Whether threads that diverge meet at barriers before they reconverge. Threads that return on their way don't: if the
// paths never reconverge, both must have barriers.
bool uniform_values::wait_apart(basic_block parting, basic_block joined) const {
  unsigned ways = 0;
  edge e;
  edge_iterator i;
  FOR_EACH_EDGE (e, i, parting->succs) {
    const blocks way = on_the_way(e->dest, joined);
    ways += std::any_of(body_.waits.begin(), body_.waits.end(),
                        [&](const gimple* wait) { return way.count(body_.before(wait)) > 0; });
  }
  return ways > (joined && body_.inside.count(joined) ? 0u : 1u);
}

// The blocks of the body from `first` up to where the paths reconverge.
blocks uniform_values::on_the_way(basic_block first, basic_block joined) const {
  return walk({first}, true, [&](basic_block bb) { return bb != joined && body_.inside.count(bb); });
}

}  // namespace splitter
