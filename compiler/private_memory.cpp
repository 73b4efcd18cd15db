#include "compiler/private_memory.h"

namespace splitter {
namespace {

struct by_declaration {
  bool operator()(tree a, tree b) const { return DECL_UID(a) < DECL_UID(b); }
};
using variables = std::set<tree, by_declaration>;

// What is accessed, or whose address is taken: g++ hands over a part of it there, such as a member.
tree whole(tree part) {
  const tree base = get_base_address(part);
  return base ? base : part;
}

bool note_variable(gimple*, tree part, tree, void* into) {
  const tree base = whole(part);
  if (DECL_P(base) && auto_var_in_fn_p(base, current_function_decl)) static_cast<variables*>(into)->insert(base);
  return false;
}

struct what_of_it {
  tree variable;
  bool seen = false;
};
// Whether what the pointer points to may be the variable; so it is if g++ has noted nothing about the pointer.
bool may_point_to(tree pointer, tree variable) {
  if (TREE_CODE(pointer) != SSA_NAME || !POINTER_TYPE_P(TREE_TYPE(pointer))) return false;
  ptr_info_def* const known = SSA_NAME_PTR_INFO(pointer);
  return known ? pt_solution_includes(&known->pt, variable) : TREE_ADDRESSABLE(variable) != 0;
}

// Also through a pointer that was computed, perhaps long before: `&sums.elements + 4 * i`.
bool note_whether(gimple*, tree part, tree, void* into) {
  auto& it = *static_cast<what_of_it*>(into);
  const tree base = whole(part);
  it.seen |= base == it.variable;
  if (TREE_CODE(base) == MEM_REF || TREE_CODE(base) == TARGET_MEM_REF)
    it.seen |= may_point_to(TREE_OPERAND(base, 0), it.variable);
  return false;
}

// The effect of a statement on the variable: a use, the end of its lifetime, or none.
enum class effect { nothing, use, end };
effect effect_on(tree variable, gimple* s) {
  if (gimple_clobber_p(s)) return gimple_assign_lhs(s) == variable ? effect::end : effect::nothing;
  what_of_it it{variable};
  walk_stmt_load_store_addr_ops(s, &it, note_whether, note_whether, note_whether);
  for (unsigned k = 0; is_gimple_call(s) && k < gimple_call_num_args(s); ++k)  // a function may use what it is given
    it.seen |= may_point_to(gimple_call_arg(s, k), variable);
  return it.seen ? effect::use : effect::nothing;
}

// The last effect of a block if `forward`, else the first.
effect effect_on(tree variable, basic_block bb, bool forward) {
  effect known = effect::nothing;
  for (auto at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
    if (const effect e = effect_on(variable, gsi_stmt(at)); e != effect::nothing) {
      known = e;
      if (!forward) break;
    }
  return known;
}

// The blocks at whose end, or beginning if not `forward`, the variable may hold something from before, or that somebody
// reads later.
blocks in_use(const kernel_body& body, tree variable, bool forward) {
  blocks used;
  for (bool changed = true; changed;) {
    changed = false;
    for (const basic_block bb : body.inside) {
      if (used.count(bb)) continue;
      const effect own = effect_on(variable, bb, forward);
      bool in = own == effect::use;
      if (own == effect::nothing) {
        edge e;
        edge_iterator i;
        FOR_EACH_EDGE (e, i, forward ? bb->preds : bb->succs) in |= used.count(forward ? e->src : e->dest) > 0;
      }
      if (in) changed = used.insert(bb).second;
    }
  }
  return used;
}

}  // namespace

std::string look_at_private_memory(const kernel_body& body) {
  variables written;
  for (const basic_block bb : body.inside)
    for (auto at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      walk_stmt_load_store_addr_ops(gsi_stmt(at), &written, nullptr, note_variable, note_variable);
  for (const tree variable : written) {
    const blocks filled = in_use(body, variable, true), read = in_use(body, variable, false);
    for (const gimple* wait : body.waits)
      if (filled.count(body.before(wait)) && read.count(body.behind(wait)))
        return std::string("a thread keeps memory across a barrier: ") +
               (DECL_NAME(variable) ? IDENTIFIER_POINTER(DECL_NAME(variable)) : "an unnamed variable");
  }
  return "";
}

bool writes_private_memory(const kernel_body& body) {
  variables written;
  for (const basic_block bb : body.inside)
    for (auto at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (!gimple_clobber_p(gsi_stmt(at)))
        walk_stmt_load_store_addr_ops(gsi_stmt(at), &written, nullptr, note_variable, note_variable);
  return !written.empty();
}

}  // namespace splitter
