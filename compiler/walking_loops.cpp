#include "compiler/walking_loops.h"

#include "compiler/kept_values.h"
#include "compiler/private_memory.h"
#include "compiler/strides.h"

namespace splitter {
namespace {

bool computes_only(gimple* s) {
  if (is_gimple_debug(s) || gimple_clobber_p(s) || gimple_nop_p(s)) return true;
  if (gimple_has_volatile_ops(s)) return false;
  switch (gimple_code(s)) {
    case GIMPLE_ASSIGN:
    case GIMPLE_COND:
    case GIMPLE_SWITCH:
    case GIMPLE_LABEL:
    case GIMPLE_PREDICT:
      return true;
    case GIMPLE_CALL:
      return !gimple_vdef(s) && !gimple_vuse(s);
    default:
      return false;
  }
}

// The statements of a kernel whose threads may run in any order, and stop anywhere to go on later.
std::string look_at_what_threads_do(const kernel_body& body) {
  for (const basic_block bb : body.inside)
    for (auto at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (!computes_only(gsi_stmt(at))) return "the kernel does more than compute, read and write";
  return writes_private_memory(body) ? "a thread has memory of its own" : "";
}

// Values are kept in arrays of their type.
bool can_be_kept(tree name) {
  const tree type = TREE_TYPE(name);
  return INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type) || SCALAR_FLOAT_TYPE_P(type);
}

// A body refers to the place of its thread by two names.
std::string name_place(const kernel_body& body, walking_loop& found) {
  const auto named = [&](tree number) {
    const tree name = make_ssa_name(TREE_TYPE(number));
    auto at = gsi_for_stmt(body.resume);
    gsi_insert_before(&at, gimple_build_assign(name, number), GSI_SAME_STMT);
    imm_use_iterator i;
    gimple* s;
    FOR_EACH_IMM_USE_STMT(s, i, number) {
      if (!body.contains(s)) continue;
      use_operand_p use;
      FOR_EACH_IMM_USE_ON_STMT(use, i) SET_USE(use, name);
      update_stmt(s);
    }
    return name;
  };
  const tree x = gimple_call_arg(body.resume, 2), y = gimple_call_arg(body.resume, 3);
  if (TREE_CODE(x) != SSA_NAME || TREE_CODE(y) != SSA_NAME || x == y) return "its threads aren't in rows";
  found.x = named(x);
  found.y = named(y);
  return "";
}

// Whether nothing that the loops over the threads count, but the thread's place, is used in the body.
bool depends_on_place_alone(const kernel_body& body, const walking_loop& found) {
  class loop* const columns = gimple_bb(body.resume)->loop_father;
  class loop* const rows = loop_outer(columns);
  for (const basic_block bb : body.inside) {
    const auto is_known = [&](tree name) {
      if (TREE_CODE(name) != SSA_NAME || SSA_NAME_IS_DEFAULT_DEF(name) || name == found.x || name == found.y)
        return true;
      const basic_block definition = gimple_bb(SSA_NAME_DEF_STMT(name));
      return body.inside.count(definition) > 0 || !flow_bb_inside_loop_p(rows, definition);
    };
    for (auto at = gsi_start_phis(bb); !gsi_end_p(at); gsi_next(&at))
      if (!virtual_operand_p(gimple_phi_result(at.phi())))
        for (unsigned i = 0; i < gimple_phi_num_args(at.phi()); ++i)
          if (!is_known(gimple_phi_arg_def(at.phi(), i))) return false;
    for (auto at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
      tree name;
      ssa_op_iter i;
      FOR_EACH_SSA_TREE_OPERAND (name, gsi_stmt(at), i, SSA_OP_USE)
        if (!is_known(name)) return false;
    }
  }
  return true;
}

edge into(class loop* l) {
  edge found = nullptr, e;
  edge_iterator i;
  FOR_EACH_EDGE (e, i, l->header->preds)
    if (!flow_bb_inside_loop_p(l, e->src)) {
      if (found) return nullptr;
      found = e;
    }
  return found;
}

// A loop that asks at its beginning whether there is another round, and is left nowhere else.
bool is_simple(const kernel_body& body, class loop* l) {
  if (l->inner || !l->latch || !body.inside.count(l->header) || !into(l)) return false;
  basic_block* const blocks = get_loop_body(l);
  bool simple = true;
  for (unsigned i = 0; i < l->num_nodes; ++i) {
    edge e;
    edge_iterator j;
    FOR_EACH_EDGE (e, j, blocks[i]->succs)
      simple &= flow_bb_inside_loop_p(l, e->dest) || (blocks[i] == l->header && e->dest != body.first);
  }
  free(blocks);
  const auto last = gsi_last_bb(l->header);
  return simple && !gsi_end_p(last) && gimple_code(gsi_stmt(last)) == GIMPLE_COND && EDGE_COUNT(l->header->succs) == 2;
}

tree argument(gphi* phi, edge e) { return gimple_phi_arg_def(phi, e->dest_idx); }

// Starts with all numbers of the header in common, and iterates until no more of them differ.
void divide_numbers(const kernel_body& body, walking_loop& found) {
  for (auto at = gsi_start_phis(found.of->header); !gsi_end_p(at); gsi_next(&at))
    if (!virtual_operand_p(gimple_phi_result(at.phi()))) found.in_common.push_back(at.phi());
  for (bool changed = true; changed;) {
    changed = false;
    for (gphi* const phi : found.in_common) {
      const auto same_along = [&](edge e) { return is_in_common(body, found, argument(phi, e)); };
      if (same_along(into(found.of)) && same_along(loop_latch_edge(found.of))) continue;
      found.of_threads.push_back(phi);
      found.in_common.erase(std::find(found.in_common.begin(), found.in_common.end(), phi));
      changed = true;
      break;
    }
  }
}

std::string look_at_rounds(const kernel_body& body, const walking_loop& found) {
  for (auto at = gsi_start_bb(found.of->header); !gsi_end_p(at); gsi_next(&at)) {
    tree name;
    ssa_op_iter i;
    FOR_EACH_SSA_TREE_OPERAND (name, gsi_stmt(at), i, SSA_OP_USE)
      if (!is_in_common(body, found, name)) return "they go through it differently often";
    if (gimple_vuse(gsi_stmt(at)) && !reads_constant(gsi_stmt(at))) return "memory decides on its end";
  }
  for (gphi* const phi : found.of_threads)
    if (!can_be_kept(gimple_phi_result(phi))) return "a thread keeps what isn't a number";
  return "";
}

struct accesses {
  unsigned all = 0, along_threads = 0, along_loop = 0;  // those that go through memory in order, or not at all
};

accesses look_at_accesses(const walking_loop& found) {
  accesses count;
  const strides threads = strides::of_threads(found.of, found.x), rounds = strides::of_rounds(found.of);
  basic_block* const blocks = get_loop_body(found.of);
  for (unsigned i = 0; i < found.of->num_nodes; ++i)
    for (auto at = gsi_start_bb(blocks[i]); !gsi_end_p(at); gsi_next(&at)) {
      gimple* const s = gsi_stmt(at);
      if (!gimple_vuse(s) || gimple_clobber_p(s) || !is_gimple_assign(s) || reads_constant(s)) continue;
      const tree place = gimple_store_p(s) ? gimple_assign_lhs(s) : gimple_assign_rhs1(s);
      const HOST_WIDE_INT size = int_size_in_bytes(TREE_TYPE(place));
      const auto in_order = [&](stride of) {
        return of.is == stride::kind::constant && (of.by == size || (of.by == 0 && !gimple_store_p(s)));
      };
      ++count.all;
      count.along_threads += in_order(threads.of_access(place));
      count.along_loop += in_order(rounds.of_access(place));
    }
  free(blocks);
  return count;
}

}  // namespace

bool is_in_common(const kernel_body& body, const walking_loop& loop, tree value) {
  std::set<tree> looked_at{value};
  std::vector<tree> next{value};
  while (!next.empty()) {
    const tree name = next.back();
    next.pop_back();
    if (name == loop.x || name == loop.y) return false;
    if (TREE_CODE(name) != SSA_NAME || SSA_NAME_IS_DEFAULT_DEF(name)) continue;
    gimple* const s = SSA_NAME_DEF_STMT(name);
    if (!body.contains(s)) continue;  // see depends_on_place_alone
    if (gimple_code(s) == GIMPLE_PHI) {
      if (std::find(loop.in_common.begin(), loop.in_common.end(), s) == loop.in_common.end()) return false;
      continue;
    }
    if (!is_gimple_assign(s) || (gimple_vuse(s) ? !reads_constant(s) : gimple_could_trap_p(s))) return false;
    tree operand;
    ssa_op_iter i;
    FOR_EACH_SSA_TREE_OPERAND (operand, s, i, SSA_OP_USE)
      if (looked_at.insert(operand).second) next.push_back(operand);
  }
  return true;
}

walking_loop find_walking_loop(const kernel_body& body, std::string& say, location_t& where) {
  std::vector<class loop*> candidates;
  for (class loop* l = gimple_bb(body.resume)->loop_father->inner; l; l = l->next)
    if (is_simple(body, l)) candidates.push_back(l);
  if (candidates.empty() || loop_depth(gimple_bb(body.resume)->loop_father) <= loop_depth(body.nest)) return {};
  walking_loop found;
  where = gimple_location(gsi_stmt(gsi_last_bb(candidates.front()->header)));
  say = look_at_what_threads_do(body);
  if (say.empty()) say = name_place(body, found);
  if (say.empty() && !depends_on_place_alone(body, found)) say = "its threads aren't in rows";
  if (!say.empty()) return {};
  for (class loop* const l : candidates) {
    found.of = l;
    found.in_common.clear();
    found.of_threads.clear();
    where = gimple_location(gsi_stmt(gsi_last_bb(l->header)));
    divide_numbers(body, found);
    say = look_at_rounds(body, found);
    if (!say.empty()) continue;
    const accesses count = look_at_accesses(found);
    say = "of " + std::to_string(count.all) + (count.all == 1 ? " access, " : " accesses, ") +
          std::to_string(count.along_threads) + " in order along a row of threads, " +
          std::to_string(count.along_loop) + " along the loop";
    if (count.along_threads == count.all && count.along_loop < count.all) return found;
  }
  return {};
}

}  // namespace splitter
